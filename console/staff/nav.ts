import type { LinkProps } from '@tanstack/react-router'
import { Building2, Eraser, Gauge, type LucideIcon, Network, ScrollText, Search, Server, Stamp } from 'lucide-react'
import { type StaffLevel, staffReaches } from '../../server/contract/permissions.ts'

export type StaffNavItem = {
  to: Extract<LinkProps['to'], `/staff${string}`>
  label: string
  icon: LucideIcon
  level: StaffLevel
}

/** The staff pages, in the order of the sidebar and the palette. */
export const STAFF_NAV: readonly StaffNavItem[] = [
  { to: '/staff', label: 'Search', icon: Search, level: 'support' },
  { to: '/staff/tenants', label: 'Tenants', icon: Building2, level: 'support' },
  { to: '/staff/usage', label: 'Usage', icon: Gauge, level: 'support' },
  { to: '/staff/approvals', label: 'Approvals', icon: Stamp, level: 'lead' },
  { to: '/staff/networks', label: 'Networks', icon: Network, level: 'lead' },
  { to: '/staff/erasure', label: 'Erasure', icon: Eraser, level: 'lead' },
  { to: '/staff/audit', label: 'Audit log', icon: ScrollText, level: 'lead' },
  { to: '/staff/system', label: 'System', icon: Server, level: 'lead' },
]

/** Whether the person's level (null if not staff) is at least the needed one. */
export const hasStaffLevel = (level: StaffLevel | null, needed: StaffLevel): boolean =>
  level !== null && staffReaches(level, needed)
