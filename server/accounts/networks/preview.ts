import type { NetworkVerdict } from '../../contract/networks.ts'
import type { Db } from '../../kit/db/transact.ts'
import { cidrText, contains, parseAddress } from '../../kit/http/address.ts'
import { byOwner, type ListOwner, listable } from './owner.ts'

/** What a network would cover. */
export type NetworkPreview = {
  /** In canonical form. */
  network: string
  family: 4 | 6
  bits: number
  /** What the list says about it already. */
  listed: NetworkVerdict | null
  /** The address of the person who asks, if the network contains it. */
  yours: string | null
}

/** Previews a network before it is added to a list. `address`: of the person. Throws AppError. */
export async function previewNetwork(
  ctx: Db,
  owner: ListOwner,
  input: { network: string; address: string },
): Promise<NetworkPreview> {
  const cidr = listable(input.network)
  const network = cidrText(cidr)
  const listed = await ctx.prisma.networkRule.findFirst({
    where: { ...byOwner(owner), network },
    select: { verdict: true },
  })
  const own = parseAddress(input.address)
  return {
    network,
    family: cidr.family,
    bits: cidr.bits,
    listed: listed?.verdict ?? null,
    yours: own && contains(cidr, own) ? input.address : null,
  }
}
