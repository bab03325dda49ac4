import { createRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { lenient } from '../ui/form/lenient.ts'
import { lazy } from './lazy.ts'
import { root, signedIn } from './root.ts'

/** Pages of the person, outside of tenants. */
const own = createRoute({
  getParentRoute: () => root,
  id: 'own',
  beforeLoad: async ({ location }) => void (await signedIn({ location })),
  component: lazy(() => import('../frame/Own.tsx'), 'Own'),
})

const account = createRoute({
  getParentRoute: () => own,
  path: 'account',
  component: lazy(() => import('../account/Account.tsx'), 'Account'),
})

const welcome = createRoute({
  getParentRoute: () => own,
  path: 'welcome',
  validateSearch: z.object({
    tenant: lenient(z.string()),
    site: lenient(z.uuid()),
  }),
  component: lazy(() => import('../onboarding/Onboarding.tsx'), 'Onboarding'),
})

export const ownRoutes = own.addChildren([account, welcome])
