import type { AuditRow } from './api.ts'

/** Fields that name a target, the best first. */
const NAME_FIELDS = ['email', 'hostname', 'network', 'name', 'slug'] as const

/** The name of what was changed (its id if it has none), and the part of it that the event is about. */
export function describeTarget({
  target,
  targetName,
  before,
  after,
}: Pick<AuditRow, 'target' | 'targetName' | 'before' | 'after'>): { name: string; part: string | undefined } {
  const named = nameIn(after) ?? nameIn(before)
  const name = targetName ?? named ?? target
  const last4 = textOf(after, 'last4') ?? textOf(before, 'last4')
  const part = last4 === undefined ? named : `key …${last4}`
  return { name, part: part === name ? undefined : part }
}

function nameIn(side: unknown): string | undefined {
  for (const field of NAME_FIELDS) {
    const name = textOf(side, field)
    if (name !== undefined) return name
  }
  return undefined
}

function textOf(side: unknown, field: string): string | undefined {
  if (typeof side !== 'object' || side === null) return undefined
  const value: unknown = Reflect.get(side, field)
  return typeof value === 'string' ? value : undefined
}
