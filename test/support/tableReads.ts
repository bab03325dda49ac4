import { expect } from 'vitest'
import type { TestApp } from './app.ts'

type Reads = { changed: number; read: number }

/** Of all statements so far that PostgreSQL has reported. `changed`: rows that were deleted or updated. `read`: with index entries. */
async function reported({ sql }: Pick<TestApp, 'sql'>, table: string): Promise<Reads> {
  const { rows } = await sql.query<Reads>(
    `select (n_tup_del + n_tup_upd)::int as changed, (seq_tup_read + i.read)::int as read
     from pg_stat_user_tables t, lateral (
       select sum(idx_tup_read) as read from pg_stat_user_indexes i where i.relid = t.relid
     ) i where relname = $1`,
    [table],
  )
  return rows[0] ?? { changed: 0, read: 0 }
}

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
export async function readsOf(app: Pick<TestApp, 'sql'>, table: string, changed: number): Promise<number> {
  await expect
    .poll(async () => (await reported(app, table)).changed, { timeout: 30_000 })
    .toBeGreaterThanOrEqual(changed)
  return (await reported(app, table)).read
}

/** Connections of the console's pool. */
const CONNECTIONS = 10

/** How many rows and index entries of a table `work` reads by the console's connections. */
export async function readsDuring(
  app: Pick<TestApp, 'sql' | 'ctx'>,
  table: string,
  work: () => Promise<unknown>,
): Promise<number> {
  // each connection reports its own, so all are used at once
  const report = () =>
    Promise.all(
      Array.from(
        { length: CONNECTIONS },
        () => app.ctx.prisma.$queryRaw`select pg_stat_force_next_flush()::text, pg_sleep(0.1)::text`,
      ),
    )
  // what the test itself did before, such as deleting rows
  await app.sql.query('select pg_stat_force_next_flush()')
  await report()
  const before = await reported(app, table)
  await work()
  await report()
  return (await reported(app, table)).read - before.read
}
