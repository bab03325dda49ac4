import { useQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Section } from '../ui/page/Page.tsx'
import { type Column, DataTable, singlePage } from '../ui/table/DataTable.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { CsvButton } from '../ui/table/Export.tsx'
import { percent, whole } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import { monthName } from './month.ts'
import { signed } from './signed.ts'

type Month = inferOutput<typeof trpc.usage.months>[number]

const columns: readonly Column<Month>[] = [
  { header: 'Month', width: 'wide', cell: ({ month }) => <MonthLink month={month} /> },
  { header: 'Included', align: 'right', cell: ({ included }) => whole(included) },
  { header: 'Used', align: 'right', cell: ({ used }) => whole(used) },
  {
    header: 'Share',
    align: 'right',
    cell: ({ used, included }) => (included === 0 ? '–' : percent(used / included)),
  },
  { header: 'Added to balance', align: 'right', cell: ({ added }) => (added === 0 ? '–' : signed(added)) },
]

/** Usage by month, with links to the statements. */
export function Months() {
  const { slug } = useTenant()
  const months = useQuery(trpc.usage.months.queryOptions({ tenant: slug }))
  const { data } = months
  return (
    <Section
      title="Months"
      description="Months are in UTC. Closed months never change."
      actions={
        <CsvButton
          name={`usage-${slug}`}
          table={() => ({
            head: ['month', 'included', 'used', 'added_to_balance'],
            rows: (data ?? []).map(({ month, included, used, added }) => [month.slice(0, 7), included, used, added]),
          })}
          reason={data?.length ? undefined : 'Nothing to export.'}
        />
      }
    >
      <DataTable
        label="Months"
        list={singlePage(months)}
        columns={columns}
        rowKey={({ month }) => month}
        empty={<EmptyState title="No usage yet">The first completed verification appears here.</EmptyState>}
      />
    </Section>
  )
}

/** A link to the month's statement. */
function MonthLink({ month }: { month: string }) {
  const { slug } = useTenant()
  return (
    <Link to="/o/$tenant/usage/$month" params={{ tenant: slug, month: month.slice(0, 7) }}>
      {monthName(month)}
    </Link>
  )
}
