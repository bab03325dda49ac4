import { hash } from 'node:crypto'
import type { VisitorCtx } from '../../../accounts/access.ts'
import type { Context, Resource } from '../../../kit/context.ts'
import { decayed } from '../../../kit/limits/exchange.ts'
import { feedbackDoublings } from '../../feedback/raise.ts'
import { noticedAtChallenge } from '../hints/noticed.ts'
import { countFallback } from '../kinds/choose.ts'
import { busiestOf, busyAt, countBusy, ownKey } from '../networks/busy.ts'
import { COUNTS } from '../networks/counts.ts'
import type { Line } from '../networks/line.ts'
import { listOf } from '../networks/lists.ts'
import { providerOf } from '../networks/providers.ts'
import { type Network, networksOf, networksOfKeys, roomOf } from '../networks/tiers.ts'
import type { Challenge } from '../sealed.ts'
import type { Signals } from './work.ts'

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
  networksOf(ctx.visitor.address, providerOf(ctx, ctx.visitor.address.address), ctx.resources.of(KEYED_HASH))

const subjectKey = (ctx: VisitorCtx, subject: string): string =>
  ctx.resources.of(KEYED_HASH)(`${ctx.site.id} ${subject}`)

/** What is known about the visitor who asks for a challenge, with this one. Counts nothing. */
export function readSignals(
  ctx: VisitorCtx,
  networks: readonly Network[],
  subject: string | null,
  now: number,
): Signals {
  const counts = ctx.resources.of(COUNTS)
  const site = ctx.site.id
  const [recent, usual] = [counts.of('siteNow'), counts.of('siteUsual')]
  return {
    network: busiestOf(ctx, counts, networks, now),
    subject: subject === null ? 0 : counts.of('subject').weight(subjectKey(ctx, subject), now) + 1,
    siteNow: recent.rate(site, recent.weight(site, now), now),
    siteUsual: usual.rate(site, usual.weight(site, now), now),
    feedback: feedbackDoublings(ctx, subject, now),
    list: listOf(ctx.visitor),
    hints: noticedAtChallenge(ctx, now),
  }
}

/** Counts an intent's first challenge: as unsolved, and for its subject. */
export function countAsked(
  ctx: VisitorCtx,
  networks: readonly Network[],
  { subject, now }: { subject: string | null; now: number },
): void {
  const counts = ctx.resources.of(COUNTS)
  if (subject !== null) counts.of('subject').count(subjectKey(ctx, subject), now)
  for (const network of networks) counts.of('unsolved').count(ownKey(ctx, network), now)
  counts.changed()
}

/**
 * Counts that a challenge was solved, in the networks that asked for it. To be called once for an intent in each process: what
 * several of them take off the unsolved ones is taken off once.
 */
export function countSolved(
  ctx: VisitorCtx,
  challenge: Pick<Challenge, 'intentId' | 'issuedAt' | 'networks' | 'reasons' | 'span' | 'work'>,
  now: number,
): void {
  if (ctx.site.test) return
  const counts = ctx.resources.of(COUNTS)
  const networks = networksOfKeys(challenge.networks)
  const { site } = ctx
  counts.of('siteNow').count(site.id, now)
  counts.of('siteUsual').count(site.id, now)
  const unsolved = counts.of('unsolved')
  // what is left of the weight that it was counted with
  const left = decayed(1, now - challenge.issuedAt, unsolved.halfLife)
  for (const network of networks) unsolved.credit(ownKey(ctx, network), now, left, challenge.intentId)
  countBusy(ctx, counts, networks, { work: challenge.work, now })
  countFallback(ctx, networks, { span: challenge.span, reasons: challenge.reasons, now })
  counts.changed()
}

/** The part of its slots that a network is assumed to have solved, so that the line of a new one is not slow. */
const TRUST = 1 / 2

/**
 * The lines in which a visitor waits for a challenge of `work` expected hashes: those of networks that have as many unsolved
 * ones as they may. The line of a network that solves less than half of its challenges is served more slowly.
 */
export function fullLines(
  ctx: VisitorCtx,
  networks: readonly Network[],
  { work, now }: { work: number; now: number },
): Line[] {
  const counts = ctx.resources.of(COUNTS)
  return networks.flatMap((network) => {
    const key = ownKey(ctx, network)
    const unsolved = counts.of('unsolved').weight(key, now)
    if (unsolved + 1 <= network.unsolved) return []
    const { slots, perSecond } = roomOf(network, busyAt(ctx, counts, network, now), work)
    if (unsolved + 1 <= slots) return []
    const solved = counts.of('own').weight(key, now) + TRUST * slots
    return [{ key, perSecond: perSecond * Math.min(1, (2 * solved) / (solved + unsolved)) }]
  })
}
