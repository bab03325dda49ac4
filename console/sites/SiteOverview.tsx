import { useQuery } from '@tanstack/react-query'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { PageLink } from '../ui/Button.tsx'
import { Code } from '../ui/Code.tsx'
import { CopyText } from '../ui/Copy.tsx'
import { Fact, Facts } from '../ui/Facts.tsx'
import { FailurePanel } from '../ui/Failure.tsx'
import { Notice } from '../ui/Notice.tsx'
import { counted, whole } from '../ui/number.ts'
import { Panel } from '../ui/Page.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Figure, Strip } from '../ui/Strip.tsx'
import { Time } from '../ui/Time.tsx'
import { useSite, useSiteInput } from './useSite.ts'

const REFRESH_MS = 15_000

/** The site at a glance: what it did today, and what it consists of. */
export function SiteOverview() {
  const input = useSiteInput()
  const { may } = useTenant()
  const site = useSite()
  const { data, error, isFetching, refetch } = useQuery(
    trpc.sites.activity.queryOptions(input, { refetchInterval: REFRESH_MS }),
  )
  if (error && !data) return <FailurePanel error={error} retrying={isFetching} onRetry={() => void refetch()} />

  const number = (value: number | undefined) => (value === undefined ? <Skeleton width="short" /> : whole(value))
  return (
    <>
      {site.paused && (
        <Notice tone="challenge" title="This site is paused">
          Every call for it is refused with <Code>site-disabled</Code>. Resume it when your forms should work again.
        </Notice>
      )}
      {data && data.permits.count > 0 && data.decisions.count === 0 && (
        <Notice
          tone="challenge"
          title="You are not calling /siteverify"
          action={
            may('integration.read') && (
              <PageLink to="/o/$tenant/sites/$site/integrate" params={input}>
                Check the integration
              </PageLink>
            )
          }
        >
          {counted(data.permits.count, 'permit was', 'permits were')} opened in the last 24 hours and no token was
          redeemed. Until your backend redeems it, a token proves nothing: anybody could submit your form without one.
        </Notice>
      )}
      <Strip busy={!data}>
        <Figure name="Decisions today" value={number(data?.today)} note="since midnight UTC; one unit each" />
        <Figure
          name="Decisions, 24 h"
          value={number(data?.decisions.count)}
          note={<Last at={data?.decisions.lastAt} />}
        />
        <Figure name="Permits, 24 h" value={number(data?.permits.count)} note={<Last at={data?.permits.lastAt} />} />
        <Figure
          name="Live secrets"
          value={whole(site.liveSecrets)}
          note={site.liveSecrets === 0 ? 'your backend cannot call' : 'at most two'}
        />
      </Strip>
      <Panel title="Set-up">
        <Facts>
          <Fact name="Hostnames">
            {site.hostnames.length === 0 ? 'None: no permit can be opened' : site.hostnames.slice(0, 5).join(', ')}
            {site.hostnames.length > 5 && ` and ${whole(site.hostnames.length - 5)} more`}
          </Fact>
          <Fact name="Made">
            <Time at={site.createdAt} />
          </Fact>
          <Fact name="Site id">
            <CopyText text={site.id} name="site id" />
          </Fact>
        </Facts>
      </Panel>
    </>
  )
}

function Last({ at }: { at: number | null | undefined }) {
  if (at === undefined) return <Skeleton width="short" />
  if (at === null) return 'none yet'
  return (
    <>
      last <Time at={at} as="relative" />
    </>
  )
}
