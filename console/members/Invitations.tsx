import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { reaches } from '../../server/contract/permissions.ts'
import { useTenant } from '../frame/useTenant.ts'
import { queryClient, trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Section } from '../ui/page/Page.tsx'
import { type Column, DataTable } from '../ui/table/DataTable.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { Time } from '../ui/text/Time.tsx'
import { ROLE_WORDS } from './words.ts'

const listOptions = (tenant: string) =>
  trpc.members.invitations.infiniteQueryOptions({ tenant }, { getNextPageParam: ({ nextCursor }) => nextCursor })

type Invitation = inferOutput<typeof trpc.members.invitations>['rows'][number]

const columns: readonly Column<Invitation>[] = [
  { header: 'E-mail', width: 'wide', cell: ({ email }) => <span className="font-medium">{email}</span> },
  { header: 'Role', cell: ({ role }) => ROLE_WORDS[role].label },
  { header: 'Invited by', cell: ({ inviter }) => inviter },
  { header: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} as="relative" /> },
  { header: 'Actions', hidden: true, align: 'right', cell: (invitation) => <Revoke invitation={invitation} /> },
]

/** Invitations that have not been accepted yet. */
export function Invitations() {
  const { slug } = useTenant()
  const invitations = useInfiniteQuery(listOptions(slug))
  return (
    <Section
      title="Open invitations"
      description="Each can be used once, within 72 hours, by the address it was sent to."
    >
      <DataTable
        label="Open invitations"
        list={invitations}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<EmptyState title="No open invitations">People you invite are listed here until they join.</EmptyState>}
      />
    </Section>
  )
}

function Revoke({ invitation: { id, email, role } }: { invitation: Invitation }) {
  const tenant = useTenant()
  const again = useMutation(
    trpc.members.invite.mutationOptions({
      onSuccess: async () => {
        toast(`Invited ${email} again`, { description: 'They received a new e-mail. The old link no longer works.' })
        await reload()
      },
    }),
  )
  const revoke = useMutation(
    trpc.members.revokeInvitation.mutationOptions({
      onSuccess: async () => {
        toast(`Invitation for ${email} revoked`, {
          description: 'Undo sends a new invitation.',
          ...(reaches(tenant.role, role) && { undo: () => again.mutate({ tenant: tenant.slug, email, role }) }),
        })
        await reload()
      },
    }),
  )
  if (!tenant.may('member.write')) return null
  return (
    <Button
      size="small"
      busy={revoke.isPending}
      onClick={() => revoke.mutate({ tenant: tenant.slug, id })}
      aria-label={`Revoke the invitation for ${email}`}
    >
      Revoke
    </Button>
  )
}

const reload = () => queryClient.invalidateQueries(trpc.members.invitations.pathFilter())
