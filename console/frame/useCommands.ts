import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Building2, Globe, Plus } from 'lucide-react'
import { useMe } from '../session/me.ts'
import { trpc } from '../trpc.ts'
import { type Command, type CommandGroup, useCommonCommands, useStaffCommands } from './commands.ts'
import { NAV } from './nav.ts'
import { useTenant } from './useTenant.ts'

/** The commands of the palette: pages, sites, other tenants and actions. */
export function useCommands(): CommandGroup[] {
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
    ...common,
  ]
  return [
    { label: 'Pages', items: pages },
    { label: 'Sites', items: siteCommands },
    { label: 'Actions', items: actions },
    { label: 'Staff', items: staff },
  ].filter(({ items }) => items.length > 0)
}
