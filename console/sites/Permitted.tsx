import type { ReactNode } from 'react'
import type { Permission } from '../../server/contract/permissions.ts'
import { useTenant } from '../frame/useTenant.ts'
import { EmptyState } from '../ui/table/EmptyState.tsx'

/** Its children for who has the permission; for others the reason why they see nothing. */
export function Permitted({ to, title, children }: { to: Permission; title: string; children: ReactNode }) {
  const reason = useTenant().whyNot(to)
  return reason === undefined ? children : <EmptyState title={title}>{reason}</EmptyState>
}
