import { useQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { DocsLink } from '../frame/DocsLink.tsx'
import { useTenant } from '../frame/useTenant.ts'
import { RefusalCode } from '../traffic/RefusalCode.tsx'
import { errorName } from '../traffic/words.ts'
import { trpc } from '../trpc.ts'
import type { Range } from '../ui/form/period.ts'
import { DialogBody, Sheet } from '../ui/overlay/Dialog.tsx'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Skeleton } from '../ui/page/Page.tsx'
import { Fact, Facts } from '../ui/table/Facts.tsx'
import { Copy, CopyText } from '../ui/text/Copy.tsx'
import { Link } from '../ui/text/Link.tsx'
import { Code, Sentence } from '../ui/text/Snippet.tsx'
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
  const { ended, current, isLoading } = useSentSecret(refusal)
  if (isLoading) return <Skeleton width="long" />
  return (
    <>
      <section aria-label="Cause and fix" className="text-13">
        <p>
          {ended ? (
            <>
              Your backend sent the secret key <Code>…{ended.last4}</Code>, which ended{' '}
              <Time at={ended.endsAt} as="relative" />.
            </>
          ) : (
            <Sentence text={cause} />
          )}
        </p>
        <p className="mt-1 text-ink-2">
          {ended && current ? (
            <>
              Give that server the current one, <Code>…{current.last4}</Code>, and restart it.
            </>
          ) : ended ? (
            'No secret key is active: create one, and give it to that server.'
          ) : (
            <Sentence text={fix} />
          )}{' '}
          {ended && (
            <>
              <Link to="/o/$tenant/sites/$site/keys" params={{ tenant: slug, site: site.id }}>
                Keys
              </Link>
              {' · '}
            </>
          )}
          <DocsLink page={docs}>
            Docs<span className="sr-only"> for {errorName(code, field)}</span>
          </DocsLink>
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
        {keyHint !== null && !ended && <Fact name="Secret key">…{keyHint}</Fact>}
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

/** Most secrets of a site that are compared: it has two at a time, so that more were ended long ago. */
const MOST_SECRETS = 50

/**
 * The ended secret that an `unauthorized` request was sent with, and the one to send instead. Without `ended` if it is not known:
 * the text was never a secret of the site, or the person may not see its secrets.
 */
function useSentSecret({ code, keyHint, site }: Refusal) {
  const { slug, may } = useTenant()
  const enabled = code === 'unauthorized' && keyHint !== null && site.name !== null && may('secret.read')
  const { data, isLoading } = useQuery(
    trpc.secrets.list.queryOptions({ tenant: slug, site: site.id, limit: MOST_SECRETS }, { enabled }),
  )
  const sent = enabled && data?.rows.find(({ last4, state }) => last4 === keyHint && state === 'ended')
  return {
    ended: sent && sent.endsAt !== null ? { last4: sent.last4, endsAt: sent.endsAt } : undefined,
    current: data?.rows.find(({ state }) => state === 'live'),
    isLoading,
  }
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
