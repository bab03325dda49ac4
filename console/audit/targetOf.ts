import type { AuditRow } from './Audit.tsx'

/** What of an event's two sides names the thing to people, the best first. */
const NAMES = ['email', 'hostname', 'name', 'slug', 'last4'] as const

/** The thing that was changed, by a name where the event tells one, else by its id. */
export function targetOf({ target, before, after }: Pick<AuditRow, 'target' | 'before' | 'after'>): string {
  for (const side of [after, before]) {
    if (typeof side !== 'object' || side === null || Array.isArray(side)) continue
    for (const field of NAMES) {
      const name = side[field]
      if (typeof name === 'string') return field === 'last4' ? `secret …${name}` : name
    }
  }
  return target
}
