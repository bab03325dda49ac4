import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { may as mayRole, type Permission, whyNot as whyRoleMayNot } from '../../server/contract/permissions.ts'
import { type Me, useMe } from '../session/me.ts'
import { trpc } from '../trpc.ts'

export type Tenant = Me['tenants'][number] & {
  /** Whether the person's role has the permission. */
  may: (permission: Permission) => boolean
  /** Why it has not, for a disabled button; undefined if it has. */
  whyNot: (permission: Permission) => string | undefined
}

/** The tenant of the page and the person's permissions. Only below `/o/$tenant`. */
export function useTenant(): Tenant {
  const { tenant: slug } = useParams({ from: '/o/$tenant' })
  const tenant = useMe().tenants.find((tenant) => tenant.slug === slug)
  if (!tenant) throw new Error('not a member of this tenant')
  const { role, viewEndsAt } = tenant
  const readOnly = viewEndsAt !== null
  const may = (permission: Permission) => mayRole(role, permission) && (!readOnly || permission.endsWith('.read'))
  const whyNot = (permission: Permission) =>
    may(permission)
      ? undefined
      : readOnly
        ? 'You are viewing as this tenant: changes are not possible.'
        : whyRoleMayNot(role, permission)
  return { ...tenant, may, whyNot }
}

/** The names of the tenant's sites by id, oldest first; empty until loaded. */
export function useSiteNames(): Readonly<Record<string, string>> {
  const { slug } = useTenant()
  const { data } = useQuery(trpc.sites.list.queryOptions({ tenant: slug, limit: 200 }))
  return Object.fromEntries((data?.rows ?? []).map(({ id, name }) => [id, name]))
}
