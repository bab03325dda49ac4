import type { VisitorCtx } from '../../../accounts/access.ts'
import { timeOf } from '../../../kit/crypto/ids.ts'
import type { Signals } from '../difficulty/work.ts'
import type { Counts } from './counts.ts'
import { type Busy, doublingsOfNetwork, type Network } from './tiers.ts'

/** From this weight of recent challenges on, they count as what is usual for the network. Quieter ones never need it. */
const USUAL_FROM = 24

/** The default difficulty of a site, in expected hashes: what a challenge with a weight of 1 takes. */
const WHOLE_WORK = 1024 * 1024

/** Tenants that are younger raise the difficulty of networks at themselves only. */
const OF_AGE_MS = 7 * 24 * 3_600_000

/** A quarter of what makes a network busy: what counts of one tenant at all others is at most half of it. */
const VOTE = 1 / 4

/** The key of what a tenant counts of a network: the last digits of its id are random. */
export const ownKey = ({ site }: VisitorCtx, { key }: Network): string => key + site.tenantId.slice(-12)

/**
 * The part of a challenge that counts, of those that have a weight already: all of them up to `most`, and beyond it ever less, so
 * that together they never count for more than twice `most`.
 */
const bounded = (weight: number, most: number): number => Math.min(1, (most / weight) ** 2)

/** What is known about how busy a network is, for the visitors of one tenant: what the tenant counted, or all together. */
export function busyAt(ctx: VisitorCtx, counts: Counts, network: Network, now: number): Busy {
  const { key } = network
  const weight = Math.max(counts.of('own').weight(ownKey(ctx, network), now), counts.of('network').weight(key, now))
  const usual = counts.of('usual')
  return {
    weight,
    all: counts.of('all').weight('', now),
    usual: weight < USUAL_FROM ? 0 : (usual.weight(key, now) * counts.of('network').halfLife) / usual.halfLife,
  }
}

/** The busiest network decides with its next challenge; of equally busy ones, the smallest. */
export function busiestOf(
  ctx: VisitorCtx,
  counts: Counts,
  networks: readonly Network[],
  now: number,
): Signals['network'] {
  let busiest = { doublings: 0, tier: 0 }
  for (const network of networks) {
    const busy = busyAt(ctx, counts, network, now)
    const doublings = doublingsOfNetwork(network, { ...busy, weight: busy.weight + 1 })
    if (doublings > busiest.doublings) busiest = { doublings, tier: network.tier }
  }
  return busiest
}

/**
 * Counts a solved challenge of `work` expected hashes in all its networks. One tenant cannot raise the difficulty of a network at
 * others: there a challenge counts as much as its work, those of one tenant count for at most half of what makes a network busy,
 * and those of a new tenant do not count. A wide network is busy only if several of the smaller ones in it are.
 */
export function countBusy(
  ctx: VisitorCtx,
  counts: Counts,
  networks: readonly Network[],
  { work, now }: { work: number; now: number },
): void {
  const whole = Math.min(1, work / WHOLE_WORK)
  const ofAge = now - timeOf(ctx.site.tenantId) >= OF_AGE_MS
  counts.of('all').count('', now, whole)
  let part = 1
  for (const network of networks) {
    const { key, calm } = network
    const own = counts.of('own').count(ownKey(ctx, network), now, part)
    const vote = ofAge ? part * whole * bounded(own, VOTE * calm) : 0
    const all = vote === 0 ? counts.of('network').weight(key, now) : counts.of('network').count(key, now, vote)
    if (Math.max(own, all) >= USUAL_FROM) counts.of('usual').count(key, now, part * whole)
    part *= bounded(Math.max(own, all), calm)
  }
}
