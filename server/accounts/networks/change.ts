import type { NetworkVerdict } from '../../contract/networks.ts'
import { AppError } from '../../kit/error.ts'
import { cidrText } from '../../kit/http/address.ts'
import { byActor } from '../../ledger/audit/actor.ts'
import { type ActorContext, change } from '../change.ts'
import { byOwner, inAudit, type ListOwner, listable, lockList, noteOf } from './owner.ts'

/** Changes what a list says about a network. Throws AppError. */
export async function changeNetwork(
  ctx: ActorContext,
  owner: ListOwner,
  input: { network: string; verdict: NetworkVerdict; note: string },
): Promise<{ id: string; network: string }> {
  const network = cidrText(listable(input.network))
  const after = { network, verdict: input.verdict, note: noteOf(input.note) }
  return change(ctx, async (ctx) => {
    await lockList(ctx.prisma, owner)
    const row = await ctx.prisma.networkRule.findFirst({ where: { ...byOwner(owner), network } })
    if (!row) throw new AppError('network-not-listed', { network })
    await ctx.prisma.networkRule.updateMany({
      where: { id: row.id, ...byOwner(owner) },
      data: { verdict: after.verdict, note: after.note, ...byActor(ctx.actor), changedAt: new Date() },
    })
    return {
      out: { id: row.id, network },
      change: {
        ...inAudit(owner),
        action: 'network.change',
        invalidates: true,
        before: { network, verdict: row.verdict, note: row.note },
        after,
      },
    }
  })
}
