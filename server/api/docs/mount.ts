import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SDKS } from '../../contract/languages.ts'
import { BUILD } from '../../kit/process/build.ts'
import { type Content, contentOf, once, sendContent } from '../content.ts'
import { describeApi } from '../openapi/describe.ts'
import { readBundle } from './bundle.ts'
import { type Guide, placeAddress, renderGuide } from './guide.ts'
import { guidePage, referencePage } from './page.ts'
import { GUIDES, type GuideEntry, PAGES } from './pages.ts'
import { describeForModels } from './plain.ts'

const DOCS = resolve('docs')
const FONTS = join(BUILD, 'console/assets')

const GUIDE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** The reference's script writes its styles into the page, and reads the document. */
const REFERENCE_POLICY = GUIDE_POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'").replace(
  "img-src 'self'",
  "img-src 'self' data:",
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

type Rendered = GuideEntry & { guide: Guide }

/** What the search looks through: a section of a page each. */
const listPassages = (guides: readonly Rendered[]) =>
  guides.flatMap(({ href, name, guide }) =>
    guide.passages.map(({ id, heading, text }) => ({
      href: id === '' ? href : `${href}#${id}`,
      page: name,
      heading,
      text,
    })),
  )

/** The package's module, without the line that names its source map. */
function readSearchEngine(): string {
  const folder = dirname(createRequire(import.meta.url).resolve('minisearch'))
  return readFileSync(join(folder, '../es/index.js'), 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '')
}

/** The files of an SDK's examples. A deployment that was copied without them serves the other pages. */
function examplesOf(language: string): string[] {
  const folder = resolve(`sdk/${language}/examples`)
  return existsSync(folder) ? readdirSync(folder).filter((name) => /^\w+\.(ts|py|sql)$/.test(name)) : []
}

/** Entry points /docs, for people, and /openapi.json and /llms.txt, for tools. */
export function mountDocs(app: FastifyInstance, about: { url: string; version: string }): void {
  const read = (name: string) => readFileSync(resolve(DOCS, name), 'utf8')

  const document = once(() => contentOf(JSON.stringify(describeApi(about)), 'application/json; charset=utf-8'))
  app.get('/openapi.json', async (request, reply) =>
    sendContent(request, reply.header('access-control-allow-origin', '*'), document(), BRIEF),
  )

  const reference = once(() => html(referencePage()))
  app.get('/docs', async (request, reply) => page(request, reply, REFERENCE_POLICY, reference()))
  for (const { href } of PAGES)
    app.get(`${href}/`, async (_request, reply) => reply.redirect(`..${href.slice(href.lastIndexOf('/'))}`, 301))
  const source = ({ file }: GuideEntry) => readFileSync(resolve(file), 'utf8')
  const guides = once(() => GUIDES.map((entry) => ({ ...entry, guide: renderGuide(source(entry), about.url) })))
  for (const entry of GUIDES) {
    const { href } = entry
    const guide = once(() => html(guidePage(href, renderGuide(source(entry), about.url))))
    app.get(href, async (request, reply) => page(request, reply, GUIDE_POLICY, guide()))
    const markdown = once(() => contentOf(placeAddress(source(entry), about.url), 'text/markdown; charset=utf-8'))
    app.get(`${href}.md`, async (request, reply) => sendContent(request, reply, markdown(), BRIEF))
  }
  const passages = once(() => contentOf(JSON.stringify(listPassages(guides())), 'application/json; charset=utf-8'))
  app.get('/docs/search.json', async (request, reply) => sendContent(request, reply, passages(), 'no-cache'))
  const models = once(() => contentOf(describeForModels(about.url), 'text/plain; charset=utf-8'))
  app.get('/llms.txt', async (request, reply) => sendContent(request, reply, models(), BRIEF))

  for (const language of Object.keys(SDKS))
    for (const name of examplesOf(language)) {
      const example = once(() => {
        const code = readFileSync(resolve(`sdk/${language}/examples`, name), 'utf8')
        return contentOf(placeAddress(code, about.url), 'text/plain; charset=utf-8')
      })
      app.get(`/docs/examples/${language}/${name}`, async (request, reply) =>
        sendContent(request, reply, example(), BRIEF),
      )
    }

  const bundle = once(async () => script(await readBundle()))
  app.get('/docs/scalar.js', async (request, reply) => sendContent(request, reply, await bundle(), DAY))
  const style = once(() => contentOf(fontFaces() + read('site/docs.css'), 'text/css; charset=utf-8'))
  app.get('/docs/docs.css', async (request, reply) => sendContent(request, reply, style(), 'no-cache'))
  const engine = once(() => script(readSearchEngine()))
  app.get('/docs/minisearch.js', async (request, reply) => sendContent(request, reply, engine(), DAY))
  for (const name of ['guide.js', 'reference.js', 'search.js']) {
    const content = once(() => script(read(`site/${name}`)))
    app.get(`/docs/${name}`, async (request, reply) => sendContent(request, reply, content(), 'no-cache'))
  }
}
