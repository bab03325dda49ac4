import { expect } from 'vitest'
import type { TestApp } from './app.ts'

type Reads = { changed: number; read: number }

/**
 * Keeps a snapshot open, as that of a backup: the entries of rows that are deleted stay in the indexes, and a statement that
 * passes them again has to look at each row. Returns what ends it.
 */
export async function holdSnapshot({ sql }: Pick<TestApp, 'sql'>): Promise<() => void> {
  const session = await sql.connect()
  await session.query('begin isolation level repeatable read')
  await session.query('select count(*) from tenant')
  return () => session.release(true)
}

/**
 * How many rows and index entries of a table all statements so far have read, once the statistics have `changed` rows that were
 * deleted or updated: PostgreSQL reports them some seconds later.
 */
export async function readsOf({ sql }: Pick<TestApp, 'sql'>, table: string, changed: number): Promise<number> {
  const reads = async () => {
    const { rows } = await sql.query<Reads>(
      `select (n_tup_del + n_tup_upd)::int as changed, (seq_tup_read + i.read)::int as read
       from pg_stat_user_tables t, lateral (
         select sum(idx_tup_read) as read from pg_stat_user_indexes i where i.relid = t.relid
       ) i where relname = $1`,
      [table],
    )
    return rows[0] ?? { changed: 0, read: 0 }
  }
  await expect.poll(async () => (await reads()).changed, { timeout: 30_000 }).toBeGreaterThanOrEqual(changed)
  return (await reads()).read
}
