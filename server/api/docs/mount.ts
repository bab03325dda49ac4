import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { describeApi } from '../openapi/describe.ts'
import { readBundle } from './bundle.ts'
import { renderGuide } from './guide.ts'
import { guidePage, PAGES, referencePage } from './page.ts'

const DOCS = resolve('docs')
const FONTS = resolve('dist/console/assets')

const GUIDE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** The reference's script writes its styles into the page, and reads the document. */
const REFERENCE_POLICY = GUIDE_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'").replace(
  "img-src 'self'",
  "img-src 'self' data:; connect-src 'self'",
)

/** Calls `make` at the first call and caches its result. */
function once<Out>(make: () => Out): () => Out {
  let made: { value: Out } | undefined
  return () => (made ??= { value: make() }).value
}

type Content = { body: string | Buffer; type: string; cache: string; encoding?: string }

/** Sends content that rarely changes, or 304 if the browser already has it. */
function send(request: FastifyRequest, reply: FastifyReply, { body, type, cache, encoding }: Content): FastifyReply {
  const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  void reply.header('etag', tag).header('cache-control', cache).header('x-content-type-options', 'nosniff')
  if (encoding !== undefined) void reply.header('content-encoding', encoding)
  return request.headers['if-none-match'] === tag ? reply.code(304).send() : reply.type(type).send(body)
}

const page = (request: FastifyRequest, reply: FastifyReply, policy: string, body: string): FastifyReply =>
  send(request, reply.header('content-security-policy', policy).header('referrer-policy', 'no-referrer'), {
    body,
    type: 'text/html; charset=utf-8',
    cache: 'no-cache',
  })

/** The console's typefaces, if it is built; their file names contain a hash. */
function fontFaces(): string {
  const files = existsSync(FONTS) ? readdirSync(FONTS) : []
  return [
    { family: 'Inter Variable', prefix: 'inter-' },
    { family: 'JetBrains Mono Variable', prefix: 'jetbrains-mono-' },
  ]
    .map(({ family, prefix }) => {
      const file = files.find((name) => name.startsWith(prefix) && name.endsWith('.woff2'))
      return file === undefined
        ? ''
        : `@font-face { font-family: "${family}"; font-display: swap; font-weight: 100 900; src: url("/assets/${file}") format("woff2"); }\n`
    })
    .join('')
}

/** Entry points /docs, for people, and /openapi.json, for tools. */
export function mountDocs(app: FastifyInstance, about: { url: string; version: string }): void {
  const read = (name: string) => readFileSync(resolve(DOCS, name), 'utf8')

  const document = once(() => JSON.stringify(describeApi(about)))
  app.get('/openapi.json', async (request, reply) =>
    send(request, reply.header('access-control-allow-origin', '*'), {
      body: document(),
      type: 'application/json; charset=utf-8',
      cache: 'public, max-age=300',
    }),
  )

  app.get('/docs', async (request, reply) => page(request, reply, REFERENCE_POLICY, referencePage()))
  for (const { href, file } of PAGES) {
    if (file === undefined) continue
    const guide = once(() => guidePage(href, renderGuide(readFileSync(resolve(file), 'utf8'), about.url)))
    app.get(href, async (request, reply) => page(request, reply, GUIDE_POLICY, guide()))
  }

  const bundle = once(readBundle)
  app.get('/docs/scalar.js', async (request, reply) => {
    const { plain, zipped } = await bundle()
    const zips = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
    return send(request, reply.header('vary', 'Accept-Encoding'), {
      ...(zips ? { body: zipped, encoding: 'gzip' } : { body: plain }),
      type: 'text/javascript; charset=utf-8',
      cache: 'public, max-age=86400',
    })
  })
  const style = once(() => fontFaces() + read('site/docs.css'))
  app.get('/docs/docs.css', async (request, reply) =>
    send(request, reply, { body: style(), type: 'text/css; charset=utf-8', cache: 'no-cache' }),
  )
  for (const name of ['guide.js', 'reference.js']) {
    const script = once(() => read(`site/${name}`))
    app.get(`/docs/${name}`, async (request, reply) =>
      send(request, reply, { body: script(), type: 'text/javascript; charset=utf-8', cache: 'no-cache' }),
    )
  }
}
