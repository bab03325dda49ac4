import { EmptyState } from '../ui/table/EmptyState.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { percent, whole } from '../ui/text/format.ts'
import { type SiteUnits as Row, type StatementData, unitsBySite } from './api.ts'

type SharedRow = Row & { share: number }

const SITE = column<SharedRow>('Site', ({ name }) => <span className="font-medium">{name}</span>, { width: 'wide' })
const SOURCES = [
  column<SharedRow>('From the quota', ({ quota }) => whole(quota), { align: 'right' }),
  column<SharedRow>('From the balance', ({ balance }) => whole(balance), { align: 'right' }),
]
const SUMS = [
  column<SharedRow>('Units', ({ units }) => whole(units), { align: 'right' }),
  column<SharedRow>('Share', ({ share }) => percent(share), { align: 'right' }),
]

const FROM_QUOTA: readonly Column<SharedRow>[] = [SITE, ...SUMS]
const FROM_BOTH: readonly Column<SharedRow>[] = [SITE, ...SOURCES, ...SUMS]

/** The month's units by site, and what they were charged to unless all came from the quota. */
export function SiteUnits({ statement }: { statement: StatementData | undefined }) {
  const rows = statement && unitsBySite(statement)
  const all = rows?.reduce((sum, { units }) => sum + units, 0) ?? 0
  const data = rows?.map((row) => ({ ...row, share: all === 0 ? 0 : row.units / all }))
  return (
    <Table
      label="Units by site"
      list={{ data, error: null, isFetching: !data, refetch: () => undefined }}
      columns={rows?.some(({ balance }) => balance !== 0) ? FROM_BOTH : FROM_QUOTA}
      rowKey={({ site }) => site}
      empty={
        <EmptyState title="No units used">
          Each completed verification is one unit and appears here within seconds.
        </EmptyState>
      }
    />
  )
}
