import type { NetworkVerdict } from '../../contract/networks.ts'
import { newId } from '../../kit/crypto/ids.ts'
import { AppError } from '../../kit/error.ts'
import { cidrText } from '../../kit/http/address.ts'
import { byActor } from '../../ledger/audit/actor.ts'
import { type ActorContext, change } from '../change.ts'
import { byOwner, inAudit, type ListOwner, listable, lockList, mostOf, noteOf } from './owner.ts'

/** Adds a network to a list: immediately on this node, on all nodes within 10 s. Returns it in canonical form. Throws AppError. */
export async function addNetwork(
  ctx: ActorContext,
  owner: ListOwner,
  input: { network: string; verdict: NetworkVerdict; note: string },
): Promise<{ id: string; network: string }> {
  const network = cidrText(listable(input.network))
  const { verdict } = input
  const note = noteOf(input.note)
  return change(ctx, async (ctx) => {
    await lockList(ctx.prisma, owner)
    const where = byOwner(owner)
    if (await ctx.prisma.networkRule.findFirst({ where: { ...where, network } }))
      throw new AppError('network-listed', { network, field: 'network' })
    const most = mostOf(owner)
    if ((await ctx.prisma.networkRule.count({ where })) >= most) throw new AppError('too-many-networks', { most })
    const id = newId()
    await ctx.prisma.networkRule.create({ data: { id, ...where, network, verdict, note, ...byActor(ctx.actor) } })
    return {
      out: { id, network },
      change: { ...inAudit(owner), action: 'network.add', invalidates: true, after: { network, verdict, note } },
    }
  })
}
