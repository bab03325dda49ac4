import type pg from 'pg'

/** Waits until another transaction waits for the open one of `holder`, which has written something. */
export async function untilWaitedFor(sql: pg.Pool, holder: pg.PoolClient): Promise<void> {
  const { rows } = await holder.query<{ id: string }>('select pg_current_xact_id()::xid::text as id')
  for (let attempt = 0; attempt < 1000; attempt++) {
    const waiting = await sql.query('select 1 from pg_locks where transactionid = $1::xid and not granted', [
      rows[0]?.id,
    ])
    if (waiting.rows.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error('no other transaction waits')
}
