import { AppError } from '../../kit/error.ts'
import { cidrText } from '../../kit/http/address.ts'
import { type ActorContext, change } from '../change.ts'
import { byOwner, inAudit, type ListOwner, listable, lockList, noteOf } from './owner.ts'

/**
 * Removes a network from a list: immediately on this node, on all nodes within 10 s. `reason` is for the audit. Returns what
 * was removed. Throws AppError.
 */
export async function removeNetwork(
  ctx: ActorContext,
  owner: ListOwner,
  input: { network: string; reason?: string },
): Promise<{ network: string; verdict: 'allow' | 'dear' | 'deny'; note: string }> {
  const network = cidrText(listable(input.network))
  const after = input.reason === undefined ? {} : { after: { reason: noteOf(input.reason) } }
  return change(ctx, async (ctx) => {
    await lockList(ctx.prisma, owner)
    const row = await ctx.prisma.networkRule.findFirst({ where: { ...byOwner(owner), network } })
    if (!row) throw new AppError('network-not-listed', { network })
    await ctx.prisma.networkRule.deleteMany({ where: { id: row.id, ...byOwner(owner) } })
    const { verdict, note } = row
    return {
      out: { network, verdict, note },
      change: {
        ...inAudit(owner),
        action: 'network.remove',
        invalidates: true,
        before: { network, verdict, note },
        ...after,
      },
    }
  })
}
