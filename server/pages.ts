import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuseForeignHost } from './admin/host.ts'
import { isPath } from './api/endpoints.ts'
import type { Config } from './kit/config.ts'

const CONSOLE = resolve('dist/console')
const IMMUTABLE = 'public, max-age=31536000, immutable'

/** The console's pages; which one is shown its own router says (console/routes/). */
const CONSOLE_PATHS = [
  '/',
  '/sign-in',
  '/sign-up',
  '/two-factor',
  '/verify-email',
  '/forgot',
  '/reset',
  '/invite/*',
  '/welcome',
  '/account',
  '/o/*',
  '/staff',
  '/staff/*',
]

/** What browsers load of the service itself: the console, with the strictest policy of its own. */
export function mountPages(app: FastifyInstance, config: Pick<Config, 'publicUrl' | 'demo'>): void {
  const { publicUrl } = config
  app.register(async (pages) => {
    await pages.register(helmet, {
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          imgSrc: ["'self'", 'data:'],
          objectSrc: ["'none'"],
          baseUri: ["'none'"],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
          // no library of the console writes markup from strings, and none may begin to
          requireTrustedTypesFor: ["'script'"],
          trustedTypes: ["'none'"],
        },
      },
    })
    const page = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
      const { host = '' } = request.headers
      return isLoopbackOf(publicUrl, host) ? reply.redirect(publicUrl + request.url, 302) : index(reply)
    }
    await pages.register(async (own) => {
      // a person who mistyped an address gets a page that says so; a program gets the API's error, under any Host
      own.addHook('onRequest', async (request, reply) =>
        request.routeOptions.url === '/*' && !isVisit(request) ? reply.callNotFound() : undefined,
      )
      own.addHook('onRequest', refuseForeignHost(config))
      for (const path of CONSOLE_PATHS) own.get(path, async (request, reply) => page(request, reply))
      own.get('/*', async (request, reply) => page(request, reply.code(404)))
    })
    // the pages under /docs load some of these, and they are served under any Host
    pages.get<{ Params: { '*': string } }>('/assets/*', async (request, reply) =>
      file(reply, resolve(CONSOLE, 'assets'), request.params['*'], IMMUTABLE),
    )
    for (const name of ['theme.js', 'favicon.svg', 'robots.txt']) {
      if (existsSync(resolve(CONSOLE, name)))
        pages.get(`/${name}`, async (_request, reply) => file(reply, CONSOLE, name, 'no-cache'))
    }
  })
}

const index = (reply: FastifyReply): FastifyReply => file(reply, CONSOLE, 'index.html', 'no-cache')

/**
 * Whether the host is another spelling of the loopback that PUBLIC_URL calls `localhost`, at the same port. To a browser
 * they are different origins: the console opened under `127.0.0.1` could read, but nobody could sign in there.
 */
function isLoopbackOf(publicUrl: string, host: string): boolean {
  const { hostname, host: own } = new URL(publicUrl)
  const spelling = /^(127(?:\.\d{1,3}){3}|\[::1\])(:\d+)?$/.exec(host)
  return hostname === 'localhost' && spelling !== null && own === `localhost${spelling[2] ?? ''}`
}

/** A browser went to this address, which is none of the API's. */
function isVisit({ url, headers }: FastifyRequest): boolean {
  const path = url.split('?', 1)[0] ?? ''
  return (headers.accept ?? '').includes('text/html') && !isPath(path) && !/^\/(trpc|auth|assets|widget)\//.test(path)
}

function file(reply: FastifyReply, root: string, name: string, cacheControl: string): FastifyReply {
  return reply.header('cache-control', cacheControl).sendFile(name, root, { cacheControl: false })
}
