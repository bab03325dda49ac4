// A small shop that uses Tollgate. Read attempts.ts first: it has what every merchant must do.
import { readFileSync } from 'node:fs'
import { Tollgate } from '@tollgate/node'
import { type FastifyInstance, type FastifyReply, fastify } from 'fastify'
import pg from 'pg'
import { describe, type Shop } from './context.ts'
import { drawForeign, drawMessage } from './pages.ts'
import { addRoutes } from './routes.ts'

export type ShopOptions = Pick<Shop, 'hostname' | 'sitekey' | 'tollgateUrl' | 'sessionKey' | 'log'> & {
  /** 0 takes a free port. */
  port: number
  host: string
  databaseUrl: string
  /** Address of Tollgate for this server, if it is another one than for browsers. */
  tollgateApiUrl?: string | undefined
  /** Leaves this process in the Authorization header only. */
  secret: string
  /** Milliseconds that a page waits for Tollgate, with all tries. */
  deadline?: number
}

/**
 * Starts the shop and resolves once it listens. `close` lets open requests finish for two seconds.
 * @throws TypeError if Tollgate's address or keys are malformed, or the error of the database or of listening
 */
export async function startShop(options: ShopOptions): Promise<{ url: string; close(): Promise<void> }> {
  const { hostname, sitekey, secret, tollgateUrl, sessionKey, deadline = 8_000, log } = options
  const tollgate = new Tollgate({ url: options.tollgateApiUrl ?? tollgateUrl, sitekey, secret, deadline })
  // every wait has a limit
  const limits = { max: 8, connectionTimeoutMillis: 2_000, statement_timeout: 3_000, query_timeout: 4_000 }
  const sql = new pg.Pool({ connectionString: options.databaseUrl, ...limits })
  // a broken connection must not end the process
  sql.on('error', (error) => log('database-connection-lost', describe(error)))
  const shop: Shop = { sql, tollgate, hostname, sitekey, tollgateUrl, sessionKey, log }
  const app = fastify({ bodyLimit: 8 * 1024, requestTimeout: 10_000 })
  protect(app, shop)
  addAssets(app)
  addRoutes(app, shop)
  try {
    await sql.query(readFileSync(new URL('tables.sql', import.meta.url), 'utf8'))
    const { port } = new URL(await app.listen({ port: options.port, host: options.host }))
    const close = async () => {
      const timer = setTimeout(() => app.server.closeAllConnections(), 2_000)
      await app.close()
      clearTimeout(timer)
      await sql.end()
    }
    return { url: `http://${hostname}:${port}`, close }
  } catch (error) {
    await sql.end()
    throw error
  }
}

/** What applies to every request: headers, the hostname, forms of other sites, and errors. */
function protect(app: FastifyInstance, { tollgateUrl, hostname, log }: Shop): void {
  const headers = securityHeaders(tollgateUrl)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers).type('text/html; charset=utf-8')
    const { host = '', origin } = request.headers
    const [, name = '', port = ''] = /^(.*?)(:\d+)?$/.exec(host) ?? []
    // an intent is bound to the configured hostname, so a form under another name could never be submitted
    if (name.toLowerCase() !== hostname) {
      const path = request.url.startsWith('/') ? request.url : '/'
      return reply.redirect(`//${hostname}${port}${path}`, 307)
    }
    // CSRF: browsers send the page's origin with every form
    const isOwn = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)
    return request.method === 'POST' && !isOwn ? reply.code(403).send(drawForeign()) : undefined
  })
  app.setNotFoundHandler((_, reply) => reply.code(404).send(drawMessage('Not found', 'There is no such page.')))
  app.setErrorHandler((error, _, reply: FastifyReply) => {
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
    if (status < 500) {
      const text = status === 413 ? 'It is too long.' : 'This page accepts only its own form.'
      return reply.code(status).send(drawMessage('We couldn’t read that', text))
    }
    log('page-failed', describe(error))
    const text = 'This is our fault. Please reload this page in a moment: the same order is never placed twice.'
    return reply.code(500).send(drawMessage('Something broke', text))
  })
}

const ASSETS: Readonly<Record<string, string>> = {
  'shop.css': 'text/css',
  'shop.js': 'text/javascript',
  'bell.svg': 'image/svg+xml',
  'saddle.svg': 'image/svg+xml',
  'lamp.svg': 'image/svg+xml',
}

function addAssets(app: FastifyInstance): void {
  for (const [name, type] of Object.entries(ASSETS)) {
    const body = readFileSync(new URL(`public/${name}`, import.meta.url))
    app.get(`/${name}`, (_, reply) => reply.header('cache-control', 'max-age=300').type(type).send(body))
  }
}

/** What a page with the component has to allow: Tollgate's script, its API, and its solver in workers. */
function securityHeaders(tollgateUrl: string): Record<string, string> {
  const { origin } = new URL(tollgateUrl)
  const policy = [
    `default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    // wasm-unsafe-eval allows WebAssembly, not eval
    `script-src 'self' ${origin} 'wasm-unsafe-eval'; worker-src blob: ${origin}`,
    // 'self' is for /renew
    `connect-src 'self' ${origin}`,
  ]
  return {
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  }
}
