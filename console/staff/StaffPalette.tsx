import { useNavigate } from '@tanstack/react-router'
import { Building2, Search } from 'lucide-react'
import { useState } from 'react'
import { type Command, CommandPalette } from '../frame/CommandPalette.tsx'
import { useRecentPages } from '../frame/recentPages.ts'
import { useCommonCommands, useStaffCommands } from '../frame/useCommonCommands.ts'
import { useMe } from '../session/me.ts'
import { linkToOnly, maybeSecret, search } from './api.ts'

/** The command palette of the staff pages. */
export function StaffPalette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const pages = useStaffCommands(true)
  const recent = useRecentPages('/staff', 'Staff')
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
  const q = text.trim()
  const open = async (q: string) => {
    if (maybeSecret(q)) return navigate({ to: '/staff', search: {} })
    // an error is shown by the page, which searches again
    const target = await search(q).then(linkToOnly, () => null)
    return navigate(target ?? { to: '/staff', search: { q } })
  }
  // each search is recorded, so it is not made while someone types; a secret must not get into an address
  const searches: Command[] =
    q === ''
      ? []
      : [
          {
            id: 'search',
            label: maybeSecret(q) ? 'Search for a secret' : `Search all tenants for “${q}”`,
            icon: Search,
            found: true,
            run: () => void open(q),
          },
        ]
  const groups = [
    { label: 'Recent', items: q === '' ? recent : [] },
    { label: 'Pages', items: pages },
    { label: 'Actions', items: [...tenants, ...actions] },
    { label: 'Search', items: searches },
  ].filter(({ items }) => items.length > 0)
  return <CommandPalette groups={groups} onText={setText} onClose={onClose} />
}
