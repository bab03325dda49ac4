import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { isOngoing, OngoingNotices, summaryOptions } from '../overview/api.ts'
import { useSeries } from '../traffic/api.ts'
import { Traffic, TrafficSkeleton } from '../traffic/Traffic.tsx'
import { trpc } from '../trpc.ts'
import { PeriodPicker } from '../ui/form/PeriodPicker.tsx'
import { useMovingRange } from '../ui/form/period.ts'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Notice } from '../ui/page/Notice.tsx'
import { Code } from '../ui/text/Snippet.tsx'
import { Time } from '../ui/text/Time.tsx'
import { useSite, useSiteInput } from './api.ts'
import { ResumeButton } from './Pause.tsx'

const route = getRouteApi('/o/$tenant/sites/$site/')

const REFRESH_MS = 15_000

/** The site's traffic. */
export function SiteOverview() {
  const input = useSiteInput()
  const site = useSite()
  const { may } = useTenant()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data: now, isPending: isSummaryPending } = useQuery(summaryOptions(input.tenant))
  const activity = useQuery(trpc.sites.activity.queryOptions(input, { refetchInterval: REFRESH_MS }))
  const {
    data: series,
    error,
    isPending: isSeriesPending,
    isFetching,
    refetch,
  } = useSeries(useMovingRange(search), input.site)
  return (
    <>
      {site.paused && (
        <Notice tone="challenge" title="This site is paused" action={may('site.write') && <ResumeButton />}>
          All calls are refused with <Code>site-disabled</Code> until you resume it.
        </Notice>
      )}
      <div className="flex flex-col items-start gap-3 sm:flex-row sm:items-center sm:justify-between">
        <p className="text-13 text-ink-2">
          Last completed verification:{' '}
          {activity.isPending ? '…' : <LastVerification at={activity.data?.decisions.lastAt} />}
        </p>
        <PeriodPicker
          search={search}
          onChange={(chosen) => void navigate({ search: (now) => ({ ...now, ...chosen }) })}
        />
      </div>
      {isSummaryPending || isSeriesPending ? (
        <TrafficSkeleton />
      ) : (
        <Suspense fallback={<TrafficSkeleton />}>
          {now && isOngoing(now) && <OngoingNotices ongoing={now.ongoing} site={input.site} />}
          {series ? (
            <Traffic
              site={input.site}
              series={series}
              search={search}
              onChart={(chart) => void navigate({ search: (now) => ({ ...now, chart }), resetScroll: false })}
              onZoom={(range) => void navigate({ search: (now) => ({ ...now, period: undefined, ...range }) })}
            />
          ) : (
            <ErrorPanel error={error} retrying={isFetching} onRetry={() => void refetch()} />
          )}
        </Suspense>
      )}
    </>
  )
}

function LastVerification({ at }: { at: number | null | undefined }) {
  if (at === undefined) return 'unknown'
  return at === null ? 'none yet' : <Time at={at} as="relative" />
}
