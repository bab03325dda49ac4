import { useMutation } from '@tanstack/react-query'
import { useTenant } from '../frame/useTenant.ts'
import { refreshMe } from '../session/me.ts'
import { queryClient, trpc } from '../trpc.ts'
import { FormDialog } from '../ui/FormSheet.tsx'
import { toast } from '../ui/toast.ts'
import type { Member } from './Members.tsx'

/** Gives the ownership away. Takes a fresh sign-in. */
export function Transfer({ member, onClose }: { member: Member; onClose: () => void }) {
  const { slug, name } = useTenant()
  const transfer = useMutation(
    trpc.members.transfer.mutationOptions({
      meta: { inline: true },
      onSuccess: async () => {
        onClose()
        toast(`${member.name} owns ${name} now`, { description: 'You are Admin.' })
        await Promise.all([refreshMe(), queryClient.invalidateQueries(trpc.members.list.pathFilter())])
      },
    }),
  )
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Transfer ${name} to ${member.name}?`}
      submit="Transfer ownership"
      danger
      busy={transfer.isPending}
      error={transfer.error}
      onSubmit={(event) => {
        event.preventDefault()
        transfer.mutate({ tenant: slug, member: member.id })
      }}
    >
      <ul className="grid list-disc gap-1.5 pl-4 text-13 text-ink-2">
        <li>{member.email} becomes Owner, after signing in again, and may do everything, also remove you.</li>
        <li>You become Admin: the tenant’s settings, its transfer and its deletion are theirs then.</li>
        <li>You cannot take it back: only {member.name} can.</li>
      </ul>
    </FormDialog>
  )
}
