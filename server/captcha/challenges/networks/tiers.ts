import { type Prefix, prefixesOf } from '../../../kit/network.ts'
import { doublings } from '../difficulty/work.ts'

/**
 * The networks that an address belongs to, from one customer's to a provider's, as they can be rented: a server has an IPv4
 * address or a /64, a small provider a /48 or a /24, a large one a /32. `calm`: the weight of recent challenges (half-life 2
 * minutes; one a minute is 2.9) up to which the network raises nothing. `share`: or up to this share of the challenges of
 * all other networks of the deployment, because behind a carrier's address there are as many visitors as the deployment has.
 */
const TIERS: Record<Prefix, { tier: number; calm: number; share: number }> = {
  'v4/32': { tier: 0, calm: 48, share: 0.005 },
  'v4/24': { tier: 2, calm: 384, share: 0.02 },
  'v6/64': { tier: 0, calm: 48, share: 0.005 },
  'v6/56': { tier: 1, calm: 96, share: 0.01 },
  'v6/48': { tier: 2, calm: 192, share: 0.02 },
  'v6/32': { tier: 3, calm: 4096, share: 0.5 },
}

/** A network of a client, with its place in the table above. */
export type Network = { key: string; tier: number; calm: number; share: number }

/** The networks of an address, the smallest first. */
export const networksOf = (address: string): Network[] =>
  prefixesOf(address).map(({ prefix, network }) => ({ key: network, ...TIERS[prefix] }))

/** How often a network doubles the difficulty: `weight` of its own challenges, `all` of all networks. */
export const doublingsOfNetwork = ({ calm, share }: Network, weight: number, all: number): number =>
  doublings(weight, Math.max(calm, share * (all - weight)))
