import type { OperatorCtx } from '../../server/accounts/access.ts'
import { transact } from '../../server/kit/db/transact.ts'
import { rechain } from './chain.ts'
import { seedChanges } from './changes.ts'
import { charge } from './charge.ts'
import type { Cast, SeedContext } from './context.ts'
import { seedFeedback } from './feedback.ts'
import { seedGrants } from './grants.ts'
import { seedIncidents } from './incidents.ts'
import { seedIntents } from './intents.ts'
import { seedRefusals } from './refusals.ts'
import { seedSignIns } from './signIns.ts'
import { countUsage } from './usage.ts'
import { seedVisits } from './visits.ts'

/** It is done once, and may take as long as a machine under load needs: Prisma has no transactions without a bound. */
const NO_BOUND = { timeout: 24 * 60 * 60 * 1000, maxWait: 60_000 }

/**
 * Five weeks of traffic for both tenants, ending now, and the changes that people made. Written once, in one transaction,
 * and only for tenants without decisions. Charges match decisions. The same moment always gives the same data. When `ending` is
 * aborted, nothing is written, and it throws.
 */
export async function seedHistory(ctx: OperatorCtx, cast: Cast, ending?: AbortSignal): Promise<void> {
  let connection: number | undefined
  // on a slow machine, one statement may take longer than a process may take to end
  const interrupt = () =>
    void ctx.prisma.$queryRaw`select pg_terminate_backend(${connection}::int)`.catch((err: unknown) =>
      ctx.log.debug({ err }, 'the seed could not be interrupted'),
    )
  ending?.addEventListener('abort', interrupt)
  await transact(
    ctx,
    async (tx) => {
      const [own] = await tx.prisma.$queryRaw<{ pid: number }[]>`select pg_backend_pid() as pid`
      connection = own?.pid
      ending?.throwIfAborted()
      const tenants = [cast.demo.id, cast.second.id]
      await tx.prisma.$executeRaw`
        select 1 from tenant where id = any(${tenants}::uuid[]) order by id for no key update`
      if (await isSeeded(tx, tenants)) return
      const sites = await seedChanges(tx, cast)
      await rechain(tx, tenants)
      await seedVisits(tx, sites)
      await seedGrants(tx)
      await charge(tx, tenants)
      await useSecrets(tx, tenants)
      await seedIntents(tx)
      await seedFeedback(tx)
      await seedRefusals(tx, sites)
      await refuseEndedSecrets(tx)
      await seedIncidents(tx, sites)
      await countUsage(tx)
      // last, because sign-ins wait for the chain of the audit that it writes to
      await seedSignIns(tx, tenants)
    },
    NO_BOUND,
  ).finally(() => ending?.removeEventListener('abort', interrupt))
}

/** Secrets were last used by the last decision that they could have made. */
async function useSecrets({ prisma }: SeedContext, tenants: string[]): Promise<void> {
  await prisma.$executeRaw`
    update secret s set last_used_at = d.at, used_by = 'tollgate-node/0.2.0', used_from = '192.0.2.0/24'
    from (
      select s.id, max(d.redeemed_at) as at from secret s join decision d on d.site_id = s.site_id
      where s.tenant_id = any(${tenants}::uuid[]) and d.redeemed_at between s.created_at and coalesce(s.expires_at, now())
      group by s.id
    ) d
    where d.id = s.id`
}

/** The server that still uses an ended secret is the last one that called with it. */
async function refuseEndedSecrets({ prisma }: SeedContext): Promise<void> {
  await prisma.$executeRaw`
    update secret s set refused_at = r.at, used_by = 'tollgate-node/0.2.0', used_from = '198.51.100.0/24'
    from (select site_id, key_hint, max(at) as at from refused where key_hint is not null group by 1, 2) r
    where s.site_id = r.site_id and s.last4 = r.key_hint and s.expires_at < now()`
}

async function isSeeded({ prisma }: SeedContext, tenants: string[]): Promise<boolean> {
  const where = { tenantId: { in: tenants } }
  const [decision, entry] = [await prisma.decision.findFirst({ where }), await prisma.balanceEntry.findFirst({ where })]
  return decision !== null || entry !== null
}
