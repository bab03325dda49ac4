import type { DecisionFilters } from '../../server/contract/filters.ts'
import { OUTCOMES } from '../feedback/words.ts'

export const FEEDBACK = { ...OUTCOMES, none: 'No feedback' } as const satisfies Record<
  NonNullable<DecisionFilters['outcome']>,
  string
>

export const WAYS = {
  solved: 'Solved a challenge',
  exempted: 'Exempted by a grant',
} as const satisfies Record<NonNullable<DecisionFilters['way']>, string>

export const DEVICES = {
  mobile: 'Mobile',
  desktop: 'Desktop',
} as const satisfies Record<NonNullable<DecisionFilters['device']>, string>

export const PAID = {
  quota: 'Monthly quota',
  balance: 'Balance',
  test: 'Nothing (test)',
} as const satisfies Record<NonNullable<DecisionFilters['paid']>, string>

export const RAISED = {
  any: 'Any reason',
  network: 'Busy network',
  subject: 'Busy subject',
  site: 'Traffic spike',
  feedback: 'Reported abuse',
  list: 'Network list',
  hints: 'Signs of automation',
  fallback: 'Browser without WebAssembly',
} as const satisfies Record<NonNullable<DecisionFilters['raised']>, string>

/** When the intent of a decision's id, `dec_…` or a UUIDv7, was opened (Unix seconds); null if the text is neither. */
export function openedAt(id: string): number | null {
  const [, time] = /^(?:dec_)?([0-9a-f]{12})7[0-9a-f]{19}$/i.exec(id.replaceAll('-', '')) ?? []
  return time === undefined ? null : Number.parseInt(time, 16) / 1000
}

/** A duration: `380 ms`, `1.8 s`, `12 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`
}
