import { createRoute, redirect } from '@tanstack/react-router'
import { Public } from '../frame/Public.tsx'
import { home } from '../session/home.ts'
import { fetchMe } from '../session/me.ts'
import { lazy } from './lazy.ts'
import { root } from './root.ts'

const open = createRoute({ getParentRoute: () => root, id: 'public', component: Public })

const start = createRoute({
  getParentRoute: () => open,
  path: '/',
  beforeLoad: async () => {
    // The start page says what is wrong when the service does not answer: not knowing counts as signed out here.
    const me = await fetchMe().catch(() => null)
    if (me) throw redirect({ ...home(me), replace: true })
  },
  component: lazy(() => import('../welcome/Welcome.tsx'), 'Welcome'),
})

export const welcomeRoutes = open.addChildren([start])
