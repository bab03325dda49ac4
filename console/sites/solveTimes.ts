import { WORK_BOUNDS } from '../../server/contract/sitePolicy.ts'

/**
 * Hashes per second of what visitors hold, with the widget's workers on all cores but one. The slow phone is the one
 * that the bound of the work was chosen for (12 s at most); the others are round figures of the same engine.
 */
export const DEVICES = [
  { name: 'Slow phone', note: 'entry level, some years old', hashesPerSecond: 500_000 },
  { name: 'Phone', note: 'of today', hashesPerSecond: 2_000_000 },
  { name: 'Laptop', note: '4 cores', hashesPerSecond: 24_000_000 },
  { name: 'Desktop', note: '8 cores', hashesPerSecond: 56_000_000 },
] as const

type Policy = { baseWork: number; workMode: 'adaptive' | 'fixed' | 'attack' }

/** Expected hashes for a visitor whom nothing makes suspicious, and the most that anybody is asked for. */
export function workRange({ baseWork, workMode }: Policy): { usual: number; most: number } {
  if (workMode === 'attack') return { usual: WORK_BOUNDS.max, most: WORK_BOUNDS.max }
  return { usual: baseWork, most: workMode === 'fixed' ? baseWork : WORK_BOUNDS.max }
}

/** Seconds as one reads a cost: `0.3 s`, `2.1 s`, `13 s`, and `<0.1 s` where nobody feels it. */
export function asCost(seconds: number): string {
  if (seconds < 0.1) return '<0.1 s'
  return `${seconds < 9.95 ? seconds.toFixed(1) : Math.round(seconds)} s`
}
