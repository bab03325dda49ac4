import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Role } from '../../server/contract/permissions.ts'
import { useTenant } from '../frame/useTenant.ts'
import { queryClient, trpc } from '../trpc.ts'
import { FormDialog } from '../ui/form/FormSheet.tsx'
import { RadioGroup } from '../ui/form/RadioGroup.tsx'
import { toast } from '../ui/overlay/toast.ts'
import type { Member } from './Members.tsx'
import { roleOptions } from './roleOptions.ts'
import { ROLE_WORDS } from './words.ts'

/** The dialog that changes a member's role. */
export function ChangeRole({ member, onClose }: { member: Member; onClose: () => void }) {
  const { slug, role: own } = useTenant()
  const [role, setRole] = useState<Role>(member.role)
  const changed = (role: Role) => `${member.name} is now ${ROLE_WORDS[role].label}`
  const back = useMutation(
    trpc.members.changeRole.mutationOptions({
      onSuccess: async ({ role }) => {
        toast(changed(role))
        await reload()
      },
    }),
  )
  const change = useMutation(
    trpc.members.changeRole.mutationOptions({
      meta: { inline: true },
      onSuccess: async ({ role }) => {
        onClose()
        toast(changed(role), { undo: () => back.mutate({ tenant: slug, member: member.id, role: member.role }) })
        await reload()
      },
    }),
  )
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Role of ${member.name}`}
      description={`${member.email} is ${ROLE_WORDS[member.role].label}. A change takes effect now and signs them out.`}
      submit="Change role"
      busy={change.isPending}
      error={change.error}
      reason={role === member.role ? 'They already have this role.' : undefined}
      onSubmit={(event) => {
        event.preventDefault()
        if (role !== member.role) change.mutate({ tenant: slug, member: member.id, role })
      }}
    >
      <RadioGroup label="Role" value={role} onChange={setRole} options={roleOptions(own)} />
    </FormDialog>
  )
}

const reload = () => queryClient.invalidateQueries(trpc.members.list.pathFilter())
