import { createRouter } from '@tanstack/react-router'
import type { CONSOLE_PATHS } from '../server/contract/consolePaths.ts'
import { ErrorPage, NotFound } from './frame/ErrorPage.tsx'
import { accountRoutes, sessionRoutes, welcomeRoutes } from './routes/account.ts'
import { root } from './routes/root.ts'
import { staffRoutes } from './routes/staff.ts'
import { tenantRoutes } from './routes/tenant.ts'

/**
 * Every page of the console. `validateSearch` checks a page's search parameters (filters, tab, open drawer): an invalid
 * value counts as missing and does not fail the page.
 */
const routeTree = root.addChildren([welcomeRoutes, sessionRoutes, accountRoutes, staffRoutes, tenantRoutes])

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  // react-query decides what is fresh
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
})

type Served = (typeof CONSOLE_PATHS)[keyof typeof CONSOLE_PATHS]
type Below = `${typeof CONSOLE_PATHS.tenant | typeof CONSOLE_PATHS.staff}/${string}`
type Unserved = Exclude<keyof (typeof router)['routesByPath'], Served | Below | ''>
/** Does not compile while a page has a path that the server does not answer: add it to the list. */
export const allServed: [Unserved] extends [never] ? true : Unserved = true

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
