import type { FastifyInstance } from 'fastify'
import type { Database } from '../kit/db.ts'
import { isMigrated, type Schema } from '../kit/migrate.ts'

/** How long a result of the check counts, in milliseconds: anyone can ask, and it writes. */
const KEPT_MS = 1000

/**
 * Writes 8 MB of a sort to the disk and deletes them. A small commit fits into files that PostgreSQL has already reserved, so it
 * says nothing about a full disk.
 */
const FIND_ROOM = {
  name: 'find_room',
  text: '/* find_room */ select count(*) from (select md5(n::text) as t from generate_series(1, 150000) n order by t offset 1) sorted',
}

/** Why the service is not ready; undefined if it is. */
async function check({ hotPool, outages }: Database, schema: Schema): Promise<string | undefined> {
  try {
    if (!(await isMigrated(hotPool, schema))) return 'migrations missing'
    if (!outages.diskFull) return undefined
    await hotPool.query(FIND_ROOM, [])
    outages.diskHasRoom()
    return undefined
  } catch {
    return outages.diskFull ? 'disk full' : 'database unreachable'
  }
}

/**
 * GET /healthz: the process is alive. GET /readyz: it is ready: the schema is up to date and the database commits, asked over the
 * connections of the verification path, and the process is not shutting down.
 */
export function mountHealth(app: FastifyInstance, database: Database, schema: Schema, stopping: AbortSignal): void {
  let checked: { at: number; reason: Promise<string | undefined> } | undefined
  const reasonOf = () => {
    if (checked === undefined || performance.now() - checked.at > KEPT_MS)
      checked = { at: performance.now(), reason: check(database, schema) }
    return checked.reason
  }
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    // a process that was replaced ends alone: its node stays ready
    const closing = stopping.aborted && stopping.reason !== 'of the process'
    const reason = closing ? 'closing' : await reasonOf()
    void reply.header('cache-control', 'no-store')
    return reason === undefined
      ? reply.send({ status: 'ready' })
      : reply.code(503).header('retry-after', '1').send({ status: 'not ready', reason })
  })
}
