import { createRootRoute, createRoute, lazyRouteComponent as lazy, notFound, redirect } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { decisionSearch } from './decisions/search.ts'
import { feedbackSearch } from './feedback/search.ts'
import { Fault } from './frame/Fault.tsx'
import { NotFound } from './frame/NotFound.tsx'
import { knowOverview } from './frame/overview.ts'
import { Public } from './frame/Public.tsx'
import { Root } from './frame/Root.tsx'
import { grantSearch } from './grants/search.ts'
import { knowGlance } from './overview/glance.ts'
import { refusalSearch } from './refusals/search.ts'
import { home } from './session/home.ts'
import { fetchMe, type Me } from './session/me.ts'
import { trafficSearch } from './traffic/search.ts'
import { lenient } from './ui/lenient.ts'

/*
 * Every page of the console, in the order of its navigation. What a page keeps in the URL (filters, tab, open drawer) is
 * the schema under `validateSearch`: something unknown falls back to the default instead of failing the page.
 */

const root = createRootRoute({ component: Root, notFoundComponent: NotFound, errorComponent: Fault })

const open = createRoute({ getParentRoute: () => root, id: 'public', component: Public })

const start = createRoute({
  getParentRoute: () => open,
  path: '/',
  beforeLoad: async () => {
    // The start page says what is wrong when the service does not answer: not knowing counts as signed out here.
    const me = await fetchMe().catch(() => null)
    if (me) throw redirect({ ...home(me), replace: true })
  },
  component: lazy(() => import('./welcome/Welcome.tsx'), 'Welcome'),
})

/** For who is signed in; others sign in and come back. */
const signedIn = async ({ location }: { location: { href: string } }): Promise<Me> => {
  const me = await fetchMe()
  if (!me) throw redirect({ to: '/sign-in', search: { next: location.href } })
  return me
}

/** Everything of one tenant. A tenant of others is answered like none. */
const tenant = createRoute({
  getParentRoute: () => root,
  path: 'o/$tenant',
  beforeLoad: async ({ params, location }) => {
    const [me] = await Promise.all([signedIn({ location }), knowOverview()])
    if (!me.tenants.some(({ slug }) => slug === params.tenant)) throw notFound()
  },
  component: lazy(() => import('./frame/Shell.tsx'), 'Shell'),
  // within the shell, which stays
  notFoundComponent: NotFound,
})

const overview = createRoute({
  getParentRoute: () => tenant,
  path: '/',
  validateSearch: trafficSearch,
  loader: ({ params }) => knowGlance(params.tenant),
  component: lazy(() => import('./overview/Overview.tsx'), 'Overview'),
})

const sites = createRoute({
  getParentRoute: () => tenant,
  path: 'sites',
  validateSearch: z.object({ create: lenient(z.boolean()) }),
  component: lazy(() => import('./sites/Sites.tsx'), 'Sites'),
})

const decisions = createRoute({
  getParentRoute: () => tenant,
  path: 'decisions',
  validateSearch: decisionSearch,
  component: lazy(() => import('./decisions/Decisions.tsx'), 'Decisions'),
})

const decision = createRoute({
  getParentRoute: () => tenant,
  path: 'decisions/$id',
  component: lazy(() => import('./decisions/Decision.tsx'), 'Decision'),
})

const site = createRoute({
  getParentRoute: () => tenant,
  path: 'sites/$site',
  beforeLoad: ({ params }) => {
    if (!z.uuid().safeParse(params.site).success) throw notFound()
  },
  component: lazy(() => import('./sites/Site.tsx'), 'Site'),
  notFoundComponent: NotFound,
})

const siteOverview = createRoute({
  getParentRoute: () => site,
  path: '/',
  validateSearch: trafficSearch,
  component: lazy(() => import('./sites/SiteOverview.tsx'), 'SiteOverview'),
})

const keys = createRoute({
  getParentRoute: () => site,
  path: 'keys',
  component: lazy(() => import('./sites/Keys.tsx'), 'Keys'),
})

const hostnames = createRoute({
  getParentRoute: () => site,
  path: 'hostnames',
  component: lazy(() => import('./sites/Hostnames.tsx'), 'Hostnames'),
})

const integrate = createRoute({
  getParentRoute: () => site,
  path: 'integrate',
  validateSearch: z.object({ language: lenient(z.enum(['curl', 'node', 'python'])) }),
  component: lazy(() => import('./sites/Integrate.tsx'), 'Integrate'),
})

const siteSettings = createRoute({
  getParentRoute: () => site,
  path: 'settings',
  component: lazy(() => import('./sites/Settings.tsx'), 'Settings'),
})

const usage = createRoute({
  getParentRoute: () => tenant,
  path: 'usage',
  component: lazy(() => import('./usage/Usage.tsx'), 'Usage'),
})

const statement = createRoute({
  getParentRoute: () => tenant,
  path: 'usage/$month',
  beforeLoad: ({ params }) => {
    if (!/^20\d\d-(?:0[1-9]|1[0-2])$/.test(params.month)) throw notFound()
  },
  component: lazy(() => import('./usage/Statement.tsx'), 'Statement'),
})

const refusals = createRoute({
  getParentRoute: () => tenant,
  path: 'refusals',
  validateSearch: refusalSearch,
  component: lazy(() => import('./refusals/Refusals.tsx'), 'Refusals'),
})

const grants = createRoute({
  getParentRoute: () => tenant,
  path: 'grants',
  validateSearch: grantSearch,
  component: lazy(() => import('./grants/Grants.tsx'), 'Grants'),
})

const feedback = createRoute({
  getParentRoute: () => tenant,
  path: 'feedback',
  validateSearch: feedbackSearch,
  component: lazy(() => import('./feedback/Feedback.tsx'), 'Feedback'),
})

const members = createRoute({
  getParentRoute: () => tenant,
  path: 'members',
  validateSearch: z.object({
    tab: lenient(z.enum(['people', 'roles'])),
    invite: lenient(z.boolean()),
  }),
  component: lazy(() => import('./members/Members.tsx'), 'Members'),
})

const audit = createRoute({
  getParentRoute: () => tenant,
  path: 'audit',
  validateSearch: z.object({
    q: lenient(z.string()),
    event: lenient(z.uuid()),
  }),
  component: lazy(() => import('./audit/Audit.tsx'), 'Audit'),
})

const settings = createRoute({
  getParentRoute: () => tenant,
  path: 'settings',
  component: lazy(() => import('./tenants/Settings.tsx'), 'Settings'),
})

const session = createRoute({
  getParentRoute: () => root,
  id: 'session',
  component: lazy(() => import('./frame/SessionFrame.tsx'), 'SessionFrame'),
})

/** Where to go after signing in. */
const next = z.object({ next: lenient(z.string()) })

/** For who is not signed in; everybody else is where they wanted to go already. */
const stranger = async () => {
  const me = await fetchMe()
  if (me) throw redirect({ ...home(me), replace: true })
}

const signIn = createRoute({
  getParentRoute: () => session,
  path: 'sign-in',
  validateSearch: next,
  beforeLoad: stranger,
  component: lazy(() => import('./session/SignIn.tsx'), 'SignIn'),
})

const signUp = createRoute({
  getParentRoute: () => session,
  path: 'sign-up',
  validateSearch: next,
  beforeLoad: stranger,
  component: lazy(() => import('./session/SignUp.tsx'), 'SignUp'),
})

const twoFactor = createRoute({
  getParentRoute: () => session,
  path: 'two-factor',
  validateSearch: next,
  component: lazy(() => import('./session/TwoFactor.tsx'), 'TwoFactor'),
})

const verifyEmail = createRoute({
  getParentRoute: () => session,
  path: 'verify-email',
  component: lazy(() => import('./session/VerifyEmail.tsx'), 'VerifyEmail'),
})

const forgot = createRoute({
  getParentRoute: () => session,
  path: 'forgot',
  component: lazy(() => import('./session/Forgot.tsx'), 'Forgot'),
})

const reset = createRoute({
  getParentRoute: () => session,
  path: 'reset',
  component: lazy(() => import('./session/Reset.tsx'), 'Reset'),
})

const invitation = createRoute({
  getParentRoute: () => session,
  path: 'invite/$id',
  beforeLoad: async ({ location }) => void (await signedIn({ location })),
  component: lazy(() => import('./session/Invitation.tsx'), 'Invitation'),
})

/** What belongs to the person, not to a tenant. */
const own = createRoute({
  getParentRoute: () => root,
  id: 'own',
  beforeLoad: async ({ location }) => void (await signedIn({ location })),
  component: lazy(() => import('./frame/Own.tsx'), 'Own'),
})

const account = createRoute({
  getParentRoute: () => own,
  path: 'account',
  component: lazy(() => import('./account/Account.tsx'), 'Account'),
})

const welcome = createRoute({
  getParentRoute: () => own,
  path: 'welcome',
  validateSearch: z.object({
    tenant: lenient(z.string()),
    site: lenient(z.uuid()),
  }),
  component: lazy(() => import('./onboarding/Onboarding.tsx'), 'Onboarding'),
})

/** For our own people; to others there is nothing here. */
const staff = createRoute({
  getParentRoute: () => root,
  path: 'staff',
  beforeLoad: async ({ location }) => {
    const [me] = await Promise.all([signedIn({ location }), knowOverview()])
    if (!me.staff) throw notFound()
  },
  component: lazy(() => import('./staff/StaffShell.tsx'), 'StaffShell'),
  // within the shell, which stays
  notFoundComponent: NotFound,
})

const staffSearch = createRoute({
  getParentRoute: () => staff,
  path: '/',
  validateSearch: z.object({ q: lenient(z.string()) }),
  component: lazy(() => import('./staff/Search.tsx'), 'Search'),
})

const staffTrace = createRoute({
  getParentRoute: () => staff,
  path: 'trace/$id',
  component: lazy(() => import('./staff/Trace.tsx'), 'Trace'),
})

const staffTenants = createRoute({
  getParentRoute: () => staff,
  path: 'tenants',
  validateSearch: z.object({ q: lenient(z.string()), attention: lenient(z.boolean()) }),
  component: lazy(() => import('./staff/Tenants.tsx'), 'Tenants'),
})

const staffTenant = createRoute({
  getParentRoute: () => staff,
  path: 'tenants/$tenant',
  component: lazy(() => import('./staff/Tenant.tsx'), 'Tenant'),
})

const staffUsage = createRoute({
  getParentRoute: () => staff,
  path: 'usage',
  validateSearch: z.object({ month: lenient(z.string().check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/))) }),
  component: lazy(() => import('./staff/Usage.tsx'), 'Usage'),
})

/** For leads. */
const leads = createRoute({
  getParentRoute: () => staff,
  id: 'leads',
  beforeLoad: async () => {
    if ((await fetchMe())?.staff !== 'lead') throw notFound()
  },
})

const staffAudit = createRoute({
  getParentRoute: () => leads,
  path: 'audit',
  validateSearch: z.object({
    actor: lenient(z.string()),
    tenant: lenient(z.string()),
    action: lenient(z.string()),
    event: lenient(z.uuid()),
  }),
  component: lazy(() => import('./staff/Audit.tsx'), 'Audit'),
})

const system = createRoute({
  getParentRoute: () => leads,
  path: 'system',
  component: lazy(() => import('./staff/System.tsx'), 'System'),
})

export const routeTree = root.addChildren([
  open.addChildren([start]),
  session.addChildren([signIn, signUp, twoFactor, verifyEmail, forgot, reset, invitation]),
  own.addChildren([account, welcome]),
  staff.addChildren([
    staffSearch,
    staffTrace,
    staffTenants,
    staffTenant,
    staffUsage,
    leads.addChildren([staffAudit, system]),
  ]),
  tenant.addChildren([
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
    site.addChildren([siteOverview, keys, hostnames, integrate, siteSettings]),
  ]),
])
