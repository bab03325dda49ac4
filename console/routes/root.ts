import { createRootRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { ErrorPage, NotFound } from '../frame/ErrorPage.tsx'
import { Root } from '../frame/Root.tsx'
import { fetchMe, type Me } from '../session/me.ts'
import { trpcClient } from '../trpc.ts'

export const root = createRootRoute({ component: Root, notFoundComponent: NotFound, errorComponent: ErrorPage })

/** Requires a session; otherwise redirects to the sign-in page, which leads back. */
export const requireSession = async ({ location }: { location: { href: string } }): Promise<Me> => {
  const me = await fetchMe()
  if (!me) throw redirect({ to: '/sign-in', search: { next: location.href } })
  return me
}

/**
 * A page whose code is loaded on the first visit. If that fails, the router reloads the document: right after an update of
 * the service, which removes the old files, but while the service is down it would lead to an error page of the browser.
 * In that case the call below fails too, and the console shows its error with a button to retry.
 */
export const lazy = <Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) =>
  lazyRouteComponent(async () => {
    try {
      return await load()
    } catch (error) {
      await trpcClient.system.overview.query()
      throw error
    }
  }, name)
