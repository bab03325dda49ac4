import { hash } from 'node:crypto'
import type { VisitorCtx } from '../../../accounts/access.ts'
import type { Context, Resource } from '../../../kit/context.ts'
import { AppError } from '../../../kit/error.ts'
import { feedbackDoublings } from '../../feedback/raise.ts'
import { noticedAtChallenge } from '../hints/notice.ts'
import { COUNTS, type Counts } from '../networks/counts.ts'
import { listOf } from '../networks/lists.ts'
import { doublingsOfNetwork, mostUnsolved, type Network, networksOf } from '../networks/tiers.ts'
import type { Policy, Signals } from './work.ts'

/**
 * The keyed hash of what is counted, as text of 66 bits: other nodes, Redis and the database get no address. SHA-256 of key
 * and text takes a third of the time of an HMAC, and is as good because no one sees the whole hash.
 */
const KEYED_HASH: Resource<(text: string) => string> = {
  name: 'keyed hash of counts',
  make({ keyring }: Context) {
    const key = Buffer.from(keyring.current.hmac(Buffer.from('counts\0'), Buffer.alloc(0)), 'latin1')
    // with a network it fits into one block of SHA-256
    const prefix = `${key.toString('base64url').slice(0, 22)} `
    return (text) => hash('sha256', prefix + text, 'base64url').slice(0, 11)
  },
}

/** The networks of the visitor, with keyed hashes as keys. */
export const hashedNetworks = (ctx: VisitorCtx): Network[] =>
  networksOf(ctx.visitor.address, ctx.resources.of(KEYED_HASH))

/** How long the component waits before it asks again, in seconds: one of the unsolved challenges may be solved by then. */
const UNSOLVED_RETRY = 5

/**
 * Counts a challenge of this visitor and subject, and returns how busy they and the site have been. Throws `rate-limited`,
 * and counts nothing, if one of the visitor's networks has too many unsolved challenges.
 */
export function countChallenge(
  ctx: VisitorCtx,
  subject: string | null,
  workMode: Policy['workMode'],
  now: number,
): Signals {
  const counts = ctx.resources.of(COUNTS)
  const list = listOf(ctx)
  const networks = hashedNetworks(ctx)
  if (list !== 'allow' && !ctx.site.test) assertUnsolved(counts, networks, workMode === 'attack', now)
  const site = ctx.site.id
  const recent = counts.of('siteNow').count(site, now)
  const usual = counts.of('siteUsual').count(site, now)
  const key = subject === null ? undefined : ctx.resources.of(KEYED_HASH)(`${site} ${subject}`)
  const signals: Signals = {
    network: countNetworks(counts, networks, now, ctx.site.test === undefined),
    subject: key === undefined ? 0 : counts.of('subject').count(key, now),
    siteNow: counts.of('siteNow').rate(site, recent, now),
    siteUsual: counts.of('siteUsual').rate(site, usual, now),
    feedback: feedbackDoublings(ctx, subject, now),
    list,
    hints: noticedAtChallenge(ctx, now),
  }
  counts.changed()
  return signals
}

/** Counts that the visitor solved a challenge. */
export function countSolved(ctx: VisitorCtx, { issuedAt }: { issuedAt: number }, now: number): void {
  const counts = ctx.resources.of(COUNTS)
  const unsolved = counts.of('unsolved')
  // what is left of the weight that it was counted with
  const left = unsolved.left(now - issuedAt)
  for (const { key } of hashedNetworks(ctx)) unsolved.count(key, now, -left)
  counts.changed()
}

/** From this weight of recent challenges on, they count as what is usual for the network. Quieter ones never need it. */
const USUAL_FROM = 24

/** The network's usual weight of recent challenges. */
function usualOf(counts: Counts, key: string, now: number): number {
  const usual = counts.of('usual')
  return (usual.weight(key, now) * counts.of('network').halfLife) / usual.halfLife
}

function assertUnsolved(counts: Counts, networks: readonly Network[], isAttack: boolean, now: number): void {
  for (const network of networks) {
    const unsolved = counts.of('unsolved').weight(network.key, now)
    // few networks have so many that the bound has to be known
    if (unsolved < (isAttack ? 2 : 7)) continue
    const weight = counts.of('network').weight(network.key, now)
    const busy = { weight, all: counts.of('all').weight('', now), usual: usualOf(counts, network.key, now) }
    if (unsolved + 1 > mostUnsolved(network, busy, isAttack))
      throw new AppError('rate-limited', { retryAfter: UNSOLVED_RETRY })
  }
}

/** Counts a challenge in all networks of the visitor. The busiest decides: of equally busy ones, the smallest. */
function countNetworks(
  counts: Counts,
  networks: readonly Network[],
  now: number,
  solvable: boolean,
): Signals['network'] {
  const all = counts.of('all').count('', now)
  let busiest = { doublings: 0, tier: 0 }
  for (const network of networks) {
    const { key } = network
    const weight = counts.of('network').count(key, now)
    if (solvable) counts.of('unsolved').count(key, now)
    if (weight < USUAL_FROM) continue
    counts.of('usual').count(key, now)
    const doublings = doublingsOfNetwork(network, { weight, all, usual: usualOf(counts, key, now) })
    if (doublings > busiest.doublings) busiest = { doublings, tier: network.tier }
  }
  return busiest
}
