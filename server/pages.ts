import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuseForeignHost } from './admin/host.ts'
import { isPath } from './api/endpoints.ts'
import { CONSOLE_PATHS } from './contract/consolePaths.ts'
import type { Config } from './kit/config/config.ts'
import { BUILD } from './kit/process/build.ts'

const CONSOLE = join(BUILD, 'console')
const IMMUTABLE = 'public, max-age=31536000, immutable'

/** A path of the console's router for the server's: `/invite/$id` as `/invite/*`. */
const toPattern = (path: string): string => path.replace(/\$.*/, '*')
const patterns = ({ tryPage }: Pick<Config, 'tryPage'>): string[] => [
  ...Object.values(CONSOLE_PATHS)
    .filter((path) => tryPage || path !== CONSOLE_PATHS.try)
    .map(toPattern),
  `${CONSOLE_PATHS.staff}/*`,
]

/** Of the frame that shows the component in the console. */
const PLAYGROUND_POLICY =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; require-trusted-types-for 'script'; trusted-types tollgate"

/** Serves the console, with a strict content security policy. */
export function mountPages(app: FastifyInstance, config: Pick<Config, 'publicUrl' | 'demo' | 'tryPage'>): void {
  const { publicUrl } = config
  // Pages under /docs use some of these, and they are served with any Host. Without the headers of pages, which are larger than many
  // of the files.
  app.get<{ Params: { '*': string } }>('/assets/*', async (request, reply) =>
    file(
      reply.header('cross-origin-resource-policy', 'same-origin'),
      resolve(CONSOLE, 'assets'),
      request.params['*'],
      IMMUTABLE,
    ),
  )
  app.register(async (pages) => {
    await pages.register(helmet, {
      // the whole service has one (app.ts)
      strictTransportSecurity: false,
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          imgSrc: ["'self'", 'data:'],
          objectSrc: ["'none'"],
          baseUri: ["'none'"],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
          // no library of the console may create markup from strings
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
      // a person with a wrong URL gets a page, a program the API's error, with any Host
      own.addHook('onRequest', async (request, reply) =>
        request.routeOptions.url === '/*' && !isVisit(request) ? reply.callNotFound() : undefined,
      )
      own.addHook('onRequest', refuseForeignHost(config))
      for (const path of patterns(config)) own.get(path, async (request, reply) => page(request, reply))
      own.get('/*', async (request, reply) => page(request, reply.code(404)))
    })
    // the component needs a policy of Trusted Types, which no page of the console may have: a frame of its own
    pages.get('/playground', async (_request, reply) =>
      file(reply.header('content-security-policy', PLAYGROUND_POLICY), CONSOLE, 'playground.html', 'no-cache'),
    )
    for (const name of ['playground.js', 'playground.css', 'theme.js', 'favicon.svg', 'robots.txt']) {
      if (existsSync(resolve(CONSOLE, name)))
        pages.get(`/${name}`, async (_request, reply) => file(reply, CONSOLE, name, 'no-cache'))
    }
  })
}

const index = (reply: FastifyReply): FastifyReply => file(reply, CONSOLE, 'index.html', 'no-cache')

/**
 * Whether PUBLIC_URL is `localhost` and the host is another loopback name with the same port. To a browser
 * they are different origins: the console opened with `127.0.0.1` could read, but sign-in would fail.
 */
function isLoopbackOf(publicUrl: string, host: string): boolean {
  const { hostname, host: own } = new URL(publicUrl)
  const spelling = /^(127(?:\.\d{1,3}){3}|\[::1\])(:\d+)?$/.exec(host)
  return hostname === 'localhost' && spelling !== null && own === `localhost${spelling[2] ?? ''}`
}

/** Whether a browser navigates to this path, which is not one of the API. */
function isVisit({ url, headers }: FastifyRequest): boolean {
  const path = url.split('?', 1)[0] ?? ''
  return (headers.accept ?? '').includes('text/html') && !isPath(path) && !/^\/(trpc|auth|assets|widget)\//.test(path)
}

function file(reply: FastifyReply, root: string, name: string, cacheControl: string): FastifyReply {
  return reply.header('cache-control', cacheControl).sendFile(name, root, { cacheControl: false })
}
