import { type Column, DataTable, singlePage } from '../ui/table/DataTable.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { percent, whole } from '../ui/text/format.ts'
import { type SiteUnits as Row, type StatementData, unitsBySite } from './api.ts'

const columns: readonly Column<Row & { share: number }>[] = [
  { header: 'Site', width: 'wide', cell: ({ name }) => <span className="font-medium">{name}</span> },
  { header: 'From the plan', align: 'right', cell: ({ quota }) => whole(quota) },
  { header: 'From the balance', align: 'right', cell: ({ balance }) => whole(balance) },
  { header: 'Units', align: 'right', cell: ({ units }) => whole(units) },
  { header: 'Share', align: 'right', cell: ({ share }) => percent(share) },
]

/** The month's units by site. */
export function SiteUnits({ statement }: { statement: StatementData | undefined }) {
  const rows = statement && unitsBySite(statement)
  const all = rows?.reduce((sum, { units }) => sum + units, 0) ?? 0
  const data = rows?.map((row) => ({ ...row, share: all === 0 ? 0 : row.units / all }))
  return (
    <DataTable
      label="Units by site"
      list={singlePage({ data, error: null, isFetching: !data, refetch: () => undefined })}
      columns={columns}
      rowKey={({ site }) => site}
      empty={
        <EmptyState title="No units used">
          Each completed verification is one unit and appears here within seconds.
        </EmptyState>
      }
    />
  )
}
