import { toastFailure } from '../ui/overlay/toast.ts'

/** Ends the session and reloads, so that nothing from it stays in memory. */
export async function signOut(): Promise<void> {
  const { auth } = await import('./auth.ts')
  const { error } = await auth.signOut()
  if (error) toastFailure(error)
  else location.assign('/sign-in')
}
