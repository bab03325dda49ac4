import { MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { reaches } from '../../server/contract/permissions.ts'
import { useTenant } from '../frame/useTenant.ts'
import { IconButton } from '../ui/form/IconButton.tsx'
import { Menu, MenuItem, MenuSeparator } from '../ui/overlay/Menu.tsx'
import { ChangeRole } from './ChangeRole.tsx'
import { Leave } from './Leave.tsx'
import type { Member } from './Members.tsx'
import { Remove } from './Remove.tsx'
import { Transfer } from './Transfer.tsx'
import { ROLE_WORDS } from './words.ts'

type Open = 'role' | 'transfer' | 'remove' | null

/** The actions for one member. For oneself: leaving. Empty without permission. */
export function MemberActions({ member }: { member: Member }) {
  const { role, may } = useTenant()
  const [open, setOpen] = useState<Open>(null)
  if (member.self) return <Leave member={member} />
  if (!may('member.write')) return null

  const beyond = reaches(role, member.role)
    ? undefined
    : `Needs ${ROLE_WORDS[member.role].label}. You are ${ROLE_WORDS[role].label}.`
  const close = () => setOpen(null)
  return (
    <>
      <Menu trigger={<IconButton icon={MoreHorizontal} label={`Actions for ${member.name}`} />}>
        <MenuItem reason={beyond} onClick={() => setOpen('role')}>
          Change role…
        </MenuItem>
        {may('tenant.transfer') && <MenuItem onClick={() => setOpen('transfer')}>Transfer ownership…</MenuItem>}
        <MenuSeparator />
        <MenuItem danger reason={beyond} onClick={() => setOpen('remove')}>
          Remove…
        </MenuItem>
      </Menu>
      {open === 'role' && <ChangeRole member={member} onClose={close} />}
      {open === 'transfer' && <Transfer member={member} onClose={close} />}
      {open === 'remove' && <Remove member={member} onClose={close} />}
    </>
  )
}
