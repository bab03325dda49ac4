import { createRoute, notFound, redirect } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { CONSOLE_PATHS } from '../../server/contract/consolePaths.ts'
import { SessionLayout } from '../frame/CenteredLayout.tsx'
import { fetchDeployment, prefetchDeployment } from '../frame/deployment.ts'
import { PublicLayout } from '../frame/PublicLayout.tsx'
import { home } from '../session/home.ts'
import { fetchMe } from '../session/me.ts'
import { optionalParam } from '../ui/form/period.ts'
import { lazy, requireSession, root } from './root.ts'

const publicPages = createRoute({ getParentRoute: () => root, id: 'public', component: PublicLayout })

const start = createRoute({
  getParentRoute: () => publicPages,
  path: CONSOLE_PATHS.start,
  beforeLoad: async () => {
    // the start page shows when the service does not respond, so a failure counts as signed out
    const [me] = await Promise.all([fetchMe().catch(() => null), prefetchDeployment()])
    if (me) throw redirect({ ...home(me), replace: true })
  },
  component: lazy(() => import('../welcome/Welcome.tsx'), 'Welcome'),
})

const tryIt = createRoute({
  getParentRoute: () => publicPages,
  path: CONSOLE_PATHS.try,
  // if the deployment does not say, the first call does
  beforeLoad: async () => {
    const overview = await fetchDeployment()
    if (overview && !overview.tryPage) throw notFound()
  },
  component: lazy(() => import('../welcome/Try.tsx'), 'Try'),
})

const sharedIncident = createRoute({
  getParentRoute: () => publicPages,
  path: CONSOLE_PATHS.sharedIncident,
  component: lazy(() => import('../incidents/SharedIncident.tsx'), 'SharedIncident'),
})

export const welcomeRoutes = publicPages.addChildren([start, tryIt, sharedIncident])

const session = createRoute({
  getParentRoute: () => root,
  id: 'session',
  component: SessionLayout,
})

/** Where to go after signing in. */
const next = z.object({ next: optionalParam(z.string()) })

/** Requires no session; otherwise redirects to the console. */
const requireNoSession = async () => {
  const me = await fetchMe()
  if (me) throw redirect({ ...home(me), replace: true })
}

const signIn = createRoute({
  getParentRoute: () => session,
  path: CONSOLE_PATHS.signIn,
  validateSearch: next,
  beforeLoad: requireNoSession,
  component: lazy(() => import('../session/SignIn.tsx'), 'SignIn'),
})

const signUp = createRoute({
  getParentRoute: () => session,
  path: CONSOLE_PATHS.signUp,
  validateSearch: next,
  beforeLoad: requireNoSession,
  component: lazy(() => import('../session/SignUp.tsx'), 'SignUp'),
})

const twoFactor = createRoute({
  getParentRoute: () => session,
  path: CONSOLE_PATHS.twoFactor,
  validateSearch: next,
  component: lazy(() => import('../session/SignIn.tsx'), 'TwoFactor'),
})

const singleSignOn = createRoute({
  getParentRoute: () => session,
  path: CONSOLE_PATHS.singleSignOn,
  validateSearch: z.object({ linking: optionalParam(z.literal('yes')) }),
  // signed in or not
  loader: fetchMe,
  component: lazy(() => import('../session/SingleSignOn.tsx'), 'SingleSignOn'),
})

const verifyEmail = createRoute({
  getParentRoute: () => session,
  path: CONSOLE_PATHS.verifyEmail,
  component: lazy(() => import('../session/VerifyEmail.tsx'), 'VerifyEmail'),
})

const forgot = createRoute({
  getParentRoute: () => session,
  path: CONSOLE_PATHS.forgot,
  component: lazy(() => import('../session/ResetPassword.tsx'), 'Forgot'),
})

const reset = createRoute({
  getParentRoute: () => session,
  path: CONSOLE_PATHS.reset,
  component: lazy(() => import('../session/ResetPassword.tsx'), 'Reset'),
})

const invitation = createRoute({
  getParentRoute: () => session,
  path: CONSOLE_PATHS.invitation,
  // signed in or not
  loader: fetchMe,
  component: lazy(() => import('../session/Invitation.tsx'), 'Invitation'),
})

const reference = createRoute({
  getParentRoute: () => session,
  path: CONSOLE_PATHS.reference,
  beforeLoad: ({ params }) => {
    if (!/^[0-9a-f]{8}$/i.test(params.reference)) throw notFound()
  },
  // signed in or not
  loader: fetchMe,
  component: lazy(() => import('../references/Reference.tsx'), 'Reference'),
})

export const sessionRoutes = session.addChildren([
  signIn,
  signUp,
  twoFactor,
  singleSignOn,
  verifyEmail,
  forgot,
  reset,
  invitation,
  reference,
])

/** The person's own pages, outside of tenants. */
const accountLayout = createRoute({
  getParentRoute: () => root,
  id: 'account-layout',
  beforeLoad: async ({ location }) => void (await requireSession({ location })),
  component: lazy(() => import('../frame/AccountLayout.tsx'), 'AccountLayout'),
})

const account = createRoute({
  getParentRoute: () => accountLayout,
  path: CONSOLE_PATHS.account,
  component: lazy(() => import('../account/Account.tsx'), 'Account'),
})

const onboarding = createRoute({
  getParentRoute: () => accountLayout,
  path: CONSOLE_PATHS.onboarding,
  validateSearch: z.object({
    tenant: optionalParam(z.string()),
    site: optionalParam(z.uuid()),
    /** A verification in the page was completed. */
    tried: optionalParam(z.boolean()),
  }),
  component: lazy(() => import('../onboarding/Onboarding.tsx'), 'Onboarding'),
})

export const accountRoutes = accountLayout.addChildren([account, onboarding])
