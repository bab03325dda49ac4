import type { VisitorCtx } from '../../../accounts/access.ts'
import type { Kind } from '../../../contract/wire.ts'
import { AppError } from '../../../kit/error.ts'
import { unpackReasons } from '../difficulty/reasons.ts'
import type { Policy, Signals } from '../difficulty/work.ts'
import { COUNTS, type Counts } from '../networks/counts.ts'
import type { Line } from '../networks/line.ts'
import type { Network } from '../networks/tiers.ts'
import type { Challenge } from '../sealed.ts'

/** The mark of a challenge of SHA-256 beyond the budget (difficulty/reasons). */
const BEYOND = 3

/**
 * Challenges of SHA-256 in place of HashWX that cost no more than usual: a share of what was solved in the whole deployment, or
 * some a minute. Enough for the browsers that cannot solve HashWX, and few for programs that avoid it, which compute SHA-256 on
 * graphics cards.
 */
const SHARE = 0.02
const LEAST_A_MINUTE = 5

/** The part of the budget that one network may take, so that a single client cannot use it up for all others. */
const MOST_OF_NETWORK = 1 / 4

/** A network has had SHA-256 before if this much of one challenge is left: until two days after a single one. */
const BEFORE = 0.5

/** `isFallback`: it is SHA-256 in place of the kind that the site prefers, within the budget if `fallback` is 0. */
export type Choice = { kind: Kind; isFallback: boolean; fallback: number }

/**
 * The kind of a new challenge, of those that the client can solve. Throws `bad-field` if it can solve none. `fallback` is set if it
 * is SHA-256 in place of the kind that the site prefers, and beyond the budget. In attack mode the budget is for networks that had it
 * before, and a site that asks for HashWX always has none.
 */
export function chooseKind(
  ctx: VisitorCtx,
  solvable: readonly string[],
  asked: {
    networks: readonly Network[]
    policy: Pick<Policy, 'workMode'>
    signals: Pick<Signals, 'list'>
    now: number
  },
): Choice {
  const { challengeKind, test } = ctx.site
  if (challengeKind !== 'sha256' && solvable.includes('pow-hashwx'))
    return { kind: 'pow-hashwx', isFallback: false, fallback: 0 }
  if (!solvable.includes('pow-sha256')) throw new AppError('bad-field', { field: 'kinds' })
  const sha256 = { kind: 'pow-sha256', isFallback: true } as const
  if (challengeKind === 'sha256' || test) return { ...sha256, isFallback: false, fallback: 0 }
  if (challengeKind === 'hashwx') return { ...sha256, fallback: BEYOND }
  const { networks, policy, signals, now } = asked
  if (signals.list === 'allow') return { ...sha256, isFallback: false, fallback: 0 }
  const counts = ctx.resources.of(COUNTS)
  const taken = (key: string): number => counts.of('fallback').weight(key, now)
  const network = networks[0]?.key ?? ''
  const budget = budgetAt(counts, now)
  const isWithin =
    taken('') < budget &&
    taken(network) < MOST_OF_NETWORK * budget &&
    (policy.workMode !== 'attack' || counts.of('fallbackUsual').weight(network, now) >= BEFORE)
  return { ...sha256, fallback: isWithin ? 0 : BEYOND }
}

/** Counts a challenge that is issued towards the budget, and its network's part of it. */
export function countChosen(
  { resources }: VisitorCtx,
  { isFallback, fallback }: Choice,
  { networks, now }: { networks: readonly Network[]; now: number },
): void {
  if (!isFallback || fallback > 0) return
  const counter = resources.of(COUNTS).of('fallback')
  counter.count('', now)
  counter.count(networks[0]?.key ?? '', now)
}

/** The weight of challenges within the budget. */
const budgetAt = (counts: Counts, now: number): number => {
  const { halfLife } = counts.of('all')
  const least = ((LEAST_A_MINUTE / 60_000) * halfLife) / Math.LN2
  return Math.max(least, SHARE * counts.of('all').weight('', now))
}

/** The line of a tenant's clients whose price SHA-256 cannot carry: it is served as fast as the budget allows. */
export function fallbackLine(ctx: VisitorCtx, now: number): Line {
  const counts = ctx.resources.of(COUNTS)
  return {
    key: `fallback ${ctx.site.tenantId}`,
    perSecond: (budgetAt(counts, now) * Math.LN2) / (counts.of('all').halfLife / 1000),
  }
}

/** Counts a solved challenge of SHA-256 that was within the budget as what the network had before. */
export function countFallback(
  { site, resources }: VisitorCtx,
  networks: readonly Network[],
  { span, reasons, now }: Pick<Challenge, 'span' | 'reasons'> & { now: number },
): void {
  const [network] = networks
  if (span > 0 || !network || site.challengeKind !== 'auto' || unpackReasons(reasons).fallback > 0) return
  resources.of(COUNTS).of('fallbackUsual').count(network.key, now)
}
