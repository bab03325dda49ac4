import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { SiteStatePill } from '../sites/SiteParts.tsx'
import { type UsageSeries, useSeries } from '../traffic/api.ts'
import { Traffic } from '../traffic/Traffic.tsx'
import { shareOf } from '../traffic/words.ts'
import { trpc } from '../trpc.ts'
import { Sparkline } from '../ui/chart/Sparkline.tsx'
import { PageLink } from '../ui/form/Button.tsx'
import { PeriodPicker } from '../ui/form/PeriodPicker.tsx'
import { type PeriodSearch, useMovingRange } from '../ui/form/period.ts'
import { lazyPart } from '../ui/overlay/lazyPart.ts'
import { Page, Section, Skeleton } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { percent, whole } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import { outlook } from '../usage/outlook.ts'
import { Attention } from './Attention.tsx'
import { attentionOptions, isOngoing, OngoingNotices, type SiteTraffic, summaryOptions } from './api.ts'

// most tenants have done them all
const FirstSteps = lazyPart(async () => (await import('./FirstSteps.tsx')).FirstSteps)

const route = getRouteApi('/o/$tenant/')

/** The tenant's traffic, quota outlook, sites, and the checklist until the first verification. */
export function Overview() {
  const { slug, name, may } = useTenant()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data: summary, isPending: isSummaryPending } = useQuery(summaryOptions(slug))
  const { data: attention, isPending: isAttentionPending } = useQuery(attentionOptions(slug))
  // kept up to date by the sidebar's meter
  const { data: meter } = useQuery(trpc.usage.meter.queryOptions({ tenant: slug }))
  const { period, from, to } = search
  const isPending = isSummaryPending || isAttentionPending
  const isNew = summary !== undefined && !summary.done.intent && !summary.done.decision
  const { data: series, error } = useSeries(useMovingRange(search))
  // all figures would be zero, and there is nothing to compare them with
  const hasTraffic = !isNew || error !== null || (series !== undefined && countOf(series.totals) > 0)
  return (
    <Page
      title="Overview"
      context={name}
      // its height is kept while it loads, so that nothing moves
      description={
        may('usage.read') ? <span className="block min-h-10 sm:min-h-5">{meter && outlook(meter)}</span> : undefined
      }
      actions={
        hasTraffic ? (
          <PeriodPicker
            search={search}
            onChange={(chosen) => void navigate({ search: (now) => ({ ...now, ...chosen }) })}
          />
        ) : undefined
      }
    >
      {isPending && <Skeleton width="long" />}
      {summary && isOngoing(summary) && (
        <Suspense fallback={<Skeleton width="long" />}>
          <OngoingNotices ongoing={summary.ongoing} />
        </Suspense>
      )}
      {attention && attention.length > 0 && <Attention sites={attention} />}
      {/* one part, so that nothing moves when the steps have loaded */}
      <Suspense fallback={<Skeleton width="long" />}>
        {summary && !summary.done.decision && <FirstSteps done={summary.done} />}
        {hasTraffic && (
          // loads at once, but is shown with what is above it, so that nothing moves
          <div className={isPending ? 'hidden' : 'contents'}>
            <Traffic
              search={search}
              onZoom={(range) => void navigate({ search: (now) => ({ ...now, period: undefined, ...range }) })}
            />
            <SitesByTraffic search={{ period, from, to }} />
          </div>
        )}
      </Suspense>
    </Page>
  )
}

/** How many requests there were, also refused ones. */
const countOf = ({ intents, redeemed, refused }: UsageSeries['totals']): number => intents + redeemed + refused

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)

const siteColumns: readonly Column<SiteTraffic>[] = [
  column('Site', ({ id, name }) => <SiteLink id={id} name={name} />, { width: 'wide' }),
  column('State', ({ paused }) => <SiteStatePill paused={paused} />),
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
function SitesByTraffic({ search }: { search: PeriodSearch }) {
  const { slug } = useTenant()
  const range = useMovingRange(search)
  const sites = useQuery(
    trpc.usage.bySite.queryOptions({ tenant: slug, ...range }, { placeholderData: (shown) => shown }),
  )
  const { data, error, isFetching, refetch } = sites
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
        list={{ data: data?.sites.slice(0, MOST_SITES), error, isFetching, refetch }}
        columns={siteColumns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No sites yet">A site is one form or shop that you protect, with its own keys.</EmptyState>
        }
      />
    </Section>
  )
}

/** A link to the site, with the same period. */
function SiteLink({ id, name }: Pick<SiteTraffic, 'id' | 'name'>) {
  const { slug } = useTenant()
  const { period, from, to } = useSearch({ from: '/o/$tenant/' })
  return (
    <Link to="/o/$tenant/sites/$site" params={{ tenant: slug, site: id }} search={{ period, from, to }}>
      {name}
    </Link>
  )
}
