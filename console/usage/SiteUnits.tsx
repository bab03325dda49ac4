import { EmptyState } from '../ui/table/EmptyState.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { percent, whole } from '../ui/text/format.ts'
import { type SiteUnits as Row, type StatementData, unitsBySite } from './api.ts'

const columns: readonly Column<Row & { share: number }>[] = [
  column('Site', ({ name }) => <span className="font-medium">{name}</span>, { width: 'wide' }),
  column('From the quota', ({ quota }) => whole(quota), { align: 'right' }),
  column('From the balance', ({ balance }) => whole(balance), { align: 'right' }),
  column('Units', ({ units }) => whole(units), { align: 'right' }),
  column('Share', ({ share }) => percent(share), { align: 'right' }),
]

/** The month's units by site. */
export function SiteUnits({ statement }: { statement: StatementData | undefined }) {
  const rows = statement && unitsBySite(statement)
  const all = rows?.reduce((sum, { units }) => sum + units, 0) ?? 0
  const data = rows?.map((row) => ({ ...row, share: all === 0 ? 0 : row.units / all }))
  return (
    <Table
      label="Units by site"
      list={{ data, error: null, isFetching: !data, refetch: () => undefined }}
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
