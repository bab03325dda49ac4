import { createRoute, notFound } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { CONSOLE_PATHS } from '../../server/contract/consolePaths.ts'
import { LANGUAGE_NAMES } from '../../server/contract/languages.ts'
import { prefetchDeployment } from '../frame/deployment.ts'
import { NotFound } from '../frame/ErrorPage.tsx'
import { prefetchSummary } from '../overview/api.ts'
import { optionalParam, periodSearch } from '../ui/form/period.ts'
import { lazy, requireSession, root } from './root.ts'
import { asked, decisionSearch, feedbackSearch, grantSearch, refusalSearch, trafficSearch } from './search.ts'

const layout = lazy(() => import('../frame/TenantLayout.tsx'), 'TenantLayout')

/** The pages of one tenant. Not found for everyone but its members. */
const tenant = createRoute({
  getParentRoute: () => root,
  path: CONSOLE_PATHS.tenant,
  beforeLoad: async ({ params, location }) => {
    // its code at the same time; a failure shows when the page needs it
    layout.preload?.()?.catch(() => undefined)
    // in one request with the session
    if (location.pathname === `/o/${params.tenant}`) prefetchSummary(params.tenant)
    const [me] = await Promise.all([requireSession({ location }), prefetchDeployment()])
    if (!me.tenants.some(({ slug }) => slug === params.tenant)) throw notFound()
  },
  component: layout,
  // shown within the layout
  notFoundComponent: NotFound,
})

const overview = createRoute({
  getParentRoute: () => tenant,
  path: '/',
  validateSearch: trafficSearch,
  component: lazy(() => import('../overview/Overview.tsx'), 'Overview'),
})

const sites = createRoute({
  getParentRoute: () => tenant,
  path: 'sites',
  validateSearch: z.object({
    create: optionalParam(z.boolean()),
    q: optionalParam(z.string().check(z.maxLength(120))),
    state: optionalParam(z.enum(['all', 'live', 'paused'])),
    sort: optionalParam(z.enum(['newest', 'name', 'traffic'])),
  }),
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

const incidents = createRoute({
  getParentRoute: () => tenant,
  path: 'incidents',
  component: lazy(() => import('../incidents/Incidents.tsx'), 'Incidents'),
})

const incident = createRoute({
  getParentRoute: () => tenant,
  path: 'incidents/$id',
  beforeLoad: ({ params }) => {
    if (!z.uuid().safeParse(params.id).success) throw notFound()
  },
  component: lazy(() => import('../incidents/Incident.tsx'), 'Incident'),
})

const usage = createRoute({
  getParentRoute: () => tenant,
  path: 'usage',
  validateSearch: z.object({ open: optionalParam(asked) }),
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
    tab: optionalParam(z.literal('roles')),
    invite: optionalParam(z.boolean()),
  }),
  component: lazy(() => import('../members/Members.tsx'), 'Members'),
})

const audit = createRoute({
  getParentRoute: () => tenant,
  path: 'audit',
  validateSearch: z.object({
    ...periodSearch,
    q: optionalParam(z.string()),
    event: optionalParam(z.uuid()),
  }),
  component: lazy(() => import('../audit/Audit.tsx'), 'Audit'),
})

const settings = createRoute({
  getParentRoute: () => tenant,
  path: 'settings',
  component: lazy(() => import('../tenants/Settings.tsx'), 'Settings'),
})

const apiKeys = createRoute({
  getParentRoute: () => tenant,
  path: 'settings/api-keys',
  component: lazy(() => import('../keys/ApiKeys.tsx'), 'ApiKeys'),
})

const webhooks = createRoute({
  getParentRoute: () => tenant,
  path: 'settings/webhooks',
  component: lazy(() => import('../webhooks/Webhooks.tsx'), 'Webhooks'),
})

const webhook = createRoute({
  getParentRoute: () => tenant,
  path: 'settings/webhooks/$id',
  beforeLoad: ({ params }) => {
    if (!z.uuid().safeParse(params.id).success) throw notFound()
  },
  component: lazy(() => import('../webhooks/Webhook.tsx'), 'Webhook'),
  notFoundComponent: NotFound,
})

const site = createRoute({
  getParentRoute: () => tenant,
  path: 'sites/$site',
  validateSearch: z.object({ open: optionalParam(asked) }),
  beforeLoad: ({ params }) => {
    if (!z.uuid().safeParse(params.site).success) throw notFound()
  },
  component: lazy(() => import('../sites/Site.tsx'), 'Site'),
  notFoundComponent: NotFound,
})

const siteOverview = createRoute({
  getParentRoute: () => site,
  path: '/',
  validateSearch: trafficSearch,
  component: lazy(() => import('../sites/SiteOverview.tsx'), 'SiteOverview'),
})

const keys = createRoute({
  getParentRoute: () => site,
  path: 'keys',
  component: lazy(() => import('../sites/Keys.tsx'), 'Keys'),
})

const hostnames = createRoute({
  getParentRoute: () => site,
  path: 'hostnames',
  component: lazy(() => import('../sites/Hostnames.tsx'), 'Hostnames'),
})

const networks = createRoute({
  getParentRoute: () => site,
  path: 'networks',
  component: lazy(() => import('../sites/Networks.tsx'), 'Networks'),
})

const integrate = createRoute({
  getParentRoute: () => site,
  path: 'integrate',
  validateSearch: z.object({ language: optionalParam(z.enum([...LANGUAGE_NAMES, 'wordpress'])) }),
  component: lazy(() => import('../sites/Integrate.tsx'), 'Integrate'),
})

const siteSettings = createRoute({
  getParentRoute: () => site,
  path: 'settings',
  component: lazy(() => import('../sites/Settings.tsx'), 'Settings'),
})

const siteRoutes = site.addChildren([siteOverview, keys, hostnames, networks, integrate, siteSettings])

export const tenantRoutes = tenant.addChildren([
  overview,
  grants,
  refusals,
  feedback,
  incidents,
  incident,
  usage,
  statement,
  members,
  audit,
  settings,
  apiKeys,
  webhooks,
  webhook,
  sites,
  decisions,
  decision,
  siteRoutes,
])
