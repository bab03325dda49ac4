import { useNavigate } from '@tanstack/react-router'
import { BookOpen, Clock, Keyboard, KeyRound, LogOut, Moon, Sun, UserRound } from 'lucide-react'
import { signOut, useMe } from '../session/me.ts'
import { hasStaffLevel, STAFF_NAV } from '../staff/nav.ts'
import { setZone, useZone } from '../ui/text/zone.ts'
import type { Command } from './CommandPalette.tsx'
import { useDocsUrl } from './deployment.ts'
import { showShortcuts } from './shortcuts.ts'
import { chooseTheme } from './theme.ts'

/** Commands that every page has. */
export function useCommonCommands(): Command[] {
  const docsUrl = useDocsUrl()
  const zone = useZone()
  const navigate = useNavigate()
  return [
    { id: 'light', label: 'Use the light theme', icon: Sun, run: () => chooseTheme('light') },
    { id: 'dark', label: 'Use the dark theme', icon: Moon, run: () => chooseTheme('dark') },
    {
      id: 'zone',
      label: zone === 'utc' ? 'Show local times' : 'Show times in UTC',
      icon: Clock,
      run: () => setZone(zone === 'utc' ? 'local' : 'utc'),
    },
    {
      id: 'two-factor',
      label: 'Two-factor authentication and passkeys of your account',
      also: '2FA',
      icon: KeyRound,
      run: () => void navigate({ to: '/account', hash: 'two-factor' }),
    },
    { id: 'account', label: 'Go to your account', icon: UserRound, run: () => void navigate({ to: '/account' }) },
    ...(docsUrl === null
      ? []
      : [
          { id: 'docs', label: 'Read the docs', icon: BookOpen, run: () => location.assign(`${docsUrl}/quick-start`) },
          {
            id: 'glossary',
            label: 'Look up a word in the glossary',
            icon: BookOpen,
            run: () => location.assign(`${docsUrl}/glossary`),
          },
          { id: 'api', label: 'Read the API reference', icon: BookOpen, run: () => location.assign(`${docsUrl}/api`) },
        ]),
    { id: 'shortcuts', label: 'Show keyboard shortcuts', icon: Keyboard, keys: '?', run: showShortcuts },
    { id: 'sign-out', label: 'Sign out', icon: LogOut, run: () => void signOut() },
  ]
}

/** The staff pages; none for others. `keyed`: with their shortcuts, which only the staff pages have. */
export function useStaffCommands(keyed = false): Command[] {
  const { staff } = useMe()
  const navigate = useNavigate()
  return STAFF_NAV.filter(({ level }) => hasStaffLevel(staff, level)).map(({ to, label, icon, key }) => ({
    id: to,
    label: `Staff: ${label}`,
    icon,
    ...(keyed && { keys: `g ${key}` }),
    run: () => void navigate({ to }),
  }))
}
