import { useMutation } from '@tanstack/react-query'
import { MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { type Role, reaches } from '../../server/contract/permissions.ts'
import { useTenant } from '../frame/useTenant.ts'
import { useAfterLeaving } from '../session/home.ts'
import { refreshMe } from '../session/me.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { FormDialog } from '../ui/form/FormSheet.tsx'
import { IconButton } from '../ui/form/IconButton.tsx'
import { RadioGroup } from '../ui/form/RadioGroup.tsx'
import { Menu, MenuItem, MenuSeparator } from '../ui/overlay/Menu.tsx'
import { toast } from '../ui/overlay/toast.ts'
import type { Member } from './api.ts'
import { RolesLink } from './RolesMatrix.tsx'
import { ROLE_WORDS, roleOptions } from './words.ts'

type OpenDialog = 'role' | 'transfer' | 'remove' | null

/** The actions for a member, or the button to leave for the person themselves. Empty without permission. */
export function MemberActions({ member }: { member: Member }) {
  const { role, may } = useTenant()
  const [open, setOpen] = useState<OpenDialog>(null)
  if (member.self) return <LeaveButton member={member} />
  if (!may('member.write')) return null

  const missingRole = reaches(role, member.role)
    ? undefined
    : `Needs ${ROLE_WORDS[member.role].label}. You are ${ROLE_WORDS[role].label}.`
  const close = () => setOpen(null)
  return (
    <>
      <Menu trigger={<IconButton icon={MoreHorizontal} label={`Actions for ${member.name}`} />}>
        <MenuItem reason={missingRole} onClick={() => setOpen('role')}>
          Change role…
        </MenuItem>
        {may('tenant.transfer') && <MenuItem onClick={() => setOpen('transfer')}>Transfer ownership…</MenuItem>}
        <MenuSeparator />
        <MenuItem danger reason={missingRole} onClick={() => setOpen('remove')}>
          Remove…
        </MenuItem>
      </Menu>
      {open === 'role' && <ChangeRoleDialog member={member} onClose={close} />}
      {open === 'transfer' && <TransferDialog member={member} onClose={close} />}
      {open === 'remove' && <RemoveDialog member={member} onClose={close} />}
    </>
  )
}

/** The dialog that changes a member's role. */
function ChangeRoleDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { slug, role: own } = useTenant()
  const [role, setRole] = useState<Role>(member.role)
  const message = (role: Role) => `${member.name} is now ${ROLE_WORDS[role].label}`
  const undo = useMutation(
    trpc.members.changeRole.mutationOptions({
      onSuccess: ({ role }) => toast(message(role)),
    }),
  )
  const change = useMutation(
    trpc.members.changeRole.mutationOptions({
      meta: { inline: true },
      onSuccess: ({ role }) => {
        onClose()
        toast(message(role), { undo: () => undo.mutate({ tenant: slug, member: member.id, role: member.role }) })
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
      mutation={change}
      reason={role === member.role ? 'They already have this role.' : undefined}
      onSubmit={() => change.mutate({ tenant: slug, member: member.id, role })}
    >
      <RadioGroup label="Role" value={role} onChange={setRole} options={roleOptions(own)} />
      <RolesLink />
    </FormDialog>
  )
}

/** The dialog that transfers ownership. Requires a recent sign-in. */
function TransferDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { slug, name } = useTenant()
  const transfer = useMutation(
    trpc.members.transfer.mutationOptions({
      meta: { inline: true },
      onSuccess: async () => {
        onClose()
        toast(`${member.name} now owns ${name}`, { description: 'You are now Admin.' })
        await refreshMe()
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
      mutation={transfer}
      onSubmit={() => transfer.mutate({ tenant: slug, member: member.id })}
    >
      <ul className="grid list-disc gap-1.5 pl-4 text-13 text-ink-2">
        <li>{member.email} becomes Owner after signing in again, and can do everything, including removing you.</li>
        <li>You become Admin and can no longer change, transfer or delete the tenant.</li>
        <li>You can’t undo this. Only {member.name} can transfer ownership back.</li>
      </ul>
    </FormDialog>
  )
}

/** The dialog that removes a member. */
function RemoveDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { slug, name } = useTenant()
  const remove = useMutation(
    trpc.members.remove.mutationOptions({
      meta: { inline: true },
      onSuccess: () => {
        onClose()
        toast(`${member.name} was removed from ${name}`)
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
      mutation={remove}
      onSubmit={() => remove.mutate({ tenant: slug, member: member.id })}
    >
      <p className="text-13 text-ink-2">
        {member.email} loses access immediately and needs a new invitation to return. What they created stays. Secret
        keys that they know keep working: rotate them.
      </p>
    </FormDialog>
  )
}

/** The button that ends one's own membership. */
function LeaveButton({ member }: { member: Member }) {
  const { slug, name } = useTenant()
  const [confirming, setConfirming] = useState(false)
  const afterLeaving = useAfterLeaving(slug)
  const leave = useMutation(
    trpc.members.leave.mutationOptions({
      meta: { inline: true },
      onSuccess: async () => {
        toast(`You left ${name}`)
        await afterLeaving()
      },
    }),
  )
  return (
    <>
      <Button
        size="small"
        onClick={() => setConfirming(true)}
        reason={member.lastOwner ? 'You are the last owner. Transfer ownership to another member first.' : undefined}
      >
        Leave
      </Button>
      <FormDialog
        open={confirming}
        onClose={() => setConfirming(false)}
        title={`Leave ${name}?`}
        submit="Leave"
        danger
        mutation={leave}
        onSubmit={() => leave.mutate({ tenant: slug })}
      >
        <p className="text-13 text-ink-2">
          You’ll lose access immediately and need a new invitation to return. What you created stays.
        </p>
      </FormDialog>
    </>
  )
}
