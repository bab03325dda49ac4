import { useNavigate } from '@tanstack/react-router'
import { home } from './home.ts'
import { refreshMe, useMe } from './me.ts'

/**
 * Leaves a tenant that the person no longer belongs to. Navigates first and refreshes then,
 * because a page of the tenant cannot be shown to a non-member.
 */
export function useDepart(slug: string): () => Promise<void> {
  const me = useMe()
  const navigate = useNavigate()
  return async () => {
    await navigate({ ...home({ ...me, tenants: me.tenants.filter((tenant) => tenant.slug !== slug) }), replace: true })
    await refreshMe()
  }
}
