import { useRouter } from '@tanstack/react-router'
import { queryClient } from '../trpc.ts'
import { home } from './home.ts'
import { refreshMe } from './me.ts'

/**
 * Goes in after signing in: to where the person wanted to go, else to where they begin. Nothing of whoever was signed in
 * before is kept.
 */
export function useEnter(next: string | undefined): () => Promise<void> {
  const router = useRouter()
  return async () => {
    queryClient.clear()
    const me = await refreshMe()
    if (next !== undefined && isOurs(next)) router.history.push(next)
    else await router.navigate(me ? home(me) : { to: '/sign-in' })
  }
}

/** A path of this origin: a link that was planted must not lead elsewhere after signing in. */
const isOurs = (next: string): boolean =>
  next.startsWith('/') && new URL(next, location.origin).origin === location.origin
