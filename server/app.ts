import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { ensureTestKeys } from './accounts/sites/testKeys/ensure.ts'
import { mountAuth } from './admin/auth.ts'
import { mountMailbox } from './admin/mailbox.ts'
import { mountAdmin } from './admin/mount.ts'
import { mountDocs } from './api/docs/mount.ts'
import { isPath } from './api/endpoints.ts'
import { sendRefusal, toRefusal, wireError } from './api/errors.ts'
import { mountHealth } from './api/health.ts'
import { mountApi } from './api/index.ts'
import type { Context } from './kit/context.ts'
import type { Database } from './kit/db.ts'
import { newRequestId } from './kit/ids.ts'
import { requestFacts } from './kit/log.ts'
import type { Migration } from './kit/migrate.ts'
import { Refusal } from './kit/refusal.ts'
import type { Facts } from './ledger/overview.ts'
import { mountPages } from './pages.ts'

export type AppParts = { ctx: Context; database: Database; migrations: Migration[]; facts: Facts }

/** A request must have arrived whole this long after its first byte. */
const SENDING_MS = 10_000

/** What Node's parser refuses never reaches a route: answered here, in the contract's words, or closed. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (
    socket.destroyed ||
    !socket.writable ||
    error.code === 'ECONNRESET' ||
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  ) {
    socket.destroy()
    return
  }
  const { status, body } = wireError(new Refusal('bad-request'))
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nX-Request-Id: ${newRequestId()}\r\nCache-Control: no-store\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

/** The one server: public API, admin API, console, widget and docs. */
export async function buildApp({ ctx, database, migrations, facts }: AppParts): Promise<FastifyInstance> {
  const { config, log } = ctx
  const app = Fastify({
    logger: false,
    genReqId: newRequestId,
    requestIdHeader: false,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    return503OnClosing: false,
    requestTimeout: SENDING_MS,
    http: { headersTimeout: SENDING_MS, connectionsCheckingInterval: 1000, keepAliveTimeout: 72_000 },
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: (error, request, reply) => {
      // a path that does not decode is a path that does not exist
      void reply.header('x-request-id', request.id).header('cache-control', 'no-store')
      void sendRefusal(
        reply,
        error.code === 'FST_ERR_BAD_URL' ? new Refusal('not-found') : toRefusal(error, log, request.id),
      )
    },
    routerOptions: { maxParamLength: 500 },
    exposeHeadRoutes: false,
    // the absolute form of a request's target is another spelling of the same path
    rewriteUrl: (request) => (request.url ?? '/').replace(/^https?:\/\/[^/?#]*(?=[/?#]|$)/i, '') || '/',
  })
  // an expectation we do not know is no reason to answer in other words than the contract's
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))

  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id)
  })
  if (log.isLevelEnabled('debug')) {
    app.addHook('onResponse', async (request, reply) => {
      log.debug(
        { request: requestFacts(request), status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
        'request',
      )
    })
  }
  app.setNotFoundHandler((request, reply) => {
    const known = isPath(request.url.split('?', 1)[0] ?? '')
    return sendRefusal(
      reply.header('cache-control', 'no-store'),
      new Refusal(known ? 'method-not-allowed' : 'not-found'),
    )
  })
  app.setErrorHandler((error, request, reply) =>
    sendRefusal(reply.header('cache-control', 'no-store'), toRefusal(error, log, request.id)),
  )

  if (config.testKeys) await ensureTestKeys(ctx)
  mountApi(app, ctx)
  mountHealth(app, database, migrations)
  mountDocs(app, { url: config.publicUrl, version: facts.version })
  mountAdmin(app, ctx, facts)
  mountAuth(app, ctx)
  mountMailbox(app, ctx)
  await mountPages(app)
  return app
}
