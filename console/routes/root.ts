import { createRootRoute, redirect } from '@tanstack/react-router'
import { Fault } from '../frame/Fault.tsx'
import { NotFound } from '../frame/NotFound.tsx'
import { Root } from '../frame/Root.tsx'
import { fetchMe, type Me } from '../session/me.ts'

export const root = createRootRoute({ component: Root, notFoundComponent: NotFound, errorComponent: Fault })

/** Requires a session; otherwise redirects to the sign-in page, which leads back. */
export const signedIn = async ({ location }: { location: { href: string } }): Promise<Me> => {
  const me = await fetchMe()
  if (!me) throw redirect({ to: '/sign-in', search: { next: location.href } })
  return me
}
