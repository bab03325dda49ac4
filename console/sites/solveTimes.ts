import {
  MOST_WORK_BOUND,
  minimumAge,
  type SitePolicy,
  SLOW_PHONE,
  WORK_BOUNDS,
} from '../../server/contract/sitePolicy.ts'

/**
 * Hashes per second of typical devices, with the component's workers on all cores but one. The maximum difficulty was
 * chosen for the slow phone (at most 12 s). The other figures are rounded measurements of the same solver.
 */
export const DEVICES = [
  { name: 'Slow phone', note: 'entry level, some years old', hashesPerSecond: SLOW_PHONE },
  { name: 'Current phone', note: '', hashesPerSecond: 2_000_000 },
  { name: 'Laptop', note: '4 cores', hashesPerSecond: 24_000_000 },
  { name: 'Desktop', note: '8 cores', hashesPerSecond: 56_000_000 },
] as const

type Policy = Pick<SitePolicy, 'baseWork' | 'workMode'>

/** Expected hashes for most visitors, and the maximum for busy networks, busy subjects and during an attack. */
export function difficultyRange({ baseWork, workMode }: Policy): { usual: number; most: number } {
  if (workMode === 'attack') return { usual: WORK_BOUNDS.max, most: MOST_WORK_BOUND }
  return { usual: baseWork, most: workMode === 'fixed' ? baseWork : WORK_BOUNDS.max }
}

/** The average seconds that a device waits. `raised`: the challenge was, so that it is not accepted before its minimum age. */
export const waitFor = (work: number, { raised }: { raised: boolean }, hashesPerSecond: number): number =>
  Math.max(work / hashesPerSecond, raised ? minimumAge(work) : 0)

/** A solve time: `0.3 s`, `2.1 s`, `13 s`, or `<0.1 s`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 0.1) return '<0.1 s'
  return `${seconds < 9.95 ? seconds.toFixed(1) : Math.round(seconds)} s`
}

const [SLOW] = DEVICES
export const [, CURRENT] = DEVICES

/** `0.5 s on a current phone`. */
export const waitOn = ({ name, hashesPerSecond }: (typeof DEVICES)[number], work: number, raised: boolean): string =>
  `${formatSeconds(waitFor(work, { raised }, hashesPerSecond))} on a ${name.toLowerCase()}`

/** What a difficulty costs on phones: `2.1 s on a slow phone, 0.5 s on a current phone`. `raised`: by a signal or attack mode. */
export const waitOf = (work: number, raised = false): string =>
  [SLOW, CURRENT].map((phone) => waitOn(phone, work, raised)).join(', ')
