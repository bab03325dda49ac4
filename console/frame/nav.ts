import type { LinkProps } from '@tanstack/react-router'
import {
  CircleSlash,
  Flag,
  Gauge,
  Globe,
  LayoutGrid,
  type LucideIcon,
  ScrollText,
  Settings,
  ShieldCheck,
  Siren,
  Ticket,
  Users,
} from 'lucide-react'
import type { Permission } from '../../server/contract/permissions.ts'

export type NavItem = {
  to: LinkProps['to'] & `/o/$tenant${string}`
  label: string
  /** What the page has, in a sentence; else the label. */
  noun?: string
  /** The letter that opens it after `g`. */
  key: string
  icon: LucideIcon
  /** Required to see the entry. */
  permission: Permission
}

/** The pages of a tenant, in the order of the sidebar and the palette. */
export const NAV: readonly NavItem[] = [
  { to: '/o/$tenant', label: 'Overview', key: 'o', icon: LayoutGrid, permission: 'tenant.read' },
  { to: '/o/$tenant/sites', label: 'Sites', key: 's', icon: Globe, permission: 'site.read' },
  { to: '/o/$tenant/decisions', label: 'Decisions', key: 'd', icon: ShieldCheck, permission: 'decision.read' },
  { to: '/o/$tenant/grants', label: 'Grants', key: 'g', icon: Ticket, permission: 'grant.read' },
  { to: '/o/$tenant/refusals', label: 'Refusals', key: 'r', icon: CircleSlash, permission: 'refusal.read' },
  { to: '/o/$tenant/incidents', label: 'Incidents', key: 'i', icon: Siren, permission: 'decision.read' },
  { to: '/o/$tenant/feedback', label: 'Feedback', key: 'f', icon: Flag, permission: 'feedback.read' },
  { to: '/o/$tenant/usage', label: 'Usage', key: 'u', icon: Gauge, permission: 'usage.read' },
  { to: '/o/$tenant/members', label: 'Members', key: 'm', icon: Users, permission: 'member.read' },
  {
    to: '/o/$tenant/audit',
    label: 'Audit log',
    noun: 'the audit log',
    key: 'a',
    icon: ScrollText,
    permission: 'audit.read',
  },
  { to: '/o/$tenant/settings', label: 'Settings', key: 't', icon: Settings, permission: 'tenant.write' },
]
