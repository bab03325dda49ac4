import type { Range } from '../ui/form/period.ts'
import { percent, whole } from '../ui/text/format.ts'

const NONE = 'no earlier data'

/** The change against the period before: `+6.2%`, `×7.8`. */
export function change(now: number, before: number): string {
  if (before === 0) return now === 0 ? 'no change' : NONE
  if (now >= 4 * before) return `×${(now / before).toFixed(1)}`
  const share = now / before - 1
  if (Math.abs(share) < 0.0005) return 'no change'
  return `${share > 0 ? '+' : '−'}${percent(Math.abs(share))}`
}

/** The change of a share in percentage points: `−1.1 pt`. */
export function changeOfShare(now: number | null, before: number | null): string {
  if (now === null || before === null) return NONE
  const points = (now - before) * 100
  if (Math.abs(points) < 0.05) return 'no change'
  return `${points > 0 ? '+' : '−'}${Math.abs(points).toFixed(1)} pt`
}

/** A change with what it is relative to. Without a basis, or without earlier data, there is nothing to compare with. */
export const compared = (change: string, basis: string | null): string =>
  basis === null ? 'no full earlier period' : change === NONE ? change : `${change} ${basis}`

/** What a change is relative to: `vs previous 7 days`; null if that period is not comparable. */
export const basisOf = (range: Range, comparable: boolean): string | null => (comparable ? versus(range) : null)

/** `vs previous 7 days`. */
export function versus({ from, to }: Range): string {
  const hours = Math.max(1, Math.round((to - from) / 3600))
  const [n, unit] = hours % 24 === 0 && hours > 24 ? [hours / 24, 'day'] : [hours, 'hour']
  return `vs previous ${n === 1 ? unit : `${n} ${unit}s`}`
}

/**
 * How many verifications reached each step, in the order of the funnel. What reached a step has reached all before it: steps
 * are counted when they happen, so that without this a verification that was started before the period would be missing there.
 */
export function funnel({ intents, challenged, solved, exempted, redeemed }: Record<FunnelCount, number>) {
  const completed = redeemed
  const passed = Math.max(solved + exempted, completed)
  const challengedOrSpared = Math.max(challenged + exempted, passed)
  return { started: Math.max(intents, challengedOrSpared), challenged: challengedOrSpared, solved: passed, completed }
}

type FunnelCount = 'intents' | 'challenged' | 'solved' | 'exempted' | 'redeemed'

/** Seconds for people: `380 ms`, `1.4 s`, `12 s`. In the unit of `scale`, such as the end of an axis. */
export function duration(seconds: number, scale = seconds): string {
  if (seconds === 0) return '0'
  if (scale < 0.9995) return `${Math.round(seconds * 1000)} ms`
  return `${seconds < 9.95 ? seconds.toFixed(1) : whole(Math.round(seconds))} s`
}

/** Expected hashes: `1.05 M`. In the unit of `scale`, such as the end of an axis. */
export const hashes = (work: number, scale = work): string =>
  work === 0
    ? '0'
    : scale >= 999_500
      ? `${(work / 1e6).toFixed(work < 9.95e6 ? 2 : 1)} M`
      : `${whole(Math.round(work / 1000))} k`

/** A share, at most 1; null of zero. */
export const shareOf = (part: number, all: number): number | null => (all === 0 ? null : Math.min(1, part / all))

/** An error as in the API's response, with the field if there is one: `bad-request hostname`. */
export const errorName = (code: string, field: string | null): string =>
  [code === 'bad-field' ? 'bad-request' : code, field === '*' ? '(unknown field)' : field].filter(Boolean).join(' ')
