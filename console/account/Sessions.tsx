import { useMutation, useQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { queryClient, trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Section } from '../ui/page/Page.tsx'
import { type Column, DataTable } from '../ui/table/DataTable.tsx'
import { listingOf } from '../ui/table/listing.ts'
import { counted } from '../ui/text/number.ts'
import { Pill } from '../ui/text/Pill.tsx'
import { Time } from '../ui/text/Time.tsx'
import { browserOf } from './browserOf.ts'

type Session = inferOutput<typeof trpc.session.list>[number]

const columns: readonly Column<Session>[] = [
  {
    header: 'Browser',
    width: 'wide',
    cell: ({ userAgent }) => <span title={userAgent}>{browserOf(userAgent)}</span>,
  },
  { header: 'Signed in', cell: ({ createdAt }) => <Time at={createdAt} as="relative" /> },
  { header: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} as="relative" /> },
  {
    header: 'Action',
    hidden: true,
    align: 'right',
    cell: (session) => (session.current ? <Pill tone="pass">This browser</Pill> : <End session={session} />),
  },
]

/** The sessions of the person who is signed in. */
export function Sessions() {
  const sessions = useQuery(trpc.session.list.queryOptions())
  const endOthers = useMutation(
    trpc.session.revokeOthers.mutationOptions({
      onSuccess: async ({ ended }) => {
        toast(`Signed out of ${counted(ended, 'session')}`)
        await reload()
      },
    }),
  )
  const others = sessions.data?.filter(({ current }) => !current).length ?? 0
  return (
    <Section
      title="Sessions"
      description="Browsers that are signed in to your account."
      actions={
        <Button
          busy={endOthers.isPending}
          reason={others === 0 ? 'You are not signed in anywhere else.' : undefined}
          onClick={() => endOthers.mutate()}
        >
          Sign out everywhere else
        </Button>
      }
    >
      <DataTable label="Sessions" list={listingOf(sessions)} columns={columns} rowKey={({ id }) => id} empty={null} />
    </Section>
  )
}

function End({ session: { id, userAgent } }: { session: Session }) {
  const end = useMutation(
    trpc.session.revoke.mutationOptions({
      onSuccess: async () => {
        toast('Signed out of the session')
        await reload()
      },
    }),
  )
  return (
    <Button
      size="small"
      busy={end.isPending}
      onClick={() => end.mutate({ id })}
      aria-label={`Sign out of the session in ${browserOf(userAgent)}`}
    >
      End
    </Button>
  )
}

const reload = () => queryClient.invalidateQueries(trpc.session.list.pathFilter())
