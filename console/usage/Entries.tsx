import { useInfiniteQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Section } from '../ui/Page.tsx'
import { Time } from '../ui/Time.tsx'
import { signed } from './signed.ts'

const listOptions = (tenant: string) =>
  trpc.usage.entries.infiniteQueryOptions({ tenant }, { getNextPageParam: ({ nextCursor }) => nextCursor })

type Entry = inferOutput<typeof trpc.usage.entries>['rows'][number]

const columns: readonly Column<Entry>[] = [
  { header: 'Reason', width: 'wide', cell: ({ reason }) => <span className="font-medium">{reason}</span> },
  { header: 'Units', align: 'right', cell: ({ units }) => signed(units) },
  { header: 'When', align: 'right', cell: ({ createdAt }) => <Time at={createdAt} as="relative" /> },
]

/** What was added to the balance and taken from it by hand. */
export function Entries() {
  const { slug } = useTenant()
  const entries = useInfiniteQuery(listOptions(slug))
  return (
    <Section
      title="Balance entries"
      description="Top-ups and adjustments. The balance is their sum less the verifications that it paid for."
    >
      <DataTable
        label="Balance entries"
        list={entries}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No units were added yet">
            A balance keeps forms open when the plan is used up before the month is. Our support adds units; each entry
            stands here with its reason.
          </EmptyState>
        }
      />
    </Section>
  )
}
