import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { isOngoing, OngoingNotices, summaryOptions } from '../overview/api.ts'
import { Traffic } from '../traffic/Traffic.tsx'
import { trpc } from '../trpc.ts'
import { PeriodPicker } from '../ui/form/PeriodPicker.tsx'
import { Notice } from '../ui/page/Notice.tsx'
import { Panel, Skeleton } from '../ui/page/Page.tsx'
import { Fact, Facts } from '../ui/table/Facts.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { whole } from '../ui/text/format.ts'
import { Code } from '../ui/text/Snippet.tsx'
import { Time } from '../ui/text/Time.tsx'
import { useSite, useSiteInput } from './api.ts'

const route = getRouteApi('/o/$tenant/sites/$site/')

const REFRESH_MS = 15_000

/** The site's traffic and set-up. */
export function SiteOverview() {
  const input = useSiteInput()
  const site = useSite()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data: now, isPending } = useQuery(summaryOptions(input.tenant))
  const activity = useQuery(trpc.sites.activity.queryOptions(input, { refetchInterval: REFRESH_MS }))
  return (
    <>
      {site.paused && (
        <Notice tone="challenge" title="This site is paused">
          All calls are refused with <Code>site-disabled</Code> until you resume it.
        </Notice>
      )}
      {isPending && <Skeleton width="long" />}
      {now && isOngoing(now) && (
        <Suspense fallback={<Skeleton width="long" />}>
          <OngoingNotices ongoing={now.ongoing} site={input.site} />
        </Suspense>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-13 text-ink-2">
          Last completed verification:{' '}
          {activity.isPending ? <Skeleton width="short" /> : <LastVerification at={activity.data?.decisions.lastAt} />}
        </p>
        <PeriodPicker
          search={search}
          onChange={(chosen) => void navigate({ search: (now) => ({ ...now, ...chosen }) })}
        />
      </div>
      <Traffic
        site={input.site}
        search={search}
        onChart={(chart) => void navigate({ search: (now) => ({ ...now, chart }), resetScroll: false })}
        onZoom={(range) => void navigate({ search: (now) => ({ ...now, period: undefined, ...range }) })}
      />
      <Panel title="Set-up">
        <Facts>
          <Fact name="Hostnames">
            {site.hostnames.length === 0 ? 'None: verifications are refused' : site.hostnames.slice(0, 5).join(', ')}
            {site.hostnames.length > 5 && ` and ${whole(site.hostnames.length - 5)} more`}
          </Fact>
          <Fact name="Active secrets">
            {site.liveSecrets === 0 ? 'None: your backend can’t call the API' : `${whole(site.liveSecrets)} of 2`}
          </Fact>
          <Fact name="Created">
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

function LastVerification({ at }: { at: number | null | undefined }) {
  if (at === undefined) return 'unknown'
  return at === null ? 'none yet' : <Time at={at} as="relative" />
}
