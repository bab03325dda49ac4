import { auditRouter } from './audit.ts'
import { hostnamesRouter } from './hostnames.ts'
import { membersRouter } from './members.ts'
import { secretsRouter } from './secrets.ts'
import { sessionRouter } from './session.ts'
import { sitesRouter } from './sites.ts'
import { systemRouter } from './system.ts'
import { tenantsRouter } from './tenants.ts'
import { router } from './trpc.ts'
import { usageRouter } from './usage.ts'

/** The console's API: one router per noun. */
export const appRouter = router({
  audit: auditRouter,
  hostnames: hostnamesRouter,
  members: membersRouter,
  secrets: secretsRouter,
  session: sessionRouter,
  sites: sitesRouter,
  system: systemRouter,
  tenants: tenantsRouter,
  usage: usageRouter,
})

export type AppRouter = typeof appRouter
