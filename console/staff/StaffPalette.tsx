import { useNavigate } from '@tanstack/react-router'
import { Building2 } from 'lucide-react'
import { type Command, CommandPalette } from '../frame/CommandPalette.tsx'
import { useCommonCommands, useStaffCommands } from '../frame/useCommonCommands.ts'
import { useMe } from '../session/me.ts'

/** The command palette of the staff pages. */
export function StaffPalette({ onClose }: { onClose: () => void }) {
  const pages = useStaffCommands()
  const actions = useCommonCommands()
  const me = useMe()
  const navigate = useNavigate()
  const tenants = me.tenants.map(
    ({ id, slug, name }): Command => ({
      id,
      label: `Switch to ${name}`,
      icon: Building2,
      run: () => void navigate({ to: '/o/$tenant', params: { tenant: slug } }),
    }),
  )
  const groups = [
    { label: 'Pages', items: pages },
    { label: 'Actions', items: [...tenants, ...actions] },
  ]
  return <CommandPalette groups={groups} onClose={onClose} />
}
