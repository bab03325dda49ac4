import { useQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { DocsLink } from '../frame/DocsLink.tsx'
import { useTenant } from '../frame/useTenant.ts'
import { RefusalCode } from '../traffic/TopRefusals.tsx'
import { errorName } from '../traffic/words.ts'
import { trpc } from '../trpc.ts'
import type { Range } from '../ui/form/period.ts'
import { DialogBody, Sheet } from '../ui/overlay/Dialog.tsx'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Skeleton } from '../ui/page/Page.tsx'
import { Fact, Facts } from '../ui/table/Facts.tsx'
import { Copy, CopyText } from '../ui/text/Copy.tsx'
import { Link } from '../ui/text/Link.tsx'
import { Sentence } from '../ui/text/Snippet.tsx'
import { Time } from '../ui/text/Time.tsx'

export type Refusal = inferOutput<typeof trpc.refusals.list>['rows'][number]

/** One refused request in a drawer, with cause and fix. `rows`: those loaded, in which it may be. */
export function RefusalSheet({
  id,
  range,
  rows,
  onClose,
}: {
  /** As in X-Request-Id. Undefined: closed. */
  id: string | undefined
  range: Range
  rows: readonly Refusal[] | undefined
  onClose: () => void
}) {
  const { slug } = useTenant()
  const loaded = rows?.find((row) => row.id === id)
  const { data, error, isFetching, refetch } = useQuery(
    trpc.refusals.list.queryOptions(
      { tenant: slug, ...range, request: id },
      { enabled: id !== undefined && rows !== undefined && !loaded },
    ),
  )
  const refusal = loaded ?? data?.rows[0]
  return (
    <Sheet open={id !== undefined} onClose={onClose} title="Refused request">
      <DialogBody>
        {refusal ? (
          <Details refusal={refusal} />
        ) : error ? (
          <ErrorPanel error={error} retrying={isFetching} onRetry={() => void refetch()} />
        ) : data && !isFetching ? (
          <p className="text-13 text-ink-2">There is no such request in this period. They are kept for 30 days.</p>
        ) : (
          <Skeleton width="long" />
        )}
      </DialogBody>
    </Sheet>
  )
}

function Details({ refusal }: { refusal: Refusal }) {
  const { slug } = useTenant()
  const { id, at, site, endpoint, code, field, hostname, keyHint, intentId, cause, fix, docs } = refusal
  const reference = id.slice(-8)
  const url = `${location.origin}/r/${reference}`
  return (
    <>
      <section aria-label="Cause and fix" className="text-13">
        <p>
          <Sentence text={cause} />
        </p>
        <p className="mt-1 text-ink-2">
          <Sentence text={fix} /> <DocsLink page={docs}>Docs for {errorName(code, field)}</DocsLink>
        </p>
      </section>
      <Facts>
        <Fact name="Code">
          <RefusalCode code={code} field={field} />
        </Fact>
        <Fact name="Endpoint">
          <code className="font-mono text-12">{endpoint}</code>
        </Fact>
        <Fact name="When">
          <Time at={at} />
          <span className="text-ink-2">
            {' · '}
            <Time at={at} as="relative" />
          </span>
        </Fact>
        <Fact name="Site">
          {site.name === null ? (
            'Deleted'
          ) : (
            <Link to="/o/$tenant/sites/$site" params={{ tenant: slug, site: site.id }}>
              {site.name}
            </Link>
          )}
        </Fact>
        {hostname !== null && <Fact name="Host">{hostname}</Fact>}
        {keyHint !== null && <Fact name="Secret key">…{keyHint}</Fact>}
        <Fact name="Request">
          <CopyText text={id} name="request id" />
        </Fact>
        {intentId !== null && (
          <Fact name="Intent">
            <CopyText text={intentId} name="intent id" /> <IntentLink id={intentId} />
          </Fact>
        )}
        <Fact name="Page for the visitor">
          <Link to="/r/$reference" params={{ reference }}>
            {url.replace(/^https?:\/\//, '')}
          </Link>{' '}
          <Copy text={url} name="address" bare />
        </Fact>
      </Facts>
    </>
  )
}

/** A link to the intent with its decision, as long as it is kept, for members who may read it. */
function IntentLink({ id }: { id: string }) {
  const { slug, may } = useTenant()
  const { data } = useQuery(
    trpc.decisions.get.queryOptions({ tenant: slug, id }, { enabled: may('decision.read'), retry: false }),
  )
  if (!data) return null
  return (
    <Link to="/o/$tenant/decisions/$id" params={{ tenant: slug, id }}>
      {data.decision ? 'See the decision' : 'See the intent'}
    </Link>
  )
}
