import { newId } from '../../kit/crypto/ids.ts'
import type { Db } from '../../kit/db/transact.ts'
import { AppError } from '../../kit/error.ts'
import { type Actor, byActor } from '../audit/actor.ts'
import { lockPeriod } from './quotaPeriod.ts'

/**
 * Adds prepaid units (negative: removes them) and records actor and reason, in the caller's transaction.
 * Invariant: balance = sum of entries − decisions charged to it. Throws AppError where the balance
 * would be below zero.
 */
export async function topUp(
  ctx: Db,
  { actor, ...entry }: { tenantId: string; units: number; reason: string; undoes?: string; id?: string; actor: Actor },
): Promise<{ id: string; before: bigint; after: bigint }> {
  await lockPeriod(ctx, entry.tenantId)
  const { units: before } = await ctx.prisma.balance.upsert({
    where: { tenantId: entry.tenantId },
    create: { tenantId: entry.tenantId },
    update: {},
  })
  const after = before + BigInt(entry.units)
  if (after < 0n) throw new AppError('balance-too-low', { units: before, removed: -entry.units })
  await ctx.prisma.balance.update({ where: { tenantId: entry.tenantId }, data: { units: { increment: entry.units } } })
  const { id } = await ctx.prisma.balanceEntry.create({
    data: { id: newId(), ...byActor(actor), ...entry },
    select: { id: true },
  })
  return { id, before, after }
}
