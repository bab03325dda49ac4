import type { ClientAddress, Prefix } from '../../../kit/http/client.ts'
import { doublings, MAX_WORK } from '../difficulty/work.ts'

/** The tier of a hosting or tunnel provider. */
export const PROVIDER = 4

type Tier = { tier: number; calm: number; share: number; unsolved: number }

/**
 * The networks that an address belongs to, from one customer's to a provider's, as they can be rented: a server has an IPv4
 * address or a /64, a small provider a /48 or a /24, a large one a /32. `calm`: the weight of solved challenges (half-life 2
 * minutes; one a minute is 2.9) up to which the network raises nothing. `share`: or up to this share of the challenges of
 * all other networks of the deployment, because behind a carrier's address there are as many visitors as the deployment has.
 * `unsolved`: the unsolved challenges that it may have at a time from one tenant before its visitors wait in line (line.ts):
 * 64 are five visits a second that take 12 s each. Tuned with assurance/bench/attack/simulate.
 */
const TIERS: Record<Prefix | 'provider', Tier> = {
  'v4/32': { tier: 0, calm: 192, share: 0.011, unsolved: 64 },
  'v4/24': { tier: 2, calm: 768, share: 0.03, unsolved: 256 },
  'v6/64': { tier: 0, calm: 192, share: 0.011, unsolved: 64 },
  'v6/56': { tier: 1, calm: 192, share: 0.011, unsolved: 64 },
  'v6/48': { tier: 2, calm: 384, share: 0.02, unsolved: 64 },
  'v6/32': { tier: 3, calm: 4096, share: 0.5, unsolved: 512 },
  /** All addresses of a hosting or tunnel provider (providers.ts), which are rented by the hour, or for nothing. */
  provider: { tier: PROVIDER, calm: 384, share: 0.02, unsolved: 64 },
}

/** A network of a client, with its place in the table above. */
export type Network = Tier & { key: string }

/** The networks of an address, the smallest first, and the hosting provider that it belongs to. `keyOf` makes their keys. */
export function networksOf(
  address: ClientAddress,
  provider?: string,
  keyOf = (network: string): string => network,
): Network[] {
  const networks = address.networks.map(({ prefix, network }) => ({ key: keyOf(network), ...TIERS[prefix] }))
  return provider === undefined ? networks : [...networks, { key: keyOf(provider), ...TIERS.provider }]
}

const IPV4 = ['v4/32', 'v4/24'] as const
const IPV6 = ['v6/64', 'v6/56', 'v6/48', 'v6/32'] as const

/** The networks of an address again, from the keys that `networksOf` gave them. */
export function networksOfKeys(keys: readonly string[]): Network[] {
  const prefixes = [...(keys.length > 3 ? IPV6 : IPV4), 'provider'] as const
  return keys.flatMap((key, i) => {
    const prefix = prefixes[i]
    return prefix ? [{ key, ...TIERS[prefix] }] : []
  })
}

/** Weights of recent challenges: the network's own, all networks', and what is usual for this one. */
export type Busy = { weight: number; all: number; usual: number }

/** A network may have so many times the challenges that are usual for it: days differ, and so do hours. */
const ABOVE_USUAL = 3
/** But no more than this multiple of `calm`, so that a busy network is not free of charge after some days. */
const MOST_USUAL = 12

/** The weight up to which the network raises nothing. */
const threshold = ({ calm, share }: Tier, { weight, all, usual }: Busy): number =>
  Math.max(calm, share * (all - weight), Math.min(ABOVE_USUAL * usual, MOST_USUAL * calm))

/** How often a network doubles the difficulty. */
export const doublingsOfNetwork = (tier: Tier, busy: Busy): number => doublings(busy.weight, threshold(tier, busy))

/** Seconds that a challenge of the maximum difficulty takes on a slow phone. */
const LONGEST = 12

/**
 * Of a weight of recent challenges, the part that may be unsolved at a time: each takes up to 12 s, and visitors come at
 * random, so twice the mean.
 */
const AT_A_TIME = (2 * LONGEST * Math.LN2) / 120

/**
 * The unsolved challenges of `work` expected hashes that a network may have at a time from one tenant, and the visits a
 * second that this is.
 */
export function roomOf(tier: Tier, busy: Busy, work: number): { slots: number; perSecond: number } {
  const slots = Math.max(tier.unsolved, AT_A_TIME * threshold(tier, busy))
  return { slots: slots * Math.max(1, work / MAX_WORK), perSecond: slots / LONGEST }
}
