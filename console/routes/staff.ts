import { createRoute, notFound, redirect } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { CONSOLE_PATHS } from '../../server/contract/consolePaths.ts'
import { staffAuditFilters } from '../../server/contract/filters.ts'
import { prefetchDeployment } from '../frame/deployment.ts'
import { NotFound } from '../frame/ErrorPage.tsx'
import { fetchMe } from '../session/me.ts'
import { filterParams, optionalParam } from '../ui/form/period.ts'
import { lazy, requireSession, root } from './root.ts'

/** For staff; not found for others. */
const staff = createRoute({
  getParentRoute: () => root,
  path: CONSOLE_PATHS.staff,
  beforeLoad: async ({ location }) => {
    const [me] = await Promise.all([requireSession({ location }), prefetchDeployment()])
    if (!me.staff) throw notFound()
  },
  component: lazy(() => import('../staff/StaffLayout.tsx'), 'StaffLayout'),
  // shown within the layout
  notFoundComponent: NotFound,
})

const staffSearch = createRoute({
  getParentRoute: () => staff,
  path: '/',
  validateSearch: z.object({ q: optionalParam(z.string()) }),
  component: lazy(() => import('../staff/Search.tsx'), 'Search'),
})

const staffTrace = createRoute({
  getParentRoute: () => staff,
  path: 'trace/$id',
  component: lazy(() => import('../staff/Trace.tsx'), 'Trace'),
})

const staffTenants = createRoute({
  getParentRoute: () => staff,
  path: 'tenants',
  validateSearch: z.object({ q: optionalParam(z.string()), attention: optionalParam(z.boolean()) }),
  component: lazy(() => import('../staff/Tenants.tsx'), 'Tenants'),
})

const staffTenant = createRoute({
  getParentRoute: () => staff,
  path: 'tenants/$tenant',
  validateSearch: z.object({
    /** Opens the dialog that tops up the balance, with this many units. */
    topUp: optionalParam(z.int().check(z.positive())),
  }),
  component: lazy(() => import('../staff/Tenant.tsx'), 'Tenant'),
})

const staffUsage = createRoute({
  getParentRoute: () => staff,
  path: 'usage',
  validateSearch: z.object({ month: optionalParam(z.string().check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/))) }),
  component: lazy(() => import('../staff/Usage.tsx'), 'Usage'),
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
    ...filterParams(staffAuditFilters),
    event: optionalParam(z.uuid()),
  }),
  component: lazy(() => import('../staff/Audit.tsx'), 'Audit'),
})

const approvals = createRoute({
  getParentRoute: () => staff,
  path: 'approvals',
  component: lazy(() => import('../staff/Approvals.tsx'), 'Approvals'),
})

const staffNetworks = createRoute({
  getParentRoute: () => leads,
  path: 'networks',
  component: lazy(() => import('../staff/Networks.tsx'), 'Networks'),
})

const erasure = createRoute({
  getParentRoute: () => leads,
  path: 'erasure',
  component: lazy(() => import('../staff/Erasure.tsx'), 'Erasure'),
})

/** An address from before the failed jobs were a part of the page. */
const failedJobs = createRoute({
  getParentRoute: () => leads,
  path: 'jobs',
  beforeLoad: () => {
    throw redirect({ to: '/staff/system', hash: 'failed-jobs', replace: true })
  },
})

const system = createRoute({
  getParentRoute: () => leads,
  path: 'system',
  component: lazy(() => import('../staff/System.tsx'), 'System'),
})

export const staffRoutes = staff.addChildren([
  staffSearch,
  staffTrace,
  staffTenants,
  staffTenant,
  staffUsage,
  approvals,
  leads.addChildren([staffNetworks, erasure, staffAudit, failedJobs, system]),
])
