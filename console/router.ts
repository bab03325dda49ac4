import { createRouter } from '@tanstack/react-router'
import { Fault } from './frame/Fault.tsx'
import { NotFound } from './frame/NotFound.tsx'
import { routeTree } from './routes/index.ts'

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  // What is fresh is react-query's business.
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: Fault,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
