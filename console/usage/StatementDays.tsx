import { Section } from '../ui/page/Page.tsx'
import { type Column, DataTable, singlePage } from '../ui/table/DataTable.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { whole } from '../ui/text/format.ts'
import type { Statement } from './useStatement.ts'

type Line = Statement['lines'][number]

const columns: readonly Column<Line>[] = [
  { header: 'Day', cell: ({ day }) => <span className="font-medium">{day}</span> },
  { header: 'Site', width: 'wide', cell: ({ name }) => name ?? 'Deleted site' },
  { header: 'From the plan', align: 'right', cell: ({ quota }) => whole(quota) },
  { header: 'From the balance', align: 'right', cell: ({ balance }) => whole(balance) },
]

/** The lines of a statement. */
export function StatementDays({ statement }: { statement: Statement | undefined }) {
  const data = statement?.lines
  return (
    <Section title="By day and site">
      <DataTable
        label="Units by day and site"
        list={singlePage({ data, error: null, isFetching: !data, refetch: () => undefined })}
        columns={columns}
        rowKey={({ day, site }) => `${day} ${site}`}
        empty={<EmptyState title="No units used">No completed verifications in this month.</EmptyState>}
      />
    </Section>
  )
}
