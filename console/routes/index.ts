import { ownRoutes } from './own.ts'
import { root } from './root.ts'
import { sessionRoutes } from './session.ts'
import { siteRoutes } from './site.ts'
import { staffRoutes } from './staff.ts'
import { tenant, tenantPages } from './tenant.ts'
import { welcomeRoutes } from './welcome.ts'

/**
 * Every page of the console, in the order of its navigation. A page's search parameters (filters, tab, open drawer) are
 * validated by `validateSearch`: unknown values fall back to the default instead of failing the page.
 */
export const routeTree = root.addChildren([
  welcomeRoutes,
  sessionRoutes,
  ownRoutes,
  staffRoutes,
  tenant.addChildren([...tenantPages, siteRoutes]),
])
