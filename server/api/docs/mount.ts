import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from '../../kit/http/escape.ts'
import { fontFaces } from '../../kit/http/fonts.ts'
import { type Content, contentOf, once, sendContent } from '../content.ts'
import { describeApi } from '../openapi/describe.ts'
import { readBundle } from './bundle.ts'
import { highlighted } from './code.ts'
import { EXAMPLES } from './examples.ts'
import { placeAddress, renderGuide } from './guide.ts'
import { examplePage, guidePage, missingPage, rawOf, referencePage } from './page.ts'
import { GROUPS, GUIDES, markdownOf, PAGES } from './pages.ts'
import { describeForModels } from './plain.ts'

const DOCS = resolve('docs')

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

/** The package's module, without the line that names its source map. */
function readSearchEngine(): string {
  const folder = dirname(createRequire(import.meta.url).resolve('minisearch'))
  return readFileSync(join(folder, '../es/index.js'), 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '')
}

type About = Readonly<{ url: string; version: string }>

/** Entry points /docs, for people, and /openapi.json and /llms.txt, for tools. */
export function mountDocs(app: FastifyInstance, about: About): void {
  mountTexts(app, about)
  const read = (name: string) => readFileSync(resolve(DOCS, name), 'utf8')

  const document = once(() => contentOf(JSON.stringify(describeApi(about)), 'application/json; charset=utf-8'))
  app.get('/openapi.json', async (request, reply) =>
    sendContent(request, reply.header('access-control-allow-origin', '*'), document(), BRIEF),
  )

  const reference = once(() => html(referencePage()))
  app.get('/docs/api', async (request, reply) => page(request, reply, REFERENCE_POLICY, reference()))
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
  const missing = once(() => html(missingPage()))
  app.get('/docs/*', async (request, reply) =>
    (request.headers.accept ?? '').includes('text/html')
      ? page(request, reply.code(404), GUIDE_POLICY, missing())
      : reply.callNotFound(),
  )
}

/** What it says of earlier versions is no answer to a question: the search finds it by its headings only. */
const CHANGELOG = '/docs/changelog'

/** How the service works inside, which the search lists last. */
const INTERNALS = new Set<string>(
  GROUPS.flatMap(({ name, pages }) => (name === 'Internals' ? pages.map(({ href }) => href) : [])),
)

/** The guides and the examples, and what is made from their text for the search and for language models. */
function mountTexts(app: FastifyInstance, about: About): void {
  for (const { href } of PAGES)
    app.get(`${href}/`, async (_request, reply) => reply.redirect(`..${href.slice(href.lastIndexOf('/'))}`, 301))
  app.get('/docs/integration', async (_request, reply) => reply.redirect('../docs', 301))

  const guides = GUIDES.map((entry) => {
    const source = once(() => readFileSync(resolve(entry.file), 'utf8'))
    const guide = once(() => renderGuide(source(), about.url, highlighted))
    const content = once(() => html(guidePage(entry.href, guide(), about.version, markdownOf(entry))))
    app.get(entry.href, async (request, reply) => page(request, reply, GUIDE_POLICY, content()))
    const markdown = once(() => contentOf(placeAddress(source(), about.url), 'text/markdown; charset=utf-8'))
    app.get(markdownOf(entry), async (request, reply) => sendContent(request, reply, markdown(), BRIEF))
    return { href: entry.href, title: entry.name, guide }
  })
  for (const example of EXAMPLES) {
    const code = once(() => readFileSync(resolve(example.file), 'utf8'))
    const content = once(() => {
      const body = placeAddress(highlighted(code(), example.language), escapeHtml(about.url))
      return html(examplePage(example, body, about.version))
    })
    app.get(example.href, async (request, reply) => page(request, reply, GUIDE_POLICY, content()))
    const raw = once(() => contentOf(placeAddress(code(), about.url), 'text/plain; charset=utf-8'))
    app.get(rawOf(example.href), async (request, reply) => sendContent(request, reply, raw(), BRIEF))
  }

  const passages = once(() => [
    ...guides.flatMap(({ href, title, guide }) =>
      guide().passages.map(({ id, aliases, ...found }) => {
        const passage = {
          ...(href === CHANGELOG ? { ...found, text: '', code: '' } : found),
          ...(INTERNALS.has(href) && { isInternal: true }),
        }
        return id === ''
          ? // also by the page's address: nextjs for Next.js
            { path: href, title, aliases: `${href.replace('/docs', '').slice(1)} ${aliases}`.trim(), ...passage }
          : { path: `${href}#${id}`, title, aliases, ...passage }
      }),
    ),
    ...EXAMPLES.map(({ href, name, group }) => ({
      path: href,
      title: 'Examples',
      heading: name,
      aliases: '',
      text: group,
      code: '',
    })),
  ])
  const json = (value: unknown) => contentOf(JSON.stringify(value), 'application/json; charset=utf-8')
  const search = once(() => json(passages()))
  app.get('/docs/search.json', async (request, reply) => sendContent(request, reply, search(), 'no-cache'))
  const headings = once(() =>
    json(passages().map(({ path, title, heading, aliases }) => ({ path, title, heading, aliases }))),
  )
  app.get('/docs/headings.json', async (request, reply) => sendContent(request, reply, headings(), 'no-cache'))
  const models = once(() => contentOf(describeForModels(about.url), 'text/plain; charset=utf-8'))
  app.get('/llms.txt', async (request, reply) => sendContent(request, reply, models(), BRIEF))
}
