import type { VisitorCtx } from '../../../accounts/access.ts'
import { AppError } from '../../../kit/error.ts'
import type { Rule } from '../../../kit/limiter.ts'
import { takeNetwork } from '../rate.ts'

export type Kind = 'pow-sha256' | 'pow-hashwx'

/** How often the difficulty of pow-sha256 is doubled at most for clients that cannot solve pow-hashwx. */
export const MOST_FALLBACK = 3

/**
 * Challenges of pow-sha256 at the usual difficulty that a network gets from a site which prefers pow-hashwx: enough for an
 * office with old browsers, and few for a program that avoids pow-hashwx. After each ration the difficulty doubles.
 */
const ration = (step: number): Rule => ({ name: `fallback-${step}`, points: 20, duration: 600 })

/**
 * The kind of a new challenge, of those that the client can solve, and how often its difficulty is doubled because the
 * client cannot solve the kind that the site prefers. Throws `bad-field` if the client can solve none.
 */
export async function chooseKind(
  ctx: VisitorCtx,
  solvable: readonly string[],
): Promise<{ kind: Kind; fallback: number }> {
  const { challengeKind } = ctx.site
  if (challengeKind !== 'sha256' && solvable.includes('pow-hashwx')) return { kind: 'pow-hashwx', fallback: 0 }
  if (!solvable.includes('pow-sha256')) throw new AppError('bad-field', { field: 'kinds' })
  if (challengeKind === 'sha256') return { kind: 'pow-sha256', fallback: 0 }
  return { kind: 'pow-sha256', fallback: challengeKind === 'hashwx' ? MOST_FALLBACK : await takeRation(ctx) }
}

async function takeRation(ctx: VisitorCtx): Promise<number> {
  for (let step = 0; step < MOST_FALLBACK; step++) {
    const { retryAfter } = await takeNetwork(ctx, ration(step))
    if (retryAfter === 0) return step
  }
  return MOST_FALLBACK
}
