import { useQuery } from '@tanstack/react-query'
import { type LinkProps, useNavigate } from '@tanstack/react-router'
import { Building2, Globe, Plus, UserRound } from 'lucide-react'
import { useState } from 'react'
import type { Permission } from '../../server/contract/permissions.ts'
import { useMe } from '../session/me.ts'
import { trpc } from '../trpc.ts'
import { type Command, type CommandGroup, CommandPalette } from './CommandPalette.tsx'
import { NAV } from './nav.ts'
import { useCommonCommands, useStaffCommands } from './useCommonCommands.ts'
import { useFound } from './useFound.ts'
import { useTenant } from './useTenant.ts'

/** The command palette on a tenant's pages. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const found = useFound(text.trim())
  // an empty list is not filtered
  const commands = useCommands().map(({ label, items }) => ({
    label,
    items: items.filter(({ deep }) => !deep || text !== ''),
  }))
  const groups = [{ label: 'Found', items: found }, ...commands].filter(({ items }) => items.length > 0)
  return <CommandPalette groups={groups} onText={setText} onClose={onClose} />
}

/** The commands of the palette: pages, sites, other tenants and actions. */
function useCommands(): CommandGroup[] {
  const { slug, may } = useTenant()
  const me = useMe()
  const common = useCommonCommands()
  const staff = useStaffCommands()
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
  const members = useQuery(trpc.members.list.queryOptions({ tenant: slug, limit: 200 }))
  const siteCommands = (sites.data?.rows ?? []).flatMap(({ id, name, sitekey }): Command[] => [
    {
      id,
      label: name,
      also: sitekey,
      icon: Globe,
      run: () => void navigate({ to: '/o/$tenant/sites/$site', params: { tenant: slug, site: id } }),
    },
    ...SITE_PAGES.filter(({ permission }) => may(permission)).map(({ to, label, permission }) => ({
      id: `${id}-${permission}`,
      label: `${name}: ${label}`,
      icon: Globe,
      deep: true as const,
      run: () => void navigate({ to, params: { tenant: slug, site: id } }),
    })),
  ])
  const people = (members.data?.rows ?? []).map(
    ({ id, name, email }): Command => ({
      id,
      label: name,
      also: email,
      icon: UserRound,
      deep: true,
      run: () => void navigate({ to: '/o/$tenant/members', params: { tenant: slug } }),
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
    ...(may('member.write')
      ? [
          {
            id: 'invite',
            label: 'Invite a member',
            icon: Plus,
            run: () => void navigate({ to: '/o/$tenant/members', params: { tenant: slug }, search: { invite: true } }),
          },
        ]
      : []),
    ...tenants,
    ...common,
  ]
  return [
    { label: 'Pages', items: pages },
    { label: 'Sites', items: siteCommands },
    { label: 'Members', items: people },
    { label: 'Actions', items: actions },
    { label: 'Staff', items: staff },
  ].filter(({ items }) => items.length > 0)
}

const SITE_PAGES = [
  { to: '/o/$tenant/sites/$site/keys', label: 'Keys', permission: 'secret.read' },
  { to: '/o/$tenant/sites/$site/hostnames', label: 'Hostnames', permission: 'hostname.read' },
  { to: '/o/$tenant/sites/$site/integrate', label: 'Integrate', permission: 'integration.read' },
  { to: '/o/$tenant/sites/$site/settings', label: 'Settings', permission: 'settings.read' },
] as const satisfies readonly { to: LinkProps['to']; label: string; permission: Permission }[]
