import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/support/testApp.ts'
import { TEST_BEHAVIOURS, testSitekey } from '../../accounts/sites/testKeys/behaviour.ts'
import { testSecret } from '../../accounts/sites/testKeys/ensure.ts'
import { ERRORS } from '../../contract/mistakes/errors.ts'
import { pageTexts } from '../../contract/mistakes/pageTexts.ts'
import { SETTINGS } from '../../kit/config/environment.ts'
import { EXAMPLES } from './examples.ts'
import { placeAddress, renderGuide } from './guide.ts'
import { rawOf } from './page.ts'
import { PAGES } from './pages.ts'

const app = testApp()

const get = (path: string, headers: Record<string, string> = {}) => fetch(app.url + path, { headers })
const guide = (name: string) => readFileSync(`docs/${name}.md`, 'utf8')

test('serves /openapi.json with CORS and caching', async () => {
  const reply = await get('/openapi.json')
  expect(await reply.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: app.ctx.config.publicUrl }] })
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=300',
  })
  expect((await get('/openapi.json', { 'if-none-match': reply.headers.get('etag') ?? '' })).status).toBe(304)
})

describe.each(PAGES.map(({ href, name }) => ({ href, name })))('$href', ({ href, name }) => {
  test('loads nothing from other hosts and runs no inline script', async () => {
    const reply = await get(href)
    const html = await reply.text()
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(html).toContain(`<a href="${href}" aria-current="page">${name}</a>`)
    expect(reply.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; /)
    expect(html).not.toMatch(/<script(?! src="\/)|<link[^>]*href="(?!\/)|\son\w+=|style="/)
  })

  test('loads only existing files', async () => {
    const html = await (await get(href)).text()
    const own = [...html.matchAll(/(?:<script src|<link rel="stylesheet" href)="(\/docs\/[^"]+)"/g)].map(
      ([, url]) => url,
    )
    expect(own.length).toBeGreaterThan(1)
    for (const url of own) expect([url, (await get(url ?? '')).status]).toEqual([url, 200])
  })
})

test('an address that leads nowhere gets a page with the navigation, and a program the error of the API', async () => {
  const reply = await get('/docs/reliabilty', { accept: 'text/html,*/*' })
  const text = await reply.text()
  expect([reply.status, text]).toEqual([404, expect.stringContaining('<h1>Page not found</h1>')])
  expect(text).toContain('<a href="/docs/reliability">Reliability</a>')
  expect(text.match(/aria-current="page"/g)).toBeNull()
  const json = await get('/docs/reliabilty')
  expect([json.status, await json.json()]).toEqual([404, { error: 'not-found' }])
})

test('serves each file of the examples as a page, and as text', async () => {
  expect(EXAMPLES.map(({ file }) => file)).toContain('examples/shop/attempts.ts')
  for (const { href, name, file } of EXAMPLES) {
    const html = await (await get(href)).text()
    expect(html).toContain(`<h1>${name}</h1>`)
    expect(html).not.toContain('On this page')
    expect(html).toContain(`<a href="${rawOf(href)}">View raw</a>`)
    const raw = await get(rawOf(href))
    expect([name, raw.status, raw.headers.get('content-type')]).toEqual([name, 200, 'text/plain; charset=utf-8'])
    expect(await raw.text()).toBe(placeAddress(readFileSync(file, 'utf8'), app.ctx.config.publicUrl))
  }
})

test('the first guide has one address', async () => {
  const reply = await fetch(`${app.url}/docs/integration`, { redirect: 'manual' })
  expect([reply.status, reply.headers.get('location')]).toEqual([301, '../docs'])
})

test('compresses the reference’s script if the client accepts it', async () => {
  const reply = await get('/docs/scalar.js', { 'accept-encoding': 'gzip' })
  expect([reply.headers.get('content-encoding'), reply.headers.get('vary')]).toEqual(['gzip', 'Accept-Encoding'])
  expect(await reply.text()).toContain('createApiReference')
  expect((await get('/docs/scalar.js', { 'accept-encoding': 'identity' })).headers.get('content-encoding')).toBeNull()
})

test('the guides’ links and sections exist, and ids are unique', () => {
  const pages = PAGES.flatMap(({ href, file }) =>
    file === undefined ? [] : [{ href, html: renderGuide(readFileSync(file, 'utf8')).html }],
  )
  const targets = new Map(
    pages.map(({ href, html }) => [
      href as string,
      [...html.matchAll(/<(?:h\d|tr) id="([^"]+)"/g)].map(([, id]) => id),
    ]),
  )
  for (const [href, ids] of targets) expect([href, ids.length]).toEqual([href, new Set(ids).size])
  const known = new Set([
    '/docs/api',
    '/sdk.json',
    '/widget.json',
    ...targets.keys(),
    ...EXAMPLES.map(({ href }) => href),
  ])
  const links = pages.flatMap(({ href: from, html }) =>
    [...html.matchAll(/href="([^"#?]*)(?:\?[^"#]*)?#?([^"]*)"/g)].map(([href, page, section]) => ({
      href: `${from}: ${href}`,
      // another site's page, or a program that the reader has just started
      leads:
        /^https:|^http:\/\/localhost:/.test(page ?? '') ||
        (section === '' ? known.has(page ?? '') : targets.get(page || from)?.includes(section)),
    })),
  )
  expect(links.length).toBeGreaterThan(30)
  expect(links.filter(({ leads }) => leads !== true)).toEqual([])
})

test('each error that the component explains in the browser’s console has an anchor on the page of errors', async () => {
  const page = await (await get('/docs/errors')).text()
  const topics = Object.keys(pageTexts())
  expect(topics.length).toBeGreaterThan(10)
  expect(topics.filter((topic) => !page.includes(` id="${topic}"`))).toEqual([])
})

test('each page links to the pages before and after it', async () => {
  const guides = PAGES.filter(({ file }) => file !== undefined)
  for (const [index, { href }] of guides.entries()) {
    const html = await (await get(href)).text()
    const to = (rel: string) => new RegExp(`<a rel="${rel}" href="([^"]+)"`).exec(html)?.[1]
    expect([href, to('prev'), to('next')]).toEqual([href, guides[index - 1]?.href, guides[index + 1]?.href])
  }
})

test('the search finds every section under the address that shows it', async () => {
  const passages = (await (await get('/docs/search.json')).json()) as Record<
    'path' | 'title' | 'heading' | 'aliases',
    string
  >[]
  expect(new Set(passages.map(({ path }) => path)).size).toBe(passages.length)
  const pages = new Map<string, string>()
  for (const { path } of passages) {
    const [page = '', section = 'main'] = path.split('#')
    if (!pages.has(page)) pages.set(page, await (await get(page)).text())
    expect(pages.get(page)).toContain(` id="${section}"`)
  }
  expect(pages.size).toBe(PAGES.length - 1 + EXAMPLES.length)
  const headings = await (await get('/docs/headings.json')).json()
  expect(headings).toEqual(passages.map(({ path, title, heading, aliases }) => ({ path, title, heading, aliases })))
  expect(await (await get('/docs/minisearch.js')).text()).not.toContain('sourceMappingURL')
})

test('/llms.txt lists every page as Markdown with this deployment’s URL', async () => {
  const text = await (await get('/llms.txt')).text()
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, url = '']) => url)
  expect(links).toHaveLength(PAGES.length)
  for (const url of links) {
    expect(url.startsWith(`${app.ctx.config.publicUrl}/`)).toBe(true)
    const reply = await get(url.slice(app.ctx.config.publicUrl.length))
    expect([url, reply.status]).toEqual([url, 200])
    expect(await reply.text()).not.toContain('localhost:3000')
  }
})

test('an address with a slash at its end leads to the page', async () => {
  for (const { href } of PAGES) {
    const reply = await fetch(`${app.url}${href}/`)
    expect([reply.status, reply.url]).toEqual([200, `${app.url}${href}`])
  }
})

test('the guides contain this deployment’s URL', async () => {
  const { publicUrl } = app.ctx.config
  expect(publicUrl).not.toContain('localhost:3000')
  // without the spans of colours
  const read = async (href: string) => (await (await get(href)).text()).replaceAll(/<\/?span[^>]*>/g, '')
  const pages = PAGES.filter(({ file }) => file !== undefined)
  for (const { href } of pages) expect(await read(href)).not.toContain('localhost:3000')
  for (const href of ['/docs/quick-start', '/docs/sdk-node'])
    expect(await read(href)).toContain(`npm install ${publicUrl}/sdk/tollgate-node-`)
  for (const href of ['/docs/quick-start', '/docs/sdk-python'])
    expect(await read(href)).toContain(`pip install ${publicUrl}/sdk/tollgate_captcha-`)
})

test('testing.md lists the actual test keys', () => {
  const text = guide('testing')
  for (const behaviour of TEST_BEHAVIOURS)
    expect(text).toContain(`\`${testSitekey(behaviour)}\` \`${testSecret(behaviour)}\``)
})

test('the unit test of testing.md for Node.js passes unchanged', async () => {
  const [, code = ''] = /^```js[^\n]*\n\/\/ signup\.test\.mjs\n([\s\S]*?)^```$/m.exec(guide('testing')) ?? []
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-testing-'))
  try {
    mkdirSync(join(folder, 'node_modules/@tollgate'), { recursive: true })
    symlinkSync(resolve('sdk/node'), join(folder, 'node_modules/@tollgate/node'), 'junction')
    writeFileSync(join(folder, 'signup.test.mjs'), placeAddress(code, app.url))
    const run = ['--test', '--test-reporter=tap', 'signup.test.mjs']
    const { stdout } = await promisify(execFile)(process.execPath, run, { cwd: folder })
    expect(stdout).toContain('ok 1 - a visitor with a token passes')
    expect(stdout).toContain('# pass 1')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('settings.md and data-and-privacy.md list every setting', () => {
  const tables = guide('settings') + guide('data-and-privacy')
  for (const name of Object.keys(SETTINGS)) expect(tables).toContain(`| \`${name}\` |`)
})

test('the codes that the guides mention exist', () => {
  const known = new Set([...Object.keys(ERRORS), 'missing-option', 'network', 'unsupported', 'unreachable'])
  const guides = ['backend', 'component', 'troubleshooting'].map(guide).join('')
  const tables = [...guides.matchAll(/^\| ((?:`[a-z-]+` ?)+)\|.*\|$/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z]+-[a-z-]+)`/g)].map(([, code = '']) => code),
  )
  const directives = /-(?:src|types)$/
  const codes = tables.filter((code) => !code.startsWith('data-') && !directives.test(code))
  expect(codes.length).toBeGreaterThan(10)
  expect(codes.filter((code) => !known.has(code))).toEqual([])
})

test('troubleshooting.md has a cause for every code of the API and the SDKs', () => {
  const ofSdks = JSON.parse(readFileSync('sdk/vectors/errors.json', 'utf8')) as { code: string }[]
  const rows = [...guide('troubleshooting').matchAll(/^\| (`[^|]+) \| [^|]+ \| [^|]*\|$/gm)].map(([, cell]) => cell)
  const codes = new Set([...Object.keys(ERRORS), ...ofSdks.map(({ code }) => code)])
  codes.delete('bad-field')
  expect([...codes].filter((code) => !rows.some((cell) => cell?.includes(`\`${code}\``)))).toEqual([])
})

/** The shell code blocks of a guide. */
const shellBlocks = (name: string) =>
  [...guide(name).matchAll(/^```sh[^\n]*\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)

test('the curl examples generate nonce and key once, outside of the call', () => {
  const calls = shellBlocks('quick-start').flatMap((code) => code.match(/^curl[\s\S]*?^JSON$/gm) ?? [])
  const redemptions = calls.filter((call) => /\/(?:intents|siteverify)"/.test(call))
  expect(redemptions.length).toBeGreaterThan(1)
  for (const call of redemptions) expect(call).not.toMatch(/\$\(/)
})
