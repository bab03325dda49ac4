import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { type LinkProps, useNavigate } from '@tanstack/react-router'
import type { inferOutput } from '@trpc/tanstack-react-query'
import {
  BookOpen,
  Building2,
  CircleSlash,
  Clock,
  Flag,
  Globe,
  LogOut,
  type LucideIcon,
  Moon,
  Plus,
  Search,
  ShieldCheck,
  Sun,
  Ticket,
  UserRound,
} from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Permission } from '../../server/contract/permissions.ts'
import { signOut, useMe } from '../session/me.ts'
import { hasStaffLevel, STAFF_NAV } from '../staff/nav.ts'
import { trpc } from '../trpc.ts'
import { FLOATING } from '../ui/overlay/popup.ts'
import { setZone, useZone } from '../ui/text/zone.ts'
import { useDocsUrl } from './deployment.ts'
import { NAV } from './nav.ts'
import { chooseTheme } from './theme.ts'
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

/** A searchable list of commands. Arrows and Enter choose, Escape closes. */
export function CommandPalette({
  groups,
  onText,
  onClose,
}: {
  groups: CommandGroup[]
  /** Called with what is typed. */
  onText?: (text: string) => void
  onClose: () => void
}) {
  const run = (command: Command) => {
    onClose()
    command.run()
  }
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Popup
          aria-label="Search or jump to"
          className={`fixed top-[12vh] left-1/2 z-40 flex max-h-[70dvh] w-[calc(100vw-2rem)] max-w-140 -translate-x-1/2 flex-col overflow-hidden rounded-panel ${FLOATING}`}
        >
          <Autocomplete.Root
            open
            inline
            items={groups}
            autoHighlight="always"
            keepHighlight
            limit={MOST_SHOWN}
            filter={matches}
            itemToStringValue={({ label }: Command) => label}
            onValueChange={(text) => onText?.(text)}
          >
            <div className="flex items-center gap-2.5 border-b border-line px-4">
              <Search size={16} aria-hidden className="shrink-0 text-ink-2" />
              <Autocomplete.Input
                aria-label="Search or jump to"
                placeholder="Name, id, reference of a visitor, req_…"
                className="h-12 grow bg-transparent text-14 outline-none placeholder:text-ink-3"
              />
            </div>
            <Autocomplete.Empty className="text-13 text-ink-2">
              <div className="p-4">No results.</div>
            </Autocomplete.Empty>
            <Autocomplete.List className="min-h-0 overflow-y-auto scroll-py-2 px-2 not-empty:py-2">
              {({ label, items }: CommandGroup) => (
                <Autocomplete.Group key={label} items={items} className="not-last:mb-2">
                  <Autocomplete.GroupLabel className="px-2 py-1 text-12 text-ink-2">{label}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(command: Command) => (
                      <Autocomplete.Item
                        key={command.id}
                        value={command}
                        onClick={() => run(command)}
                        className="flex min-h-9 cursor-default items-center gap-2.5 rounded-control px-2 text-13 outline-none select-none data-highlighted:bg-sunken data-highlighted:outline-2 data-highlighted:-outline-offset-2 data-highlighted:outline-brand"
                      >
                        <command.icon size={15} aria-hidden className="shrink-0 text-ink-2" />
                        <span className="min-w-0 grow truncate">{command.label}</span>
                        {command.also !== undefined && (
                          <span className="truncate font-mono text-12 text-ink-2 max-sm:hidden">{command.also}</span>
                        )}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const MOST_SHOWN = 60

/** Whether every word is in the label, or the second text begins with the whole. What was found for the text matches. */
export function matches(
  { label, also = '', found }: Pick<Command, 'label' | 'also' | 'found'>,
  typed: string,
): boolean {
  const text = typed.trim().toLowerCase()
  if (found) return true
  if (text.length > 1 && also.toLowerCase().startsWith(text)) return true
  return text.split(/\s+/).every((word) => label.toLowerCase().includes(word))
}

/** Long enough that typing a name does not look up each of its letters. */
const PAUSE_MS = 150
const LEAST_TYPED = 3

const HIT_ICONS = {
  decision: ShieldCheck,
  intent: ShieldCheck,
  grant: Ticket,
  feedback: Flag,
  refusal: CircleSlash,
  site: Globe,
} as const satisfies Record<TenantHit['kind'], LucideIcon>

type TenantHit = inferOutput<typeof trpc.tenants.search>[number]

/** What the service finds for a typed id, reference or name. Secrets and addresses are never sent: URLs are logged. */
function useFound(typed: string): Command[] {
  const { slug } = useTenant()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setText(typed), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const sendable = text.length >= LEAST_TYPED && !/tg_secret|@/.test(text)
  const sites = useQuery(trpc.sites.list.queryOptions({ tenant: slug, limit: 200 }))
  const known = new Set(sites.data?.rows.map(({ id }) => id))
  const { data } = useQuery(trpc.tenants.search.queryOptions({ tenant: slug, text }, { enabled: sendable }))
  if (!sendable || text !== typed) return []
  const open = ({ kind, id, label, at }: TenantHit) => {
    if (kind === 'site') return navigate({ to: '/o/$tenant/sites/$site', params: { tenant: slug, site: id } })
    if (kind === 'refusal')
      return navigate({
        to: '/o/$tenant/refusals',
        params: { tenant: slug },
        search: { request: label, from: at - 60, to: at + 60 },
      })
    return navigate({ to: '/o/$tenant/decisions/$id', params: { tenant: slug, id } })
  }
  // most sites are in the list anyway
  const listed = ({ kind, id, label, detail }: TenantHit) =>
    kind === 'site' && known.has(id) && matches({ label, also: detail }, text)
  return (data ?? [])
    .filter((hit) => !listed(hit))
    .map((hit) => ({
      id: `found-${hit.kind}-${hit.label}`,
      label: hit.label,
      also: hit.detail,
      icon: HIT_ICONS[hit.kind],
      found: true,
      run: () => void open(hit),
    }))
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

export type Command = {
  id: string
  label: string
  /** A second search text, shown beside the label. */
  also?: string
  icon: LucideIcon
  /** Found by the service for what was typed. */
  found?: true
  /** Shown only once something is typed. */
  deep?: true
  run: () => void
}

type CommandGroup = { label: string; items: Command[] }

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
    { id: 'account', label: 'Go to your account', icon: UserRound, run: () => void navigate({ to: '/account' }) },
    ...(docsUrl === null
      ? []
      : [{ id: 'docs', label: 'Read the API docs', icon: BookOpen, run: () => location.assign(docsUrl) }]),
    { id: 'sign-out', label: 'Sign out', icon: LogOut, run: () => void signOut() },
  ]
}

/** The staff pages; none for others. */
export function useStaffCommands(): Command[] {
  const { staff } = useMe()
  const navigate = useNavigate()
  return STAFF_NAV.filter(({ level }) => hasStaffLevel(staff, level)).map(({ to, label, icon }) => ({
    id: to,
    label: `Staff: ${label}`,
    icon,
    run: () => void navigate({ to }),
  }))
}
