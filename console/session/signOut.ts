import { toastFailure } from '../ui/toast.ts'

/** Ends the session and forgets everything that was shown in it: the page is loaded anew. */
export async function signOut(): Promise<void> {
  const { auth } = await import('./auth.ts')
  const { error } = await auth.signOut()
  if (error) toastFailure(error)
  else location.assign('/sign-in')
}
