import { useNavigate } from '@tanstack/react-router'
import { home } from './home.ts'
import { refreshMe, useMe } from './me.ts'

/**
 * Goes away from a tenant that is the person's no more, to where they begin without it. First away, then asking anew who
 * they are: a page of the tenant cannot be shown to somebody who is no member.
 */
export function useDepart(slug: string): () => Promise<void> {
  const me = useMe()
  const navigate = useNavigate()
  return async () => {
    await navigate({ ...home({ ...me, tenants: me.tenants.filter((tenant) => tenant.slug !== slug) }), replace: true })
    await refreshMe()
  }
}
