import { createHash } from 'node:crypto'
import type { Context } from '../../kit/context.ts'

/** Values that count once, for ten minutes. The table has only a hash of the key. */
const SECONDS = 600

export type Kind = 'started' | 'pending' | 'logout'

const idOf = (kind: Kind, key: string): string =>
  createHash('sha256').update(`oidc ${kind} ${key}`).digest('hex').slice(0, 32)

/** Stores the value; false if there is one with the key already. */
export async function putOnce({ prisma }: Context, kind: Kind, key: string, value: object): Promise<boolean> {
  const count = await prisma.$executeRaw`
    insert into verification (id, identifier, value, expires_at, created_at, updated_at)
    values (${idOf(kind, key)}::uuid, ${`oidc-${kind}`}, ${JSON.stringify(value)},
      now() + make_interval(secs => ${SECONDS}), now(), now())
    on conflict (id) do nothing`
  return count === 1
}

/** Reads the value without using it up; undefined if there is none, or no longer. */
export async function readOnce<Value>({ prisma }: Context, kind: Kind, key: string): Promise<Value | undefined> {
  const [row] = await prisma.$queryRaw<{ value: string }[]>`
    select value from verification where id = ${idOf(kind, key)}::uuid and expires_at > now()`
  return row && (JSON.parse(row.value) as Value)
}

/** Reads the value and uses it up: of several calls one gets it. */
export async function takeOnce<Value>({ prisma }: Context, kind: Kind, key: string): Promise<Value | undefined> {
  const [row] = await prisma.$queryRaw<{ value: string }[]>`
    delete from verification where id = ${idOf(kind, key)}::uuid and expires_at > now() returning value`
  return row && (JSON.parse(row.value) as Value)
}
