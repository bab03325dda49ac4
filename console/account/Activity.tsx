import { useQuery } from '@tanstack/react-query'
import { useMe } from '../session/me.ts'
import { trpc } from '../trpc.ts'
import { Section } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { Time } from '../ui/text/Time.tsx'
import { ACTIVITY, browserOf, type Activity as Event } from './words.ts'

const columns: readonly Column<Event>[] = [
  column('Event', ({ action }) => ACTIVITY[action], { width: 'wide' }),
  column('Browser', ({ userAgent }) => <span title={userAgent}>{browserOf(userAgent)}</span>),
  column('Network', ({ network }) => <span className="font-mono text-12">{network ?? 'unknown'}</span>),
  column('Time', ({ at }) => <Time at={at} as="relative" />, { align: 'right' }),
]

/** The person's own sign-ins and changes of how they sign in. */
export function Activity() {
  const { hasPassword } = useMe()
  const activity = useQuery(trpc.session.activity.queryOptions())
  return (
    <Section
      title="Recent activity"
      description={`Sign-ins and changes of how you sign in. If one was not you, ${hasPassword ? 'change your password' : 'sign out everywhere else'}.`}
    >
      <Table
        label="Recent activity"
        list={activity}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<EmptyState title="No activity yet">Your next sign-in appears here.</EmptyState>}
      />
    </Section>
  )
}
