import { lazyRouteComponent } from '@tanstack/react-router'
import { trpcClient } from '../trpc.ts'

/**
 * A page whose code is loaded on the first visit. If that fails the router reloads the document, which
 * is right after an update of the service has removed the old files. While the service is down it would lead to
 * an error page of the browser: then a failed call is shown instead, with a button to retry.
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
