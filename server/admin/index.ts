import { auditRouter } from './audit.ts'
import { decisionsRouter } from './decisions.ts'
import { feedbackRouter } from './feedback.ts'
import { grantsRouter } from './grants.ts'
import { hostnamesRouter } from './hostnames.ts'
import { incidentsRouter } from './incidents.ts'
import { keysRouter } from './keys.ts'
import { membersRouter } from './members.ts'
import { networksRouter } from './networks.ts'
import { referencesRouter } from './references.ts'
import { refusalsRouter } from './refusals.ts'
import { secretsRouter } from './secrets.ts'
import { sessionRouter } from './session.ts'
import { sitesRouter } from './sites.ts'
import { staffRouter } from './staff.ts'
import { systemRouter } from './system.ts'
import { tenantsRouter } from './tenants.ts'
import { router } from './trpc.ts'
import { usageRouter } from './usage.ts'
import { webhooksRouter } from './webhooks.ts'

/** The console's API: one router per noun. */
export const appRouter = router({
  audit: auditRouter,
  decisions: decisionsRouter,
  feedback: feedbackRouter,
  grants: grantsRouter,
  hostnames: hostnamesRouter,
  incidents: incidentsRouter,
  keys: keysRouter,
  members: membersRouter,
  networks: networksRouter,
  references: referencesRouter,
  refusals: refusalsRouter,
  secrets: secretsRouter,
  session: sessionRouter,
  sites: sitesRouter,
  staff: staffRouter,
  system: systemRouter,
  tenants: tenantsRouter,
  usage: usageRouter,
  webhooks: webhooksRouter,
})

export type AppRouter = typeof appRouter
