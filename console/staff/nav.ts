import type { LinkProps } from '@tanstack/react-router'
import { Building2, Eraser, Gauge, type LucideIcon, Network, ScrollText, Search, Server, Stamp } from 'lucide-react'
import { type StaffLevel, staffReaches } from '../../server/contract/permissions.ts'

export type StaffNavItem = {
  to: Extract<LinkProps['to'], `/staff${string}`>
  label: string
  /** The letter that opens it after `g`. */
  key: string
  icon: LucideIcon
  level: StaffLevel
}

/** The staff pages, in the order of the sidebar and the palette. */
export const STAFF_NAV: readonly StaffNavItem[] = [
  { to: '/staff', label: 'Search', key: 's', icon: Search, level: 'support' },
  { to: '/staff/tenants', label: 'Tenants', key: 't', icon: Building2, level: 'support' },
  { to: '/staff/usage', label: 'Usage', key: 'u', icon: Gauge, level: 'support' },
  { to: '/staff/approvals', label: 'Approvals', key: 'p', icon: Stamp, level: 'support' },
  { to: '/staff/networks', label: 'Networks', key: 'n', icon: Network, level: 'lead' },
  { to: '/staff/erasure', label: 'Erasure', key: 'e', icon: Eraser, level: 'lead' },
  { to: '/staff/audit', label: 'Audit log', key: 'a', icon: ScrollText, level: 'lead' },
  { to: '/staff/system', label: 'System', key: 'y', icon: Server, level: 'lead' },
]

/** Whether the person's level (null if not staff) is at least the needed one. */
export const hasStaffLevel = (level: StaffLevel | null, needed: StaffLevel): boolean =>
  level !== null && staffReaches(level, needed)
