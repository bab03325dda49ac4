import type { VisitorCtx } from '../../../accounts/access.ts'
import type { Resource } from '../../../kit/context.ts'
import { AppError } from '../../../kit/error.ts'
import { type BoundedMap, boundedMap } from '../../../kit/limits/boundedMap.ts'
import { WAIT_MOST } from '../../limits/rules.ts'

/** How long a place is kept after it is due, in seconds: the page may be hidden, and browsers delay timers. */
const KEPT = 60

/** A line that a visitor has to wait in, and how many of it are served a second. */
export type Line = { key: string; perSecond: number }

/** When the last place of each line is due, in milliseconds. */
const LAST: Resource<BoundedMap<number>> = { name: 'lines', make: () => boundedMap({ max: 10_000 }) }

/**
 * Lets an intent's visitor wait for its place in these lines. Throws `rate-limited` until it is due, with the seconds that are left.
 * If the wait would be longer than a minute, there is no place, and the refusal says when there may be one. Each process has
 * lines of its own, in which places are due one after the other; the places themselves are known to all.
 */
export async function waitInLine(ctx: VisitorCtx, intentId: string, lines: readonly Line[]): Promise<void> {
  if (lines.length === 0) return
  const last = ctx.resources.of(LAST)
  const now = performance.now()
  // before anything is waited for, so that requests that arrive together get different places
  const due = lines.map(({ key, perSecond }) => {
    const next = Math.max(now, last.get(key) ?? 0) + 1000 / perSecond
    last.set(key, next)
    return next
  })
  const leave = () => {
    for (const { key, perSecond } of lines) last.set(key, (last.get(key) ?? 0) - 1000 / perSecond)
  }
  const wait = Math.ceil(Math.round(Math.max(...due) - now) / 1000)
  // a window outlasts the point that is given back, so that of a visitor without a place is short
  const place = { name: 'place', points: 1, duration: wait > WAIT_MOST ? 1 : wait + KEPT }
  const left = await ctx.limiter.take(place, intentId)
  if (left > 0 || wait > WAIT_MOST) leave()
  if (left > KEPT) throw inLine(left - KEPT)
  if (left > 0) return
  if (wait <= WAIT_MOST) throw inLine(wait)
  await ctx.limiter.giveBack(place, intentId)
  throw new AppError('rate-limited', { retryAfter: wait, detail: LINE_FULL })
}

/** What a visitor is told who has a place in line. It is no refusal, so it is not stored as one. */
const inLine = (retryAfter: number) => new AppError('rate-limited', { retryAfter, detail: IN_LINE })

/** The detail of a refusal because the visitors of a network would wait for longer than a minute. */
export const LINE_FULL = 'line-full'

/** The detail of an answer that asks to come back at a time at which the visitor will be served. */
export const IN_LINE = 'in-line'
