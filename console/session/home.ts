import { type LinkProps, useNavigate, useRouter } from '@tanstack/react-router'
import { queryClient } from '../trpc.ts'
import { type Me, refreshMe, useMe } from './me.ts'

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
export function rememberTenant(slug: string): void {
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

/** Continues after signing in: at `next` if given, else at the first page. Clears all data of a previous session. */
export function useAfterSignIn(next: string | undefined): () => Promise<void> {
  const router = useRouter()
  return async () => {
    queryClient.clear()
    const me = await refreshMe()
    if (next !== undefined && isOwnPath(next, location.origin)) router.history.push(next)
    else await router.navigate(me ? home(me) : { to: '/sign-in' })
  }
}

/**
 * Continues after leaving or deleting a tenant: at the first page without it. Navigates before it refreshes, because the
 * pages of the tenant cannot be shown to a non-member.
 */
export function useAfterLeaving(slug: string): () => Promise<void> {
  const me = useMe()
  const navigate = useNavigate()
  return async () => {
    await navigate({ ...home({ ...me, tenants: me.tenants.filter((tenant) => tenant.slug !== slug) }), replace: true })
    await refreshMe()
  }
}

/** Whether `next` is a path of this origin: a forged link must not lead to another site after signing in. */
export function isOwnPath(next: string, origin: string): boolean {
  return next.startsWith('/') && URL.canParse(next, origin) && new URL(next, origin).origin === origin
}
