import type pg from 'pg'

/**
 * The pool that graphile-worker gets. It stores that a job has ended without waiting for the statement, and repeats the
 * statement only after errors with one of a few codes. The rejection of any other, for example of a lost connection, has no
 * handler and would end the process. These statements may be repeated, so each failure gets such a code.
 */
export function jobPool(pool: pg.Pool): pg.Pool {
  async function connect(): Promise<Pick<pg.PoolClient, 'query' | 'release'>> {
    // nothing can be stored after the service was closed: the statement stays open, without a timer that keeps the process
    if (pool.ending) return new Promise(() => {})
    const client = await pool.connect().catch(failRepeatably)
    const query = (config: pg.QueryConfig, values?: unknown[]) => client.query(config, values).catch(failRepeatably)
    return { query: query as pg.PoolClient['query'], release: () => client.release() }
  }
  return Object.create(pool, {
    // with a callback, it listens for new jobs, and has a handler of its own for errors
    connect: { value: (listen?: Parameters<pg.Pool['connect']>[0]) => (listen ? pool.connect(listen) : connect()) },
  }) as pg.Pool
}

function failRepeatably(cause: unknown): never {
  throw Object.assign(new Error(cause instanceof Error ? cause.message : String(cause), { cause }), {
    code: 'ETIMEDOUT',
  })
}
