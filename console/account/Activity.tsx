import { useQuery } from '@tanstack/react-query'
import { trpc } from '../trpc.ts'
import { Section } from '../ui/page/Page.tsx'
import { type Column, DataTable, singlePage } from '../ui/table/DataTable.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { Time } from '../ui/text/Time.tsx'
import { ACTIVITY, browserOf, type Activity as Event } from './words.ts'

const columns: readonly Column<Event>[] = [
  { header: 'Event', width: 'wide', cell: ({ action }) => ACTIVITY[action] },
  { header: 'Browser', cell: ({ userAgent }) => <span title={userAgent}>{browserOf(userAgent)}</span> },
  {
    header: 'Network',
    cell: ({ network }) => <span className="font-mono text-12">{network ?? 'unknown'}</span>,
  },
  { header: 'Time', align: 'right', cell: ({ at }) => <Time at={at} as="relative" /> },
]

/** The person's own sign-ins and changes of how they sign in. */
export function Activity() {
  const activity = useQuery(trpc.session.activity.queryOptions())
  return (
    <Section
      title="Recent activity"
      description="Sign-ins and changes of how you sign in. If one was not you, change your password."
    >
      <DataTable
        label="Recent activity"
        list={singlePage(activity)}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<EmptyState title="No activity yet">Your next sign-in appears here.</EmptyState>}
      />
    </Section>
  )
}
