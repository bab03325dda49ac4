import { createRoute, notFound } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { NotFound } from '../frame/NotFound.tsx'
import { trafficSearch } from '../traffic/search.ts'
import { lenient } from '../ui/form/lenient.ts'
import { lazy } from './lazy.ts'
import { tenant } from './tenant.ts'

const site = createRoute({
  getParentRoute: () => tenant,
  path: 'sites/$site',
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

const integrate = createRoute({
  getParentRoute: () => site,
  path: 'integrate',
  validateSearch: z.object({ language: lenient(z.enum(['curl', 'node', 'python'])) }),
  component: lazy(() => import('../sites/Integrate.tsx'), 'Integrate'),
})

const siteSettings = createRoute({
  getParentRoute: () => site,
  path: 'settings',
  component: lazy(() => import('../sites/Settings.tsx'), 'Settings'),
})

export const siteRoutes = site.addChildren([siteOverview, keys, hostnames, integrate, siteSettings])
