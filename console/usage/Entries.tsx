import { useInfiniteQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Section } from '../ui/page/Page.tsx'
import { type Column, DataTable } from '../ui/table/DataTable.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { Time } from '../ui/text/Time.tsx'
import { signed } from './signed.ts'

const listOptions = (tenant: string) =>
  trpc.usage.entries.infiniteQueryOptions({ tenant }, { getNextPageParam: ({ nextCursor }) => nextCursor })

type Entry = inferOutput<typeof trpc.usage.entries>['rows'][number]

const columns: readonly Column<Entry>[] = [
  { header: 'Reason', width: 'wide', cell: ({ reason }) => <span className="font-medium">{reason}</span> },
  { header: 'Units', align: 'right', cell: ({ units }) => signed(units) },
  { header: 'When', align: 'right', cell: ({ createdAt }) => <Time at={createdAt} as="relative" /> },
]

/** Manual changes of the balance. */
export function Entries() {
  const { slug } = useTenant()
  const entries = useInfiniteQuery(listOptions(slug))
  return (
    <Section title="Balance entries" description="Top-ups and adjustments. Balance = entries − units used.">
      <DataTable
        label="Balance entries"
        list={entries}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No balance entries yet">
            The balance is used when the monthly plan is used up. Contact support to add units. Each entry is listed
            here with its reason.
          </EmptyState>
        }
      />
    </Section>
  )
}
