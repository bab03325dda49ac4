import { lazyRouteComponent } from '@tanstack/react-router'
import { trpcClient } from '../trpc.ts'

/**
 * A page whose code is loaded when it is first gone to. Where that fails the router loads the whole document anew, which
 * is right after an update of the service, whose old files are gone. While the service is away it would leave people at
 * an error of their browser: then the failure of a call is told instead, in the page's place and with a way to retry.
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
