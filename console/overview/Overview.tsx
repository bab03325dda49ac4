import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { getRouteApi, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { type UsageSeries, useSeries } from '../traffic/api.ts'
import { Traffic, TrafficSkeleton } from '../traffic/Traffic.tsx'
import { shareOf } from '../traffic/words.ts'
import { trpc } from '../trpc.ts'
import { Sparkline } from '../ui/chart/Sparkline.tsx'
import { PageLink } from '../ui/form/Button.tsx'
import { PeriodPicker } from '../ui/form/PeriodPicker.tsx'
import { useMovingRange } from '../ui/form/period.ts'
import { lazyPart } from '../ui/overlay/lazyPart.ts'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Notice } from '../ui/page/Notice.tsx'
import { Page, Section } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { percent, whole } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import { Pill } from '../ui/text/Pill.tsx'
import type { MonthUsage } from '../usage/api.ts'
import { isRunningOut, outlook } from '../usage/outlook.ts'
import { Attention } from './Attention.tsx'
import {
  attentionOptions,
  isOngoing,
  OngoingNotices,
  type SitesTraffic,
  type SiteTraffic,
  summaryOptions,
} from './api.ts'

// most tenants have done them all
const FirstSteps = lazyPart(async () => (await import('./FirstSteps.tsx')).FirstSteps)

const route = getRouteApi('/o/$tenant/')

/** The tenant's traffic and sites, what needs attention, and the checklist until the first verification. */
export function Overview() {
  const { slug, name } = useTenant()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data: summary, isPending: isSummaryPending } = useQuery(summaryOptions(slug))
  const { data: attention, isPending: isAttentionPending } = useQuery(attentionOptions(slug))
  // kept up to date by the sidebar's meter
  const { data: meter, isPending: isMeterPending } = useQuery(trpc.usage.meter.queryOptions({ tenant: slug }))
  const range = useMovingRange(search)
  const { data: series, error, isPending: isSeriesPending, isFetching, refetch } = useSeries(range)
  const sites = useQuery(
    trpc.usage.bySite.queryOptions({ tenant: slug, ...range }, { placeholderData: (shown) => shown }),
  )
  // what is above the traffic, and moves it
  const isHeadPending = isSummaryPending || isAttentionPending || isMeterPending
  const isNew = summary !== undefined && !summary.done.intent && !summary.done.decision
  // all figures would be zero, and there is nothing to compare them with
  const hasTraffic = !isNew || error !== null || (series !== undefined && countOf(series.totals) > 0)
  return (
    <Page
      title="Overview"
      context={name}
      actions={
        hasTraffic ? (
          <PeriodPicker
            search={search}
            onChange={(chosen) => void navigate({ search: (now) => ({ ...now, ...chosen }) })}
          />
        ) : undefined
      }
    >
      {!isHeadPending && (
        // one part, so that nothing moves when what is above has loaded
        <Suspense>
          {summary && isOngoing(summary) && <OngoingNotices ongoing={summary.ongoing} />}
          {meter && isRunningOut(meter) && <RunningOut meter={meter} />}
          {attention && attention.length > 0 && <Attention sites={attention} />}
          {summary && !summary.done.decision && <FirstSteps done={summary.done} />}
          {hasTraffic &&
            (isSeriesPending ? (
              <TrafficSkeleton />
            ) : series ? (
              <Traffic
                series={series}
                search={search}
                onZoom={(range) => void navigate({ search: (now) => ({ ...now, period: undefined, ...range }) })}
              />
            ) : (
              <ErrorPanel error={error} retrying={isFetching} onRetry={() => void refetch()} />
            ))}
          {hasTraffic && <SitesByTraffic sites={sites} />}
        </Suspense>
      )}
    </Page>
  )
}

/** Says that verifications are refused, or will be this month, because there are not enough units. */
function RunningOut({ meter }: { meter: MonthUsage }) {
  const { slug, may } = useTenant()
  return (
    <Notice
      tone={meter.used < meter.included ? 'challenge' : 'block'}
      title={meter.used < meter.included ? 'The units will run out this month' : 'No units left'}
      action={
        may('usage.read') && (
          <PageLink to="/o/$tenant/usage" params={{ tenant: slug }}>
            See the usage
          </PageLink>
        )
      }
    >
      {outlook(meter)}
    </Notice>
  )
}

/** How many requests there were, also refused ones. */
const countOf = ({ intents, redeemed, refused }: UsageSeries['totals']): number => intents + redeemed + refused

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)

const siteColumns: readonly Column<SiteTraffic>[] = [
  column('Site', (site) => <SiteLink {...site} />, { width: 'wide' }),
  column('Trend', ({ redeemed }) => <Sparkline values={redeemed.slice(-30)} />),
  column('Completed', ({ redeemed }) => whole(sum(redeemed)), { align: 'right' }),
  column(
    'Completion',
    ({ redeemed, intents }) => {
      const share = shareOf(sum(redeemed), intents)
      return share === null ? '–' : percent(share)
    },
    { align: 'right' },
  ),
  column('Refused', ({ refused }) => whole(refused), { align: 'right' }),
]

const MOST_SITES = 10

/** The busiest sites with their traffic. */
function SitesByTraffic({ sites: { data, ...list } }: { sites: UseQueryResult<SitesTraffic, unknown> }) {
  const { slug } = useTenant()
  return (
    <Section
      title="Sites by traffic"
      actions={
        <PageLink to="/o/$tenant/sites" params={{ tenant: slug }}>
          {data && data.sites.length > MOST_SITES ? `All ${whole(data.sites.length)} sites` : 'All sites'}
        </PageLink>
      }
    >
      <Table
        label="Sites by traffic"
        list={{ ...list, data: data?.sites.slice(0, MOST_SITES) }}
        columns={siteColumns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No sites yet">A site is one form or shop that you protect, with its own keys.</EmptyState>
        }
      />
    </Section>
  )
}

/** A link to the site, with the same period. Says so if the site is paused. */
function SiteLink({ id, name, paused }: SiteTraffic) {
  const { slug } = useTenant()
  const { period, from, to } = useSearch({ from: '/o/$tenant/' })
  return (
    <>
      <Link to="/o/$tenant/sites/$site" params={{ tenant: slug, site: id }} search={{ period, from, to }}>
        {name}
      </Link>{' '}
      {paused && <Pill tone="challenge">Paused</Pill>}
    </>
  )
}
