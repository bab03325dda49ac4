import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import statics from '@fastify/static'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { resealFactors } from './accounts/sessions/resealFactors.ts'
import { ensureTestKeys } from './accounts/sites/testKeys/ensure.ts'
import { resealSecrets } from './accounts/webhooks/secret.ts'
import { mountAuth } from './admin/auth.ts'
import { type Mailbox, mountMailbox } from './admin/mailbox.ts'
import { mountAdmin } from './admin/mount.ts'
import { mountOidc } from './admin/oidc.ts'
import { allowOrigin } from './api/cors.ts'
import { mountDocs } from './api/docs/mount.ts'
import { isPath } from './api/endpoints.ts'
import { type ApiError, proceed, sendError, toApiError } from './api/errors.ts'
import { mountHealth } from './api/health.ts'
import { mountApi } from './api/index.ts'
import { headerValues } from './api/mediaType.ts'
import { mountMetrics } from './api/metrics.ts'
import { drain } from './drain.ts'
import { createFraming } from './framing.ts'
import type { Context } from './kit/context.ts'
import { newRequestId } from './kit/crypto/ids.ts'
import type { Database } from './kit/db/db.ts'
import { KeptFiles } from './kit/db/keptFiles.ts'
import type { Schema } from './kit/db/migrate.ts'
import { AppError } from './kit/error.ts'
import { createProxyNotice, trustOf } from './kit/http/peer.ts'
import { BUILD } from './kit/process/build.ts'
import { requestFacts } from './kit/process/log.ts'
import type { Facts } from './ledger/overview.ts'
import { mountManage } from './manage/mount.ts'
import { mountPages } from './pages.ts'
import { filesOf, readSdks } from './sdk/build.ts'
import { mountSdk } from './sdk/mount.ts'
import { resetUnread } from './unread.ts'
import { readImmutableFiles } from './widget/build.ts'
import { mountWidget } from './widget/mount.ts'

export type AppParts = {
  ctx: Context
  database: Database
  schema: Schema
  facts: Facts
  /** Undefined outside an evaluation. */
  mailbox: Mailbox | undefined
  /** Aborted before the service is closed: `/readyz` fails, and every answer closes its connection. */
  stopping?: AbortController
  /** The metrics of all processes of this node; its own if undefined. */
  metrics?: (() => Promise<string>) | undefined
}

/** Not for subdomains: they may belong to other services. */
const HSTS = 'max-age=31536000'

/** An unknown path, or a method that an API path does not accept. */
const noRoute = ({ url }: FastifyRequest): ApiError =>
  new AppError(isPath(url.split('?', 1)[0] ?? '') ? 'method-not-allowed' : 'not-found')

/** Whether the request is HTTP/1.0, or HTTP/1.1 with exactly one Host. */
const hasOneHost = (request: IncomingMessage): boolean =>
  request.httpVersion === '1.1' ? headerValues(request, 'host').length === 1 : request.httpVersion === '1.0'

/** The server: public API, admin API, console, widget, SDKs and docs. */
export async function buildApp({
  ctx,
  database,
  schema,
  facts,
  mailbox,
  stopping = new AbortController(),
  metrics,
}: AppParts): Promise<FastifyInstance> {
  const { config, log } = ctx
  const docs = config.docs ? `${config.publicUrl}/docs` : undefined
  // headers of all replies, whichever part of the service sends them
  const always = {
    'x-content-type-options': 'nosniff',
    ...(config.publicUrl.startsWith('https:') && { 'strict-transport-security': HSTS }),
  }
  const alwaysSent = Object.entries(always)
  const framing = createFraming(always)
  const app = Fastify({
    logger: false,
    genReqId: () => newRequestId(ctx.clock.now()),
    requestIdHeader: false,
    trustProxy: config.trustedProxies.length > 0 ? trustOf(config.trustedProxies) : false,
    return503OnClosing: false,
    // starting may be slow on a busy machine and must not fail because of that
    pluginTimeout: 0,
    requestTimeout: config.requestTimeout,
    // the time since the last byte was sent or received: slow readers stay connected, readers that do not read do not
    connectionTimeout: config.sendTimeout * 1000,
    http: {
      headersTimeout: config.requestTimeout,
      connectionsCheckingInterval: config.requestTimeout / 10,
      keepAliveTimeout: 72_000,
      // Node's answer would not follow the contract; the hook below answers instead
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => void framing.refuse(error, socket),
    frameworkErrors: (error, request, reply) => {
      // a path that does not decode is a path that does not exist
      void reply.headers({ 'x-request-id': request.id, ...always })
      void sendError(
        reply,
        error.code === 'FST_ERR_BAD_URL' ? new AppError('not-found') : toApiError(error, log, request.id),
        docs,
      )
    },
    routerOptions: { maxParamLength: 500 },
    // HEAD wherever GET is, except below /auth
    exposeHeadRoutes: true,
    // the absolute form of a request target means the same path
    rewriteUrl: ({ url = '/' }) =>
      url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*(?=[/?#]|$)/i, '') || '/',
  })
  framing.follow(app.server)
  drain(app, framing, stopping)
  resetUnread(app.server, config.sendTimeout)
  // of a reply that is not taken: a closed connection would keep it in the kernel's buffer
  app.server.on('timeout', (socket) => (framing.isOwed(socket) ? socket.resetAndDestroy() : socket.destroy()))
  app.server.maxConnections = config.maxConnections
  // Node drops headers after the first 1,000, for example a second Authorization. Their size is limited already.
  app.server.maxHeadersCount = 0
  // a client that has closed its sending side still waits for its answer (Node's types do not know this setting)
  Object.assign(app.server, { httpAllowHalfOpen: true })
  // an unknown Expect header gets the contract's answer too
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  // 100 Continue only when the body is read, so that a request is not continued that is refused by its head
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    request.on('newListener', function proceedWith(event) {
      if (event !== 'data') return
      request.off('newListener', proceedWith)
      if (!response.headersSent) response.writeContinue()
    })
    app.server.emit('request', request, response)
  })

  const noticeProxy = createProxyNotice(log)
  // with a callback: a promise for each request is 1 % of a verification's CPU
  app.addHook('onRequest', (request, reply, done) => {
    if (framing.isCrowded(request.raw.socket)) {
      request.raw.socket.destroy()
      reply.hijack()
      return
    }
    noticeProxy(request)
    void reply.header('x-request-id', request.id)
    for (const [name, value] of alwaysSent) void reply.header(name, value)
    allowOrigin(request, reply)
    // Node accepts no further request on a connection after an upgrade request
    if (request.headers.upgrade !== undefined) void reply.header('connection', 'close')
    // before any of the body is read
    proceed(done, hasOneHost(request.raw) ? request.is404 && noRoute(request) : new AppError('bad-request'))
  })
  if (log.isLevelEnabled('debug')) {
    app.addHook('onResponse', async (request, reply) => {
      log.debug(
        {
          request: requestFacts(request),
          status: reply.statusCode,
          code: reply.refusal,
          ms: Math.round(reply.elapsedTime),
        },
        'request',
      )
    })
  }
  app.setNotFoundHandler((request, reply) => sendError(reply, noRoute(request), docs))
  app.setErrorHandler((error, request, reply) => sendError(reply, toApiError(error, log, request.id), docs))

  await ensureTestKeys(ctx)
  await resealFactors(ctx)
  await resealSecrets(ctx)
  mountApi(app, ctx)
  mountHealth(app, { database, schema, log }, stopping.signal)
  mountMetrics(app, { ...ctx, database, version: facts.version }, metrics)
  if (config.docs) mountDocs(app, { url: config.publicUrl, version: facts.version })
  mountAdmin(app, ctx, facts)
  mountManage(app, ctx, facts)
  mountAuth(app, ctx)
  if (mailbox) mountMailbox(app, ctx, mailbox)
  mountOidc(app, ctx)
  // sends the files of both; the builds put a compressed file next to each (scripts/precompress.ts)
  await app.register(statics, { root: join(BUILD, 'console'), serve: false, preCompressed: true })
  const kept = new KeptFiles(ctx)
  const sdks = await readSdks()
  await kept.keep(new Map([...(await readImmutableFiles()), ...filesOf(sdks)]))
  mountWidget(app, { publicUrl: config.publicUrl, version: facts.version, kept })
  mountSdk(app, { publicUrl: config.publicUrl, sdks, kept, log })
  mountPages(app, config)
  return app
}
