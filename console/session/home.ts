import type { LinkProps } from '@tanstack/react-router'
import type { Me } from './me.ts'

const KEY = 'tollgate.tenant'

/** Where somebody who is signed in begins: the tenant of last time, else their first, else making one. */
export function home({ tenants, staff }: Me): Pick<LinkProps, 'to' | 'params'> {
  const last = lastTenant()
  const tenant = tenants.find(({ slug }) => slug === last) ?? tenants[0]
  if (tenant) return { to: '/o/$tenant', params: { tenant: tenant.slug } }
  return { to: staff ? '/account' : '/welcome' }
}

/** Remembers the tenant for the next visit. */
export function keepTenant(slug: string): void {
  try {
    localStorage.setItem(KEY, slug)
  } catch {
    // Storage is blocked or full: the next visit begins at the first tenant.
  }
}

function lastTenant(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}
