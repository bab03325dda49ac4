import { createRouter } from '@tanstack/react-router'
import { routeTree } from './routes.ts'

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  // What is fresh is react-query's business.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
