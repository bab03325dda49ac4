import type { Prisma, PrismaClient } from '../../prisma/client/client.ts'

/** A context whose database client may be a transaction's. */
export type Writing = { prisma: PrismaClient | Prisma.TransactionClient }

/**
 * Runs `work` in one transaction. The context it gets shadows the caller's, so that the outer client is out of reach;
 * inside another `transact` it joins the outer transaction.
 */
export async function transact<Ctx extends Writing, Out>(
  ctx: Ctx,
  work: (ctx: Ctx & { prisma: Prisma.TransactionClient }) => Promise<Out>,
): Promise<Out> {
  if (!('$transaction' in ctx.prisma)) return work(ctx)
  return ctx.prisma.$transaction((prisma) => work({ ...ctx, prisma }), { maxWait: 2000, timeout: 10_000 })
}
