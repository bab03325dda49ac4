import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useState } from 'react'
import { Card } from '../session/Card.tsx'
import { useMaybeMe } from '../session/me.ts'
import { RefusalCode } from '../traffic/RefusalCode.tsx'
import { trpc } from '../trpc.ts'
import { Button, PageLink } from '../ui/form/Button.tsx'
import { Confirm } from '../ui/overlay/Confirm.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Skeleton } from '../ui/page/Page.tsx'
import { Copy } from '../ui/text/Copy.tsx'
import { Link } from '../ui/text/Link.tsx'
import { QrCode } from '../ui/text/QrCode.tsx'
import { Code, Sentence } from '../ui/text/Snippet.tsx'
import { Time } from '../ui/text/Time.tsx'
import { adviceFor } from './words.ts'

const route = getRouteApi('/session/r/$reference')

type Own = inferOutput<typeof trpc.references.get>['own'][number]

/** How often and how many times a reference that is not stored yet is looked up. */
const LOOK_MS = 1500
const LOOKS = 5

/** What is behind the reference in the component: for the visitor what to do, for the merchant the refusal, for staff the trace. */
export function Reference() {
  const reference = route.useParams().reference.toLowerCase()
  const me = useMaybeMe()
  const { data, error, isFetching, refetch } = useQuery(
    trpc.references.get.queryOptions(
      { reference },
      {
        // refusals are stored behind their answer, and a visitor may be faster
        refetchInterval: ({ state }) => state.data?.code === null && state.dataUpdateCount < LOOKS && LOOK_MS,
      },
    ),
  )
  const url = `${location.origin}/r/${reference}`
  const isStored = data !== undefined && data.code !== null
  const isVisitor = data?.own.length === 0 && data.traces.length === 0
  return (
    <Card
      title={`Reference ${reference}`}
      description={isStored ? 'A verification on a website was refused.' : '\u00a0'}
      footer={
        me
          ? data && <p>Signed in as {me.user.email}.</p>
          : isStored && (
              <p>
                Do you run the website?{' '}
                <Link to="/sign-in" search={{ next: `/r/${reference}` }}>
                  Sign in
                </Link>{' '}
                to see the cause and its fix.
              </p>
            )
      }
    >
      {error && !data ? (
        <ErrorPanel error={error} retrying={isFetching} onRetry={() => void refetch()} />
      ) : (
        <>
          {/* another one while it loads: nothing moves */}
          <section key={data ? 'shown' : 'loading'} aria-label="For visitors" aria-busy={!data}>
            <h2 className="text-14 font-semibold">
              {data && !isVisitor ? 'What the visitor reads' : 'What you can do'}
            </h2>
            <p className="mt-1 text-14">{data ? adviceFor(data) : <Skeleton width="long" />}</p>
            {data?.at != null && (
              <p className="mt-1 text-13 text-ink-2">
                Refused <Time at={data.at} as="relative" />.
              </p>
            )}
          </section>
          {data?.own.map((refusal) => (
            <ForMerchant key={refusal.id} refusal={refusal} />
          ))}
          {data?.traces.map((id) => (
            <PageLink key={id} to="/staff/trace/$id" params={{ id }} look="primary">
              Open the trace
            </PageLink>
          ))}
          {isStored && (
            <section aria-label="Share" className="grid gap-3 border-t border-line pt-4">
              <QrCode text={url} label={`QR code of ${url}`} />
              <p className="min-w-0 text-13 text-ink-2">
                {isVisitor ? 'Show this code to support, or send them the address:' : 'The same page for others:'}{' '}
                <span className="inline-flex items-center gap-1">
                  <Code>{url.replace(/^https?:\/\//, '')}</Code> <Copy text={url} name="address" />
                </span>
              </p>
            </section>
          )}
        </>
      )}
    </Card>
  )
}

/** The refusal with cause and fix, and a button that allows its host. */
function ForMerchant({ refusal }: { refusal: Own }) {
  const { id, tenant, site, endpoint, code, field, at, cause, fix, hostname, claimed, mayAllow } = refusal
  const [confirming, setConfirming] = useState(false)
  const allow = useMutation(
    trpc.hostnames.add.mutationOptions({
      meta: { inline: true },
      onSuccess: (_, { hostname }) => {
        setConfirming(false)
        toast(`${hostname} is allowed`)
      },
    }),
  )
  return (
    <section aria-label={`For ${tenant.name}`} className="grid gap-2 rounded-panel border border-line bg-surface p-4">
      <h2 className="text-14 font-semibold">
        {site.name}, {tenant.name}
      </h2>
      <p className="text-13 text-ink-2">
        <Code>{endpoint}</Code> refused with <RefusalCode code={code} field={field} />, <Time at={at} as="relative" />
        {hostname !== null && (
          <>
            , for <Code>{hostname}</Code>
          </>
        )}
        .
      </p>
      <p className="text-13">
        <Sentence text={`${cause} ${fix}`} />
      </p>
      <div className="flex flex-wrap gap-2">
        {hostname !== null && mayAllow && (
          <Button look="primary" onClick={() => setConfirming(true)}>
            Allow this host
          </Button>
        )}
        <PageLink
          to="/o/$tenant/refusals"
          params={{ tenant: tenant.slug }}
          search={{ request: id, refusal: id, from: Math.floor(at) - 60, to: Math.floor(at) + 60 }}
        >
          Open the refusal
        </PageLink>
      </div>
      <Confirm
        open={confirming}
        onClose={() => setConfirming(false)}
        title={`Allow ${hostname ?? ''}?`}
        action="Allow"
        onConfirm={() => allow.mutate({ tenant: tenant.slug, site: site.id, hostname: hostname ?? '' })}
        mutation={allow}
      >
        <p>
          Pages on <Code>{hostname}</Code> can then use the site key of {site.name}.
        </p>
        {claimed && (
          <p className="mt-2 font-medium text-block">
            Only a visitor’s browser named this host, which can be made up. Allow it only if it is yours.
          </p>
        )}
      </Confirm>
    </section>
  )
}
