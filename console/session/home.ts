import type { LinkProps } from '@tanstack/react-router'
import type { Me } from './me.ts'

const KEY = 'tollgate.tenant'

/** The first page after signing in: the last tenant, else the first one, else the staff pages for staff, else the onboarding. */
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
    // Storage is blocked or full: the next visit starts at the first tenant.
  }
}

function lastTenant(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}
