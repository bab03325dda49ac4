import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BUILD } from '../../kit/build.ts'
import { type Content, contentOf, once, sendContent } from '../content.ts'
import { describeApi } from '../openapi/describe.ts'
import { readBundle } from './bundle.ts'
import { renderGuide } from './guide.ts'
import { guidePage, PAGES, referencePage } from './page.ts'

const DOCS = resolve('docs')
const FONTS = join(BUILD, 'console/assets')

const GUIDE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** The reference's script writes its styles into the page, and reads the document. */
const REFERENCE_POLICY = GUIDE_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'").replace(
  "img-src 'self'",
  "img-src 'self' data:; connect-src 'self'",
)

const BRIEF = 'public, max-age=300'
const DAY = 'public, max-age=86400'
const html = (text: string): Content => contentOf(text, 'text/html; charset=utf-8')
const script = (text: string): Content => contentOf(text, 'text/javascript; charset=utf-8')

const page = (request: FastifyRequest, reply: FastifyReply, policy: string, content: Content): FastifyReply =>
  sendContent(
    request,
    reply.header('content-security-policy', policy).header('referrer-policy', 'no-referrer'),
    content,
    'no-cache',
  )

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

  const document = once(() => contentOf(JSON.stringify(describeApi(about)), 'application/json; charset=utf-8'))
  app.get('/openapi.json', async (request, reply) =>
    sendContent(request, reply.header('access-control-allow-origin', '*'), document(), BRIEF),
  )

  const reference = once(() => html(referencePage()))
  app.get('/docs', async (request, reply) => page(request, reply, REFERENCE_POLICY, reference()))
  for (const { href, file } of PAGES) {
    if (file === undefined) continue
    const guide = once(() => html(guidePage(href, renderGuide(readFileSync(resolve(file), 'utf8'), about.url))))
    app.get(href, async (request, reply) => page(request, reply, GUIDE_POLICY, guide()))
  }

  const bundle = once(async () => script(await readBundle()))
  app.get('/docs/scalar.js', async (request, reply) => sendContent(request, reply, await bundle(), DAY))
  const style = once(() => contentOf(fontFaces() + read('site/docs.css'), 'text/css; charset=utf-8'))
  app.get('/docs/docs.css', async (request, reply) => sendContent(request, reply, style(), 'no-cache'))
  for (const name of ['guide.js', 'reference.js']) {
    const content = once(() => script(read(`site/${name}`)))
    app.get(`/docs/${name}`, async (request, reply) => sendContent(request, reply, content(), 'no-cache'))
  }
}
