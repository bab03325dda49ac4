import type { OperatorCtx } from '../../server/accounts/access.ts'
import { transact } from '../../server/kit/transact.ts'
import { charge } from './charge.ts'
import { tellFeedback } from './feedback.ts'
import { tellGrants } from './grants.ts'
import { tellHistory } from './history.ts'
import { keepIntents } from './intents.ts'
import { tellRefusals } from './refusals.ts'
import { countUsage } from './usage.ts'
import { tellVisits } from './visits.ts'

/** Who the story is about. */
export type Cast = {
  demo: { id: string }
  second: { id: string }
  /** The demo shop's site. */
  shop: { id: string; tenantId: string }
  /** The second tenant's site. */
  boxOffice: { id: string; tenantId: string }
  owner: { id: string }
  admin: { id: string }
  developer: { id: string }
  lead: { id: string }
}

/** A machine under load takes its time; the story must not fail for that. */
const TELLING_MS = 60_000

/**
 * Five weeks of traffic for both tenants, ending now, and how they came here: written once, whole or not at all, into
 * empty books only. Its charges reconcile. The same moment always tells the same story.
 */
export async function tellStory(ctx: OperatorCtx, cast: Cast): Promise<void> {
  await transact(
    ctx,
    async (telling) => {
      const tenants = [cast.demo.id, cast.second.id]
      await telling.prisma.$executeRaw`
        select 1 from tenant where id = any(${tenants}::uuid[]) order by id for no key update`
      if (await isTold(telling, tenants)) return
      const sites = await tellHistory(telling, cast)
      await tellVisits(telling, sites)
      await tellGrants(telling)
      await charge(telling, tenants)
      await keepIntents(telling)
      await tellFeedback(telling)
      await tellRefusals(telling, sites)
      await countUsage(telling)
    },
    { timeout: TELLING_MS },
  )
}

async function isTold({ prisma }: Telling, tenants: string[]): Promise<boolean> {
  const where = { tenantId: { in: tenants } }
  const [decision, entry] = [await prisma.decision.findFirst({ where }), await prisma.balanceEntry.findFirst({ where })]
  return decision !== null || entry !== null
}

/** The operator inside the one transaction. */
export type Telling = Omit<OperatorCtx, 'prisma'> & {
  prisma: Parameters<Parameters<OperatorCtx['prisma']['$transaction']>[0]>[0]
}
