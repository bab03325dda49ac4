import type { LinkProps } from '@tanstack/react-router'
import {
  CircleSlash,
  Flag,
  Gauge,
  Globe,
  KeyRound,
  LayoutGrid,
  type LucideIcon,
  ScrollText,
  Settings,
  ShieldCheck,
  Siren,
  Ticket,
  Users,
  Webhook,
} from 'lucide-react'
import type { Permission } from '../../server/contract/permissions.ts'

export type NavItem = {
  to: LinkProps['to'] & `/o/$tenant${string}`
  label: string
  /** What the page has, in a sentence; else the label. */
  noun?: string
  /** What someone sees of it without the permission, in a sentence. */
  denied?: string
  /** The letter that opens it after `g`. */
  key: string
  icon: LucideIcon
  /** The entry of the sidebar under which it is a tab, beside others. */
  group?: 'Decisions' | 'Team'
  /** Required to read the page. */
  permission: Permission
  /** Of a page that everyone may read: one of them is required to see the entry. */
  shownWith?: readonly Permission[]
}

/** The pages of a tenant, in the order of the palette. */
export const NAV: readonly NavItem[] = [
  { to: '/o/$tenant', label: 'Overview', key: 'o', icon: LayoutGrid, permission: 'tenant.read' },
  { to: '/o/$tenant/sites', label: 'Sites', key: 's', icon: Globe, permission: 'site.read' },
  {
    to: '/o/$tenant/decisions',
    label: 'Decisions',
    key: 'd',
    icon: ShieldCheck,
    permission: 'decision.read',
    group: 'Decisions',
  },
  {
    to: '/o/$tenant/refusals',
    label: 'Refusals',
    key: 'r',
    icon: CircleSlash,
    permission: 'refusal.read',
    group: 'Decisions',
  },
  { to: '/o/$tenant/grants', label: 'Grants', key: 'g', icon: Ticket, permission: 'grant.read', group: 'Decisions' },
  {
    to: '/o/$tenant/feedback',
    label: 'Feedback',
    key: 'f',
    icon: Flag,
    permission: 'feedback.read',
    group: 'Decisions',
  },
  { to: '/o/$tenant/incidents', label: 'Incidents', key: 'i', icon: Siren, permission: 'decision.read' },
  {
    to: '/o/$tenant/usage',
    label: 'Usage',
    denied: 'You see the quota, but not the usage by site',
    key: 'u',
    icon: Gauge,
    permission: 'usage.read',
  },
  { to: '/o/$tenant/members', label: 'Members', key: 'm', icon: Users, permission: 'member.read', group: 'Team' },
  {
    to: '/o/$tenant/audit',
    label: 'Audit log',
    noun: 'the audit log',
    key: 'a',
    icon: ScrollText,
    permission: 'audit.read',
    group: 'Team',
  },
  {
    to: '/o/$tenant/settings',
    label: 'Settings',
    key: 't',
    icon: Settings,
    permission: 'tenant.read',
    shownWith: ['tenant.write', 'key.read', 'webhook.read'],
  },
]

/** The pages that are offered in the navigation and the palette. */
export const offeredPages = (may: (permission: Permission) => boolean): NavItem[] =>
  NAV.filter(({ permission, shownWith }) => may(permission) && (shownWith === undefined || shownWith.some(may)))

/** Whether someone may read the page of a tenant with this address, `/o/shop/incidents/…`. */
export function mayOpen(path: string, may: (permission: Permission) => boolean): boolean {
  const [, , , page, , part] = path.split('/')
  const item = NAV.find(({ to }) => page !== undefined && to === `/o/$tenant/${page}`)
  if (item && !may(item.permission)) return false
  return part !== 'integrate' || may('integration.read')
}

/** The tabs of the settings, which the palette finds by their names. */
export const SETTINGS_PAGES: readonly Pick<NavItem, 'to' | 'label' | 'icon' | 'permission' | 'group'>[] = [
  { to: '/o/$tenant/settings/api-keys', label: 'API keys', icon: KeyRound, permission: 'key.read' },
  { to: '/o/$tenant/settings/webhooks', label: 'Webhooks', icon: Webhook, permission: 'webhook.read' },
]

/** An entry of the sidebar: a page, or a group of pages, which opens the first of them. */
export type SidebarEntry = Pick<NavItem, 'label' | 'icon'> & { pages: readonly NavItem[] }

/** The entries of the sidebar over these pages, in their order. */
export function sidebarEntries(pages: readonly NavItem[]): SidebarEntry[] {
  const names = [...new Set(pages.map(nameOf))]
  return names.flatMap((name) => {
    const own = pages.filter((page) => nameOf(page) === name)
    const [first] = own
    return first ? [{ label: name, icon: first.icon, pages: own }] : []
  })
}

const nameOf = ({ group, label }: NavItem): string => group ?? label
