import type { ReactNode } from 'react'
import type { Permission } from '../../server/contract/permissions.ts'
import { useTenant } from '../frame/useTenant.ts'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { Pill } from '../ui/text/Pill.tsx'

/** Whether the site accepts calls. */
export function SiteStatePill({ paused }: { paused: boolean }) {
  if (useTenant().suspended) return <Pill tone="block">Suspended</Pill>
  return paused ? <Pill tone="challenge">Paused</Pill> : <Pill tone="pass">Live</Pill>
}

/** The children if the person has the permission, otherwise the reason why they are hidden. */
export function WithPermission({
  permission,
  title,
  children,
}: {
  permission: Permission
  title: string
  children: ReactNode
}) {
  const reason = useTenant().whyNot(permission)
  return reason === undefined ? children : <EmptyState title={title}>{reason}</EmptyState>
}
