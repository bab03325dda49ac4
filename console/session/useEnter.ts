import { useRouter } from '@tanstack/react-router'
import { queryClient } from '../trpc.ts'
import { home } from './home.ts'
import { isOurs } from './isOurs.ts'
import { refreshMe } from './me.ts'

/**
 * Continues after signing in: to `next` if given, else to the first page. Clears everything from a
 * previous session.
 */
export function useEnter(next: string | undefined): () => Promise<void> {
  const router = useRouter()
  return async () => {
    queryClient.clear()
    const me = await refreshMe()
    if (next !== undefined && isOurs(next, location.origin)) router.history.push(next)
    else await router.navigate(me ? home(me) : { to: '/sign-in' })
  }
}
