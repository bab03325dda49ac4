import type { Prisma } from '../../prisma/client/client.ts'
import { newId } from '../kit/ids.ts'
import { transact, type Writing } from '../kit/transact.ts'

/** Who changes something, for the audit. */
export type Acting = Writing & { actor: string }

export type Change = {
  tenantId: string | null
  /** Noun and verb, such as `secret.rotate`. */
  action: string
  target: string
  /** What was and what is; never a secret. */
  before?: Prisma.InputJsonObject
  after?: Prisma.InputJsonObject
}

/**
 * The only way in which accounts are written: the work and its audit row commit together or not at all.
 * The work returns its result and what to say of it.
 */
export async function change<Ctx extends Acting, Out>(
  ctx: Ctx,
  work: (ctx: Ctx & { prisma: Prisma.TransactionClient }) => Promise<{ out: Out; change: Change }>,
): Promise<Out> {
  return transact(ctx, async (ctx) => {
    const { out, change } = await work(ctx)
    await ctx.prisma.auditEvent.create({ data: { id: newId(), actor: ctx.actor, ...change } })
    return out
  })
}
