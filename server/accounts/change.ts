import type { Prisma } from '../../prisma/client/client.ts'
import { newId } from '../kit/ids.ts'
import { type Invalidations, notify } from '../kit/invalidations.ts'
import { afterCommit, type Db, transact } from '../kit/transact.ts'

/** Who changes something, for the audit. */
export type ActorContext = Db & { actor: string; invalidations: Pick<Invalidations, 'publish'> }

export type Change = {
  tenantId: string | null
  /** Noun and verb, such as `secret.rotate`. */
  action: string
  target: string
  /** Of the audit row, where the work has to name it; else a new one. */
  id?: string
  /** The road keeps something of it in mind: every node drops what it knows of the tenant, this one at once. */
  invalidates?: true
  /** What was and what is; never a secret. */
  before?: Prisma.InputJsonObject
  after?: Prisma.InputJsonObject
}

/**
 * The only way in which accounts are written: the work and its audit row commit together or not at all.
 * The work returns its result and what to say of it.
 */
export async function change<Ctx extends ActorContext, Out>(
  ctx: Ctx,
  work: (ctx: Ctx & { prisma: Prisma.TransactionClient }) => Promise<{ out: Out; change: Change }>,
): Promise<Out> {
  return transact(ctx, async (ctx) => {
    const { out, change } = await work(ctx)
    const { invalidates, ...event } = change
    await ctx.prisma.auditEvent.create({ data: { id: newId(), actor: ctx.actor, ...event } })
    const { tenantId } = event
    if (invalidates && tenantId !== null) {
      await notify(ctx.prisma, tenantId)
      afterCommit(ctx, () => ctx.invalidations.publish(tenantId))
    }
    return out
  })
}
