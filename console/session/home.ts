import type { LinkProps } from '@tanstack/react-router'
import type { Me } from './me.ts'

const KEY = 'tollgate.tenant'

/** Where somebody who is signed in begins: the tenant of last time, else their first; our own people without one at theirs; else making one. */
export function home({ tenants, staff }: Me): Pick<LinkProps, 'to' | 'params'> {
  const last = lastTenant()
  const own = tenants.filter(({ viewEndsAt }) => viewEndsAt === null)
  const tenant = own.find(({ slug }) => slug === last) ?? own[0]
  if (tenant) return { to: '/o/$tenant', params: { tenant: tenant.slug } }
  return { to: staff ? '/staff' : '/welcome' }
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
