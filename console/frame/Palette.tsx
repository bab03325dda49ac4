import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Building2, Copy, Gauge, Globe, Mail, Plus, Siren, UserRound } from 'lucide-react'
import { useState } from 'react'
import type { Permission } from '../../server/contract/permissions.ts'
import { titleOf } from '../incidents/title.ts'
import { summaryOptions } from '../overview/api.ts'
import type { Asked } from '../routes/search.ts'
import { useMe } from '../session/me.ts'
import { trpc } from '../trpc.ts'
import { toast } from '../ui/overlay/toast.ts'
import { type Command, type CommandGroup, CommandPalette } from './CommandPalette.tsx'
import { offeredPages, SETTINGS_PAGES } from './nav.ts'
import { useRecentPages } from './recentPages.ts'
import { useCommonCommands, useStaffCommands } from './useCommonCommands.ts'
import { useDocsHeadings } from './useDocsHeadings.ts'
import { useFound } from './useFound.ts'
import { useTenant } from './useTenant.ts'

/** The command palette on a tenant's pages. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { slug, name } = useTenant()
  const [text, setText] = useState('')
  const { found, searching } = useFound(text.trim())
  // an empty list is not filtered
  const commands = useCommands().map(({ label, items }) => ({
    label,
    items: items.filter(({ deep }) => !deep || text !== ''),
  }))
  const recent = useRecentPages(`/o/${slug}`, name)
  const first = text === '' ? { label: 'Recent', items: recent } : { label: 'Found', items: found }
  const groups = [first, ...commands].filter(({ items }) => items.length > 0)
  return <CommandPalette groups={groups} searching={searching} onText={setText} onClose={onClose} />
}

/** The commands of the palette: ongoing incidents, pages, sites, people, other tenants, actions and the docs. */
function useCommands(): CommandGroup[] {
  const { slug, may } = useTenant()
  const me = useMe()
  const common = useCommonCommands()
  const staff = useStaffCommands()
  const navigate = useNavigate()
  const sites = useQuery(trpc.sites.list.queryOptions({ tenant: slug, limit: 200 }))
  const { data: now } = useQuery(summaryOptions(slug))

  const ongoing = now?.ongoing.incidents ?? []
  const incidents = ongoing.map(
    (incident): Command => ({
      id: incident.id,
      label: titleOf(incident),
      also: 'Incident, ongoing',
      icon: Siren,
      run: () => void navigate({ to: '/o/$tenant/incidents/$id', params: { tenant: slug, id: incident.id } }),
    }),
  )
  const pages = [
    ...offeredPages(may),
    ...SETTINGS_PAGES.filter(({ permission }) => may(permission)).map((page) => ({ ...page, key: undefined })),
  ].map(
    ({ to, label, group, icon, key }): Command => ({
      id: to,
      label,
      // the name in the sidebar
      ...(group && group !== label && { also: group }),
      ...(key !== undefined && { keys: `g ${key}` }),
      icon,
      run: () => void navigate({ to, params: { tenant: slug } }),
    }),
  )
  const members = useQuery(trpc.members.list.queryOptions({ tenant: slug, limit: 200 }))
  const invitations = useQuery(trpc.members.invitations.queryOptions({ tenant: slug, limit: 200 }))
  const docs = useDocsHeadings()
  // attack mode is for the site that has the incident
  const isCalm = ({ id }: { id: string }) => !ongoing.some(({ site }) => site.id === id)
  const siteCommands = (sites.data?.rows ?? [])
    .toSorted((a, b) => Number(isCalm(a)) - Number(isCalm(b)))
    .flatMap(({ id, name, sitekey }): Command[] => [
      {
        id,
        label: name,
        also: sitekey,
        icon: Globe,
        run: () => void navigate({ to: '/o/$tenant/sites/$site', params: { tenant: slug, site: id } }),
      },
      {
        id: `${id}-copy`,
        label: `${name}: copy the site key`,
        icon: Copy,
        deep: true,
        run: () =>
          void navigator.clipboard.writeText(sitekey).then(
            () => toast('Site key copied'),
            () => toast('Could not copy', { description: 'The browser does not allow it here.' }),
          ),
      },
      ...SITE_PLACES.filter(({ permission }) => may(permission)).map(({ to, label, open }) => ({
        id: `${id}-${label}`,
        label: `${name}: ${label}`,
        icon: Globe,
        deep: true as const,
        run: () => void navigate({ to, params: { tenant: slug, site: id }, search: { open } }),
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
  const invited = (invitations.data?.rows ?? []).map(
    ({ id, email, role }): Command => ({
      id,
      label: `Invitation of ${email}`,
      also: role,
      icon: Mail,
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
    ...(may('usage.request')
      ? [
          {
            id: 'request-units',
            label: 'Request more units',
            icon: Gauge,
            run: () =>
              void navigate({ to: '/o/$tenant/usage', params: { tenant: slug }, search: { open: 'request-units' } }),
          },
        ]
      : []),
    ...tenants,
    ...common,
  ]
  return [
    { label: 'Incidents', items: incidents },
    { label: 'Pages', items: pages },
    { label: 'Sites', items: siteCommands },
    { label: 'Members', items: [...people, ...invited] },
    { label: 'Actions', items: actions },
    { label: 'Staff', items: staff },
    { label: 'Docs', items: docs },
  ].filter(({ items }) => items.length > 0)
}

type SitePlace = {
  to: `/o/$tenant/sites/$site${'' | '/keys' | '/hostnames' | '/networks' | '/integrate' | '/settings'}`
  label: string
  permission: Permission
  open?: Asked
}

/** The pages and actions of each site: where they are done, and the permission that this needs. */
const SITE_PLACES: readonly SitePlace[] = [
  { to: '/o/$tenant/sites/$site/keys', label: 'Keys', permission: 'secret.read' },
  { to: '/o/$tenant/sites/$site/hostnames', label: 'Hostnames', permission: 'hostname.read' },
  { to: '/o/$tenant/sites/$site/networks', label: 'Networks', permission: 'network.read' },
  { to: '/o/$tenant/sites/$site/integrate', label: 'Integrate', permission: 'integration.read' },
  { to: '/o/$tenant/sites/$site/settings', label: 'Settings', permission: 'settings.read' },
  { to: '/o/$tenant/sites/$site/keys', label: 'rotate the secret key', permission: 'secret.rotate', open: 'rotate' },
  {
    to: '/o/$tenant/sites/$site/hostnames',
    label: 'add a hostname',
    permission: 'hostname.write',
    open: 'add-hostname',
  },
  {
    to: '/o/$tenant/sites/$site/settings',
    label: 'start attack mode',
    permission: 'settings.write',
    open: 'attack-mode',
  },
  { to: '/o/$tenant/sites/$site/settings', label: 'pause or resume', permission: 'site.write', open: 'pause' },
]
