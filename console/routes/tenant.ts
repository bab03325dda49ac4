import { createRoute, notFound } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { decisionSearch } from '../decisions/search.ts'
import { feedbackSearch } from '../feedback/search.ts'
import { NotFound } from '../frame/NotFound.tsx'
import { knowOverview } from '../frame/overview.ts'
import { grantSearch } from '../grants/search.ts'
import { prefetchSummary } from '../overview/summary.ts'
import { refusalSearch } from '../refusals/search.ts'
import { trafficSearch } from '../traffic/search.ts'
import { lenient } from '../ui/form/lenient.ts'
import { lazy } from './lazy.ts'
import { root, signedIn } from './root.ts'

/** The pages of one tenant. Not found for everyone but its members. */
export const tenant = createRoute({
  getParentRoute: () => root,
  path: 'o/$tenant',
  beforeLoad: async ({ params, location }) => {
    const [me] = await Promise.all([signedIn({ location }), knowOverview()])
    if (!me.tenants.some(({ slug }) => slug === params.tenant)) throw notFound()
  },
  component: lazy(() => import('../frame/Shell.tsx'), 'Shell'),
  // shown within the layout
  notFoundComponent: NotFound,
})

const overview = createRoute({
  getParentRoute: () => tenant,
  path: '/',
  validateSearch: trafficSearch,
  loader: ({ params }) => prefetchSummary(params.tenant),
  component: lazy(() => import('../overview/Overview.tsx'), 'Overview'),
})

const sites = createRoute({
  getParentRoute: () => tenant,
  path: 'sites',
  validateSearch: z.object({ create: lenient(z.boolean()) }),
  component: lazy(() => import('../sites/Sites.tsx'), 'Sites'),
})

const decisions = createRoute({
  getParentRoute: () => tenant,
  path: 'decisions',
  validateSearch: decisionSearch,
  component: lazy(() => import('../decisions/Decisions.tsx'), 'Decisions'),
})

const decision = createRoute({
  getParentRoute: () => tenant,
  path: 'decisions/$id',
  component: lazy(() => import('../decisions/Decision.tsx'), 'Decision'),
})

const usage = createRoute({
  getParentRoute: () => tenant,
  path: 'usage',
  component: lazy(() => import('../usage/Usage.tsx'), 'Usage'),
})

const statement = createRoute({
  getParentRoute: () => tenant,
  path: 'usage/$month',
  beforeLoad: ({ params }) => {
    if (!/^20\d\d-(?:0[1-9]|1[0-2])$/.test(params.month)) throw notFound()
  },
  component: lazy(() => import('../usage/Statement.tsx'), 'Statement'),
})

const refusals = createRoute({
  getParentRoute: () => tenant,
  path: 'refusals',
  validateSearch: refusalSearch,
  component: lazy(() => import('../refusals/Refusals.tsx'), 'Refusals'),
})

const grants = createRoute({
  getParentRoute: () => tenant,
  path: 'grants',
  validateSearch: grantSearch,
  component: lazy(() => import('../grants/Grants.tsx'), 'Grants'),
})

const feedback = createRoute({
  getParentRoute: () => tenant,
  path: 'feedback',
  validateSearch: feedbackSearch,
  component: lazy(() => import('../feedback/Feedback.tsx'), 'Feedback'),
})

const members = createRoute({
  getParentRoute: () => tenant,
  path: 'members',
  validateSearch: z.object({
    tab: lenient(z.enum(['people', 'roles'])),
    invite: lenient(z.boolean()),
  }),
  component: lazy(() => import('../members/Members.tsx'), 'Members'),
})

const audit = createRoute({
  getParentRoute: () => tenant,
  path: 'audit',
  validateSearch: z.object({
    q: lenient(z.string()),
    event: lenient(z.uuid()),
  }),
  component: lazy(() => import('../audit/Audit.tsx'), 'Audit'),
})

const settings = createRoute({
  getParentRoute: () => tenant,
  path: 'settings',
  component: lazy(() => import('../tenants/Settings.tsx'), 'Settings'),
})

export const tenantPages = [
  overview,
  grants,
  refusals,
  feedback,
  usage,
  statement,
  members,
  audit,
  settings,
  sites,
  decisions,
  decision,
] as const
