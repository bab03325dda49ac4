import type { FastifyInstance } from 'fastify'
import type { Database } from '../kit/db.ts'
import { isMigrated, type Schema } from '../kit/migrate.ts'
import { bounded } from './bounded.ts'

/** GET /healthz: the process is alive. GET /readyz: it is ready (the database answers, the schema is up to date, not shutting down). */
export function mountHealth(app: FastifyInstance, database: Database, schema: Schema, stopping: AbortSignal): void {
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    // a process that was replaced ends alone: its node stays ready
    const reason =
      stopping.aborted && stopping.reason !== 'of the process'
        ? 'closing'
        : await bounded(2000, isMigrated(database.pool, schema)).then(
            (done) => (done ? undefined : 'migrations missing'),
            () => 'database unreachable',
          )
    void reply.header('cache-control', 'no-store')
    return reason === undefined
      ? reply.send({ status: 'ready' })
      : reply.code(503).header('retry-after', '1').send({ status: 'not ready', reason })
  })
}
