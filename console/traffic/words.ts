import { percent, whole } from '../ui/number.ts'

/** Against as long a time before: `+6.2%`, `×7.8`; where there was nothing, nothing can be said. */
export function change(now: number, before: number): string {
  if (before === 0) return now === 0 ? 'as before' : 'none before'
  if (now >= 4 * before) return `×${(now / before).toFixed(1)}`
  const share = now / before - 1
  if (Math.abs(share) < 0.0005) return 'as before'
  return `${share > 0 ? '+' : '−'}${percent(Math.abs(share))}`
}

/** Against as long a time before, of shares: `−1.1 pt`. */
export function changeOfShare(now: number | null, before: number | null): string {
  if (now === null || before === null) return 'none before'
  const points = (now - before) * 100
  if (Math.abs(points) < 0.05) return 'as before'
  return `${points > 0 ? '+' : '−'}${Math.abs(points).toFixed(1)} pt`
}

/** A time in seconds as people say it: `380 ms`, `1.4 s`, `12 s`. */
export function duration(seconds: number): string {
  if (seconds < 0.9995) return `${Math.round(seconds * 1000)} ms`
  return `${seconds < 9.95 ? seconds.toFixed(1) : whole(Math.round(seconds))} s`
}

/** Expected hashes: `1.05 M`. */
export const hashes = (work: number): string =>
  work >= 999_500 ? `${(work / 1e6).toFixed(work < 9.95e6 ? 2 : 1)} M` : `${whole(Math.round(work / 1000))} k`

/** A part of a whole that may be nothing. */
export const shareOf = (part: number, all: number): number | null => (all === 0 ? null : Math.min(1, part / all))
