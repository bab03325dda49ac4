import type { OperatorCtx } from '../../server/accounts/access.ts'
import { transact } from '../../server/kit/transact.ts'
import { rechain } from './chain.ts'
import { seedChanges } from './changes.ts'
import { charge } from './charge.ts'
import { seedFeedback } from './feedback.ts'
import { seedGrants } from './grants.ts'
import { seedIntents } from './intents.ts'
import { seedRefusals } from './refusals.ts'
import { countUsage } from './usage.ts'
import { seedVisits } from './visits.ts'

/** The tenants, sites and people of the demo data. */
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

/** Generous, so that seeding does not fail on a machine under load. */
const TIMEOUT_MS = 60_000

/**
 * Five weeks of traffic for both tenants, ending now, and the changes that people made. Written once, in one transaction,
 * and only for tenants without decisions. Charges match decisions. The same moment always gives the same data.
 */
export async function seedHistory(ctx: OperatorCtx, cast: Cast): Promise<void> {
  await transact(
    ctx,
    async (tx) => {
      const tenants = [cast.demo.id, cast.second.id]
      await tx.prisma.$executeRaw`
        select 1 from tenant where id = any(${tenants}::uuid[]) order by id for no key update`
      if (await isSeeded(tx, tenants)) return
      const sites = await seedChanges(tx, cast)
      await rechain(tx, tenants)
      await seedVisits(tx, sites)
      await seedGrants(tx)
      await charge(tx, tenants)
      await seedIntents(tx)
      await seedFeedback(tx)
      await seedRefusals(tx, sites)
      await countUsage(tx)
    },
    { timeout: TIMEOUT_MS },
  )
}

async function isSeeded({ prisma }: SeedContext, tenants: string[]): Promise<boolean> {
  const where = { tenantId: { in: tenants } }
  const [decision, entry] = [await prisma.decision.findFirst({ where }), await prisma.balanceEntry.findFirst({ where })]
  return decision !== null || entry !== null
}

/** The operator's context inside the transaction. */
export type SeedContext = Omit<OperatorCtx, 'prisma'> & {
  prisma: Parameters<Parameters<OperatorCtx['prisma']['$transaction']>[0]>[0]
}
