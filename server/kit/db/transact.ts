import type { Prisma, PrismaClient } from '../../../prisma/client/client.ts'

/**
 * Marks a context that is inside a transaction. The client does not show it: a transaction's client has `$transaction` as
 * well, and calling it opens a savepoint with its own timeout.
 */
const TRANSACTION = Symbol('transaction')

type Transaction = { afterCommit: (() => void)[] }

/** A context with a database client that may belong to a transaction. */
export type Db = { prisma: PrismaClient | Prisma.TransactionClient; [TRANSACTION]?: Transaction }

/**
 * Runs `work` in one transaction. The context that `work` gets shadows the caller's, so that the outer client is out of
 * reach. Inside another `transact`, it joins the outer transaction: an error rolls back all of it, and the outer
 * `timeout` (milliseconds) applies. `maxWait`: for a connection.
 */
export async function transact<Ctx extends Db, Out>(
  ctx: Ctx,
  work: (ctx: Ctx & { prisma: Prisma.TransactionClient }) => Promise<Out>,
  { timeout = 10_000, maxWait = 2000 }: { timeout?: number; maxWait?: number } = {},
): Promise<Out> {
  if (ctx[TRANSACTION]) return work(ctx)
  const transaction: Transaction = { afterCommit: [] }
  const out = await (ctx.prisma as PrismaClient).$transaction(
    (prisma) => work({ ...ctx, prisma, [TRANSACTION]: transaction }),
    { maxWait, timeout },
  )
  for (const effect of transaction.afterCommit) effect()
  return out
}

/** Runs `effect` after the outermost transaction has committed; never if it rolls back. Outside a transaction, immediately. */
export function afterCommit(ctx: Db, effect: () => void): void {
  const transaction = ctx[TRANSACTION]
  if (transaction) transaction.afterCommit.push(effect)
  else effect()
}
