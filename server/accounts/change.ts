import type { Prisma } from '../../prisma/client/client.ts'
import { DEPLOYMENT, type Invalidations, notify } from '../kit/db/invalidations.ts'
import { afterCommit, type Db, transact } from '../kit/db/transact.ts'
import { type Actor, byActor } from '../ledger/audit/actor.ts'
import { recordAudit } from '../ledger/audit/record.ts'

/** The context of a change, with the actor for the audit. */
export type ActorContext = Db & { actor: Actor; invalidations: Pick<Invalidations, 'publish'> }

export type Change = {
  tenantId: string | null
  /** Noun and verb, such as `secret.rotate`. */
  action: string
  target: string
  /** The id of the audit row, if the change refers to it; otherwise a new id. */
  id?: string
  /** The verification path caches some of this: every node drops its cache of the tenant (or of what belongs to none), this node immediately. */
  invalidates?: true
  /** The values before and after; never a secret. */
  before?: Prisma.InputJsonObject
  after?: Prisma.InputJsonObject
}

/**
 * Every audited change: it and its audit row are committed in one transaction. `work` returns its
 * result and the audit entry, which is null only for a repetition that changed nothing.
 */
export async function change<Ctx extends ActorContext, Out>(
  ctx: Ctx,
  work: (ctx: Ctx & { prisma: Prisma.TransactionClient }) => Promise<{ out: Out; change: Change | null }>,
): Promise<Out> {
  return transact(ctx, async (ctx) => {
    const { out, change } = await work(ctx)
    if (change === null) return out
    const { invalidates, ...event } = change
    await recordAudit(ctx, { ...byActor(ctx.actor), ...event })
    if (invalidates) {
      const changed = event.tenantId ?? DEPLOYMENT
      await notify(ctx.prisma, changed)
      afterCommit(ctx, () => ctx.invalidations.publish(changed))
    }
    return out
  })
}
