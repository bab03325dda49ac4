import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { BookOpen, Building2, Clock, Globe, LogOut, type LucideIcon, Moon, Plus, Sun, UserRound } from 'lucide-react'
import { useMe } from '../session/me.ts'
import { signOut } from '../session/signOut.ts'
import { trpc } from '../trpc.ts'
import { setZone, useZone } from '../ui/zone.ts'
import { NAV } from './nav.ts'
import { chooseTheme } from './theme.ts'
import { useTenant } from './useTenant.ts'

export type Command = {
  id: string
  label: string
  /** Another thing it is found by, shown beside it. */
  also?: string
  icon: LucideIcon
  run: () => void
}

export type CommandGroup = { label: string; items: Command[] }

/** All that the palette finds: pages and sites of the tenant, the other tenants, and what can be done anywhere. */
export function useCommands(): CommandGroup[] {
  const { slug, may } = useTenant()
  const me = useMe()
  const zone = useZone()
  const navigate = useNavigate()
  const sites = useQuery(trpc.sites.list.queryOptions({ tenant: slug, limit: 200 }))

  const pages = NAV.filter(({ permission }) => may(permission)).map(
    ({ to, label, icon }): Command => ({
      id: to,
      label,
      icon,
      run: () => void navigate({ to, params: { tenant: slug } }),
    }),
  )
  const siteCommands = (sites.data?.rows ?? []).map(
    ({ id, name, sitekey }): Command => ({
      id,
      label: name,
      also: sitekey,
      icon: Globe,
      run: () => void navigate({ to: '/o/$tenant/sites/$site', params: { tenant: slug, site: id } }),
    }),
  )
  const tenants = me.tenants
    .filter((tenant) => tenant.slug !== slug)
    .map(
      ({ id, slug, name }): Command => ({
        id,
        label: `Switch to ${name}`,
        icon: Building2,
        run: () => void navigate({ to: '/o/$tenant', params: { tenant: slug } }),
      }),
    )
  const actions: Command[] = [
    ...(may('site.write')
      ? [
          {
            id: 'create-site',
            label: 'Create a site',
            icon: Plus,
            run: () => void navigate({ to: '/o/$tenant/sites', params: { tenant: slug }, search: { create: true } }),
          },
        ]
      : []),
    ...tenants,
    { id: 'light', label: 'Use the light theme', icon: Sun, run: () => chooseTheme('light') },
    { id: 'dark', label: 'Use the dark theme', icon: Moon, run: () => chooseTheme('dark') },
    {
      id: 'zone',
      label: zone === 'utc' ? 'Show times in your zone' : 'Show times in UTC',
      icon: Clock,
      run: () => setZone(zone === 'utc' ? 'local' : 'utc'),
    },
    { id: 'account', label: 'Open your account', icon: UserRound, run: () => void navigate({ to: '/account' }) },
    { id: 'docs', label: 'Read the API docs', icon: BookOpen, run: () => location.assign('/docs') },
    { id: 'sign-out', label: 'Sign out', icon: LogOut, run: () => void signOut() },
  ]
  return [
    { label: 'Pages', items: pages },
    { label: 'Sites', items: siteCommands },
    { label: 'Actions', items: actions },
  ].filter(({ items }) => items.length > 0)
}
