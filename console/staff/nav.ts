import type { LinkProps } from '@tanstack/react-router'
import { Building2, Gauge, type LucideIcon, ScrollText, Search, Server } from 'lucide-react'
import { type StaffLevel, staffReaches } from '../../server/contract/permissions.ts'

export type StaffNavItem = {
  to: Extract<LinkProps['to'], `/staff${string}`>
  label: string
  icon: LucideIcon
  level: StaffLevel
}

/** The pages of our own people, in the order of the rail and of the palette. */
export const STAFF_NAV: readonly StaffNavItem[] = [
  { to: '/staff', label: 'Search', icon: Search, level: 'support' },
  { to: '/staff/tenants', label: 'Tenants', icon: Building2, level: 'support' },
  { to: '/staff/usage', label: 'Usage', icon: Gauge, level: 'support' },
  { to: '/staff/audit', label: 'Audit log', icon: ScrollText, level: 'lead' },
  { to: '/staff/system', label: 'System', icon: Server, level: 'lead' },
]

/** Whether somebody of this level, or of none, may go where this level is needed. */
export const reaches = (level: StaffLevel | null, needed: StaffLevel): boolean =>
  level !== null && staffReaches(level, needed)
