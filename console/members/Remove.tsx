import { useMutation } from '@tanstack/react-query'
import { useTenant } from '../frame/useTenant.ts'
import { queryClient, trpc } from '../trpc.ts'
import { FormDialog } from '../ui/form/FormSheet.tsx'
import { toast } from '../ui/overlay/toast.ts'
import type { Member } from './Members.tsx'

/** The dialog that removes a member. */
export function Remove({ member, onClose }: { member: Member; onClose: () => void }) {
  const { slug, name } = useTenant()
  const remove = useMutation(
    trpc.members.remove.mutationOptions({
      meta: { inline: true },
      onSuccess: async () => {
        onClose()
        toast(`${member.name} was removed from ${name}`)
        await queryClient.invalidateQueries(trpc.members.list.pathFilter())
      },
    }),
  )
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Remove ${member.name}?`}
      submit="Remove"
      danger
      busy={remove.isPending}
      error={remove.error}
      onSubmit={(event) => {
        event.preventDefault()
        remove.mutate({ tenant: slug, member: member.id })
      }}
    >
      <p className="text-13 text-ink-2">
        {member.email} loses access immediately and needs a new invitation to return. What they created stays. Secret
        keys that they know keep working: rotate them.
      </p>
    </FormDialog>
  )
}
