import { createRoute, redirect } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { home } from '../session/home.ts'
import { fetchMe } from '../session/me.ts'
import { lenient } from '../ui/form/lenient.ts'
import { lazy } from './lazy.ts'
import { root, signedIn } from './root.ts'

const session = createRoute({
  getParentRoute: () => root,
  id: 'session',
  component: lazy(() => import('../frame/SessionFrame.tsx'), 'SessionFrame'),
})

/** Where to go after signing in. */
const next = z.object({ next: lenient(z.string()) })

/** Requires no session; otherwise redirects to the console. */
const stranger = async () => {
  const me = await fetchMe()
  if (me) throw redirect({ ...home(me), replace: true })
}

const signIn = createRoute({
  getParentRoute: () => session,
  path: 'sign-in',
  validateSearch: next,
  beforeLoad: stranger,
  component: lazy(() => import('../session/SignIn.tsx'), 'SignIn'),
})

const signUp = createRoute({
  getParentRoute: () => session,
  path: 'sign-up',
  validateSearch: next,
  beforeLoad: stranger,
  component: lazy(() => import('../session/SignUp.tsx'), 'SignUp'),
})

const twoFactor = createRoute({
  getParentRoute: () => session,
  path: 'two-factor',
  validateSearch: next,
  component: lazy(() => import('../session/TwoFactor.tsx'), 'TwoFactor'),
})

const verifyEmail = createRoute({
  getParentRoute: () => session,
  path: 'verify-email',
  component: lazy(() => import('../session/VerifyEmail.tsx'), 'VerifyEmail'),
})

const forgot = createRoute({
  getParentRoute: () => session,
  path: 'forgot',
  component: lazy(() => import('../session/Forgot.tsx'), 'Forgot'),
})

const reset = createRoute({
  getParentRoute: () => session,
  path: 'reset',
  component: lazy(() => import('../session/Reset.tsx'), 'Reset'),
})

const invitation = createRoute({
  getParentRoute: () => session,
  path: 'invite/$id',
  beforeLoad: async ({ location }) => void (await signedIn({ location })),
  component: lazy(() => import('../session/Invitation.tsx'), 'Invitation'),
})

export const sessionRoutes = session.addChildren([signIn, signUp, twoFactor, verifyEmail, forgot, reset, invitation])
