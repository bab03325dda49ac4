import { createHash } from 'node:crypto'
import type { Prisma } from '../../../prisma/client/client.ts'
import type { ActorType } from '../../../prisma/client/enums.ts'

/**
 * The audit of a tenant is a chain: each row's hash covers the row and the hash of the row before. A row that is changed,
 * deleted or inserted later no longer matches, and a copy of the last hash outside of the database (the log of each night)
 * also shows a chain that was written anew.
 */

/** What the hash of a row covers. */
export type ChainedRow = {
  id: string
  tenantId: string | null
  seq: bigint
  actorType: ActorType
  actorId: string
  action: string
  target: string
  before: Prisma.JsonValue
  after: Prisma.JsonValue
  createdAt: Date
  salt: Uint8Array | null
}

/** The chain of the changes that belong to no tenant. */
export const NO_TENANT = '00000000-0000-0000-0000-000000000000'

/** The hash before the first row. */
export const START = new Uint8Array(32)

const ADDRESS = /^[^\s@]+@[^\s@]+$/

export const isAddress = (value: unknown): value is string => typeof value === 'string' && ADDRESS.test(value)

/** Names of values that people type, which may contain an address or a name. */
const TEXTS: ReadonlySet<string> = new Set(['reason', 'query'])

const ERASED = /^erased-[0-9a-f]{32}$/

/** Whether the value can be erased later. `name`: under which it is stored. */
const isErasable = (name: string, value: unknown): value is string =>
  isAddress(value) || (TEXTS.has(name) && typeof value === 'string' && !ERASED.test(value))

/** Replaces an erased value; server/ledger/audit/erase.sql computes the same. Without the salt it reveals nothing. */
const pseudonymOf = (salt: Uint8Array, value: string): string =>
  `erased-${createHash('sha256').update(salt).update(value).digest('hex').slice(0, 32)}`

/** The value with sorted names and with digests instead of addresses and typed texts, the same before and after an erasure. */
function canonical(value: Prisma.JsonValue | undefined, salt: Uint8Array, name = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => canonical(each, salt))
  if (value !== null && typeof value === 'object')
    return Object.keys(value)
      .toSorted()
      .map((name) => [name, canonical(value[name], salt, name)])
  return isErasable(name, value) ? pseudonymOf(salt, value) : value
}

/** The hash of a row after a row with the hash `previous`. */
export function hashOf(previous: Uint8Array, row: ChainedRow): Buffer<ArrayBuffer> {
  const salt = row.salt ?? new Uint8Array()
  const { id, tenantId, seq, actorType, actorId, action, target, createdAt } = row
  const content = [
    [id, tenantId, String(seq), actorType, actorId, action, target, createdAt.toISOString()],
    [canonical(row.before, salt), canonical(row.after, salt)],
  ]
  return Buffer.from(createHash('sha256').update(previous).update(JSON.stringify(content)).digest())
}
