import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useTenant } from '../frame/useTenant.ts'
import { SiteState } from '../sites/SiteState.tsx'
import { shareOf } from '../traffic/words.ts'
import { trpc } from '../trpc.ts'
import { Sparkline } from '../ui/chart/Sparkline.tsx'
import { PageLink } from '../ui/form/Button.tsx'
import { type PeriodSearch, useMovingRange } from '../ui/form/period.ts'
import { Section } from '../ui/page/Page.tsx'
import { type Column, DataTable, singlePage } from '../ui/table/DataTable.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { percent, whole } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'

type Site = inferOutput<typeof trpc.usage.bySite>['sites'][number]

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)

const columns: readonly Column<Site>[] = [
  {
    header: 'Site',
    width: 'wide',
    cell: ({ id, name }) => <SiteLink id={id} name={name} />,
  },
  { header: 'State', cell: ({ paused }) => <SiteState paused={paused} /> },
  { header: 'Trend', cell: ({ redeemed }) => <Sparkline values={redeemed.slice(-30)} /> },
  { header: 'Completed', align: 'right', cell: ({ redeemed }) => whole(sum(redeemed)) },
  {
    header: 'Completion',
    align: 'right',
    cell: ({ redeemed, intents }) => {
      const share = shareOf(sum(redeemed), intents)
      return share === null ? '–' : percent(share)
    },
  },
  { header: 'Refused', align: 'right', cell: ({ refused }) => whole(refused) },
]
/** The sites with their traffic, busiest first. */
export function SitesByTraffic({ search }: { search: PeriodSearch }) {
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
          All sites
        </PageLink>
      }
    >
      <DataTable
        label="Sites by traffic"
        list={singlePage({ data: data?.sites, error, isFetching, refetch })}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No sites yet">A site is one form or shop that you protect, with its own keys.</EmptyState>
        }
      />
    </Section>
  )
}

/** A link to the site, with the same period. */
function SiteLink({ id, name }: Pick<Site, 'id' | 'name'>) {
  const { slug } = useTenant()
  const { period, from, to } = useSearch({ from: '/o/$tenant/' })
  return (
    <Link to="/o/$tenant/sites/$site" params={{ tenant: slug, site: id }} search={{ period, from, to }}>
      {name}
    </Link>
  )
}
