import { useMutation } from '@tanstack/react-query'
import { useTenant } from '../frame/useTenant.ts'
import { refreshMe } from '../session/me.ts'
import { queryClient, trpc } from '../trpc.ts'
import { FormDialog } from '../ui/form/FormSheet.tsx'
import { toast } from '../ui/overlay/toast.ts'
import type { Member } from './Members.tsx'

/** The dialog that transfers ownership. Requires a recent sign-in. */
export function Transfer({ member, onClose }: { member: Member; onClose: () => void }) {
  const { slug, name } = useTenant()
  const transfer = useMutation(
    trpc.members.transfer.mutationOptions({
      meta: { inline: true },
      onSuccess: async () => {
        onClose()
        toast(`${member.name} now owns ${name}`, { description: 'You are now Admin.' })
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
        <li>{member.email} becomes Owner after signing in again, and can do everything, including removing you.</li>
        <li>You become Admin and can no longer change, transfer or delete the tenant.</li>
        <li>You can’t undo this. Only {member.name} can transfer ownership back.</li>
      </ul>
    </FormDialog>
  )
}
