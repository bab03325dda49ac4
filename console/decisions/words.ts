import type { Filters } from './search.ts'

export const OUTCOMES = {
  confirmed_abuse: 'Confirmed abuse',
  legitimate: 'Legitimate',
  unknown: 'Unknown',
  none: 'No feedback',
} as const satisfies Record<NonNullable<Filters['outcome']>, string>

export const WAYS = {
  solved: 'Solved a challenge',
  exempted: 'Exempted by a grant',
} as const satisfies Record<NonNullable<Filters['way']>, string>

export const DEVICES = {
  mobile: 'Mobile',
  desktop: 'Desktop',
} as const satisfies Record<NonNullable<Filters['device']>, string>

export const PAID = {
  quota: 'Monthly quota',
  balance: 'Balance',
} as const satisfies Record<NonNullable<Filters['paid']>, string>

export const RAISED = {
  any: 'Any reason',
  network: 'Busy network',
  subject: 'Busy subject',
  site: 'Traffic spike',
} as const satisfies Record<NonNullable<Filters['raised']>, string>

/** The colour of each outcome. */
export const TONES = {
  confirmed_abuse: 'block',
  legitimate: 'pass',
  unknown: 'challenge',
} as const

/** A duration for people: `380 ms`, `1.8 s`, `12 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`
}

/** The last eight characters of an id. Ids begin with their time, so only their ends differ visibly. */
export const tailOf = (id: string): string => `…${id.slice(-8)}`
