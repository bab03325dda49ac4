import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import MiniSearch from 'minisearch'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen } from '../../../sdk/testing/listen.ts'
import { openTestApp, type TestApp } from '../../../test/support/app.ts'
import { newNonce } from '../../../test/support/client.ts'
import { solvePuzzles } from '../../../test/support/solver.ts'
import { TEST_BEHAVIOURS, testSitekey } from '../../accounts/sites/testKeys/behaviour.ts'
import { testSecret } from '../../accounts/sites/testKeys/ensure.ts'
import { ERRORS } from '../../contract/errors.ts'
import { placeAddress, renderGuide } from './guide.ts'
import { PAGES } from './pages.ts'

/** The headings of the guide when it was one page. Never remove one: links to them are in other people's documents. */
const FORMER_ANCHORS = [
  'how-it-works',
  'who-does-what',
  'keys',
  'test-keys',
  'the-three-calls-with-curl',
  'what-to-store-and-when',
  'the-client',
  'nodejs',
  'python',
  'any-other-language',
  'the-component',
  'when-the-intent-expires',
  'signs-of-automation',
  'javascript-api',
  'languages',
  'typescript',
  'react',
  'pinning-a-version',
  'content-security-policy',
  'errors-of-the-component',
  'when-a-call-fails',
  'time-outs-retries-and-replays',
  'feedback',
  'what-feedback-changes',
  'grants',
  'limits',
  'networks',
  'before-you-go-live',
  'what-the-service-cannot-do',
]

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

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
  const known = new Set(['/docs', '/sdk.json', '/widget.json', ...targets.keys()])
  const links = pages.flatMap(({ href: from, html }) =>
    [...html.matchAll(/href="([^"#]*)#?([^"]*)"/g)].map(([href, page, section]) => ({
      href: `${from}: ${href}`,
      // another site's page
      leads:
        page?.startsWith('https:') ||
        (section === '' ? known.has(page ?? '') : targets.get(page || from)?.includes(section)),
    })),
  )
  expect(links.length).toBeGreaterThan(30)
  expect(links.filter(({ leads }) => leads !== true)).toEqual([])
})

test('each error that the component explains in the browser’s console has an anchor on the page of errors', async () => {
  const texts = JSON.parse(readFileSync('widget/help.json', 'utf8')) as Record<string, string>
  const page = await (await get('/docs/errors')).text()
  const topics = Object.keys(texts)
  expect(topics.length).toBeGreaterThan(10)
  expect(topics.filter((topic) => !page.includes(` id="${topic}"`))).toEqual([])
})

test('every anchor of the former single guide leads to its section', async () => {
  const html = await (await get('/docs/integration')).text()
  expect(FORMER_ANCHORS.length).toBe(29)
  for (const id of FORMER_ANCHORS) {
    // a section that stayed has a heading with its id
    const [, href = `/docs/integration#${id}`] = new RegExp(`<li id="${id}"><a href="([^"]+)"`).exec(html) ?? []
    const [path = '', section = 'main'] = href.split('#')
    expect([id, await (await get(path)).text()]).toEqual([id, expect.stringContaining(` id="${section}"`)])
  }
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
  const passages = (await (await get('/docs/search.json')).json()) as { href: string; heading: string; text: string }[]
  expect(new Set(passages.map(({ href }) => href)).size).toBe(passages.length)
  const pages = new Map<string, string>()
  for (const { href } of passages) {
    const [path = '', section = 'main'] = href.split('#')
    if (!pages.has(path)) pages.set(path, await (await get(path)).text())
    expect(pages.get(path)).toContain(` id="${section}"`)
  }
  expect(pages.size).toBe(PAGES.length - 1)
  const engine = new MiniSearch({ idField: 'href', fields: ['heading', 'text'] })
  engine.addAll(passages)
  expect(engine.search('honeypot')[0]?.id).toBe('/docs/component#signs-of-automation')
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

test('the quick start shows the code of the SDKs’ READMEs', () => {
  const first = (file: string, start: string) =>
    readFileSync(file, 'utf8')
      .split('```')
      .find((block) => block.startsWith(start)) ?? 'none'
  expect(guide('quick-start')).toContain(first('sdk/node/README.md', 'js\n// signup.mjs'))
  expect(guide('quick-start')).toContain(first('sdk/python/README.md', 'python\nfrom tollgate import TEST_KEYS'))
})

test('the guides contain this deployment’s URL', async () => {
  const { publicUrl } = app.ctx.config
  expect(publicUrl).not.toContain('localhost:3000')
  const read = async (href: string) => (await get(href)).text()
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
  const [, code = ''] = /^```js\n\/\/ signup\.test\.mjs\n([\s\S]*?)^```$/m.exec(guide('testing')) ?? []
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

test('operations.md lists every setting', () => {
  const settings = [...readFileSync('server/kit/config.ts', 'utf8').matchAll(/^ {4}([A-Z_]{4,}):/gm)].map(
    ([, name]) => name,
  )
  expect(settings.length).toBeGreaterThan(12)
  for (const name of settings) expect(guide('operations')).toContain(`| \`${name}\` |`)
})

test('the codes that the guides mention exist', () => {
  const known = new Set([...Object.keys(ERRORS), 'missing-option', 'network', 'unsupported', 'unreachable'])
  const tables = [...(guide('backend') + guide('component')).matchAll(/^\| ((?:`[a-z-]+` ?)+)\|.*\|$/gm)].flatMap(
    ([, cell = '']) => [...cell.matchAll(/`([a-z]+-[a-z-]+)`/g)].map(([, code = '']) => code),
  )
  const directives = /-(?:src|types)$/
  const codes = tables.filter((code) => !code.startsWith('data-') && !directives.test(code))
  expect(codes.length).toBeGreaterThan(15)
  expect(codes.filter((code) => !known.has(code))).toEqual([])
})

describe('the code of backend.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-guide-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const blocks = [...guide('backend').matchAll(/^```js\n\/\/ (\w+\.mjs)\n([\s\S]*?)^```$/gm)]
  for (const [, name = '', code = ''] of blocks) writeFileSync(join(folder, name), code)
  mkdirSync(join(folder, 'node_modules/@tollgate'), { recursive: true })
  symlinkSync(resolve('sdk/node'), join(folder, 'node_modules/@tollgate/node'), 'junction')
  const SESSION = `'${'0'.repeat(64)}'`
  const [pass] = TEST_BEHAVIOURS
  if (!pass) throw new Error('there is no test key')
  const keys = { sitekey: testSitekey(pass), secret: testSecret(pass) }

  /** Evaluates an expression of a merchant's code in a separate process next to the guide's files. */
  async function run(expression: string, settings: Record<string, string> = {}): Promise<Record<string, unknown>> {
    const driver = pathToFileURL(createRequire(import.meta.url).resolve('pg')).href
    writeFileSync(
      join(folder, 'run.mjs'),
      `const { CODE, DRIVER, DATABASE } = (await import('node:process')).env
      const { openIntent, redeem } = await import(CODE + '/tollgate.mjs')
      const { openForm, submit } = await import(CODE + '/checkout.mjs')
      const { default: pg } = await import(DRIVER)
      const db = new pg.Pool({ connectionString: DATABASE })
      console.log(JSON.stringify(await ${expression}))
      await db.end()`,
    )
    const env = {
      TOLLGATE_URL: app.url,
      TOLLGATE_SITEKEY: keys.sitekey,
      TOLLGATE_SECRET: keys.secret,
      CODE: pathToFileURL(folder).href,
      DRIVER: driver,
      DATABASE: app.ownerDatabaseUrl,
      ...settings,
    }
    const { stdout } = await promisify(execFile)(process.execPath, ['run.mjs'], { cwd: folder, env })
    return JSON.parse(stdout) as Record<string, unknown>
  }

  async function earn(intentId: unknown): Promise<string> {
    const { body } = await app.client.challenge(keys, intentId)
    const solution = solvePuzzles(body as { seed: string; count: number; target: number })
    const solved = await app.client.solve(keys, { intent_id: intentId, challenge: body['challenge'], solution })
    return String(solved.body['response'])
  }

  beforeAll(async () => {
    const [tables = ''] = /^create table attempts[\s\S]*?(?=^```$)/m.exec(guide('backend')) ?? []
    await app.sql.query(tables)
  })

  const binding = { action: 'checkout', hostname: 'shop.example' }
  const open = (settings = {}) => run(`openIntent(${JSON.stringify({ ...binding, nonce: newNonce() })})`, settings)
  const redeem = (fields: object, settings = {}) => run(`redeem(${JSON.stringify(fields)})`, settings)

  test('opens an intent and redeems its token without an SDK, and again with the same result', async () => {
    const intent = await open()
    expect(intent).toMatchObject({ ok: true, value: { intent_id: expect.any(String) } })
    const { intent_id } = intent['value'] as { intent_id: string }
    const fields = { ...binding, response: await earn(intent_id), intent_id, idempotency_key: newNonce() }
    const decision = await redeem(fields)
    expect(decision).toMatchObject({ ok: true, value: { decision_id: expect.stringMatching(/^dec_/) } })
    expect(await redeem(fields)).toEqual(decision)
    expect(await redeem({ ...fields, idempotency_key: newNonce() })).toMatchObject({
      ok: false,
      code: 'already-redeemed',
    })
    expect(await redeem({ ...fields, response: `${fields.response}A` })).toMatchObject({ ok: false })
  })

  test('treats no failure as a pass', async () => {
    expect(await open({ TOLLGATE_URL: 'http://127.0.0.1:1' })).toEqual({
      ok: false,
      code: 'unreachable',
      again: true,
    })
    expect(await open({ TOLLGATE_SITEKEY: 'tg_site_00000000000000000000' })).toMatchObject({
      ok: false,
      code: 'unexpected-answer',
    })
    expect(await open({ TOLLGATE_URL: `${app.url}/docs` })).toMatchObject({ ok: false, code: 'not-found' })
    const { intent_id } = (await open())['value'] as { intent_id: string }
    const fields = { ...binding, intent_id, response: 'tgr_AAAA', idempotency_key: newNonce() }
    expect(await redeem(fields)).toMatchObject({ ok: false, code: 'response-invalid' })
  })

  test('shows no form without an intent', async () => {
    const failing = `openForm(db, ${SESSION}).catch(({ name, code }) => ({ name, code }))`
    expect(await run(failing, { TOLLGATE_SITEKEY: 'tg_site_00000000000000000000' })).toEqual({
      name: 'UnexpectedAnswerError',
      code: 'unexpected-answer',
    })
  })

  const shown = () => run(`openForm(db, ${SESSION})`)
  /** The results of the guide's `submit` for these concurrent submissions. */
  async function submit(...submissions: object[]): Promise<Record<string, unknown>[]> {
    const sent = submissions.map((each) => `submit(db, ${SESSION}, ${JSON.stringify(each)})`)
    return (await run(`Promise.all([${sent.join(', ')}])`)) as unknown as Record<string, unknown>[]
  }
  const ordersOf = async (attempt: unknown) =>
    (await app.sql.query('select payload from orders where attempt_id = $1', [attempt])).rows

  test('places one order for five concurrent submissions, whatever the order of their fields', async () => {
    const { attemptId, intentId } = await shown()
    const token = await earn(intentId)
    const said = { attemptId, payload: { product: 'bell', quantity: 2 }, token }
    expect(await submit({ ...said, token: '' })).toEqual([{ ok: false, code: 'incomplete' }])
    expect(await submit({ ...said, payload: null })).toEqual([{ ok: false, code: 'incomplete' }])
    expect(await submit({ ...said, attemptId: 'x' })).toEqual([{ ok: false, code: 'foreign' }])
    expect(await run(`submit(db, '${'f'.repeat(64)}', ${JSON.stringify(said)})`)).toEqual({
      ok: false,
      code: 'foreign',
    })
    const turned = { ...said, payload: { quantity: 2, product: 'bell' } }
    const done = { ok: true, frozen: said }
    expect(await submit(said, said, turned, said, said)).toEqual([done, done, done, done, done])
    expect(await ordersOf(attemptId)).toEqual([{ payload: said.payload }])

    // after the replay window the service no longer has the answer, but the order exists
    await app.sql.query(`update decision set redeemed_at = redeemed_at - interval '1 h' where id = $1`, [intentId])
    expect(await submit(said)).toEqual([done])
  })

  test('refuses another payload or token of the same attempt, before and after the order', async () => {
    const { attemptId, intentId } = await shown()
    const said = { attemptId, payload: { quantity: 1 }, token: await earn(intentId) }
    const changes = [
      { ...said, payload: { quantity: 9 } },
      { ...said, payload: null },
      { ...said, token: await earn(intentId) },
      { ...said, token: '' },
    ]
    // frozen without an answer, because nothing listens at this address
    const lost = `submit(db, ${SESSION}, ${JSON.stringify(said)})`
    expect(await run(lost, { TOLLGATE_URL: 'http://127.0.0.1:1' })).toEqual({
      ok: false,
      code: 'unreachable',
      again: true,
      frozen: said,
    })
    const changed = (isDone: boolean) => changes.map(() => ({ ok: false, code: 'changed', isDone, frozen: said }))
    expect(await submit(...changes)).toEqual(changed(false))
    expect(await ordersOf(attemptId)).toEqual([])
    expect(await submit(said)).toEqual([{ ok: true, frozen: said }])
    expect(await submit(...changes)).toEqual(changed(true))
    expect(await ordersOf(attemptId)).toEqual([{ payload: { quantity: 1 } }])
  })

  test('accepts one of five different concurrent submissions', async () => {
    const { attemptId, intentId } = await shown()
    const token = await earn(intentId)
    const results = await submit(...[1, 2, 3, 4, 5].map((quantity) => ({ attemptId, payload: { quantity }, token })))
    expect(results.map(({ code }) => code ?? 'ok').toSorted()).toEqual([...Array(4).fill('changed'), 'ok'])
    const quantity = results.findIndex(({ ok }) => ok) + 1
    expect(await ordersOf(attemptId)).toEqual([{ payload: { quantity } }])
  })

  test('places no order for a forged token', async () => {
    const { attemptId } = await shown()
    const forged = { attemptId, payload: { product: 'bell' }, token: 'tgr_AAAA' }
    expect(await submit(forged)).toEqual([{ ok: false, code: 'response-invalid', again: false, frozen: forged }])
    expect(await ordersOf(attemptId)).toEqual([])
  })

  test('accepts no invalid answer of a service as an intent or a pass, with or without the SDK', async () => {
    const [intentId, other] = [crypto.randomUUID(), crypto.randomUUID()]
    const intent = { intent_id: intentId, sitekey: keys.sitekey, ...binding, expires_at: 1 }
    const decision = { success: true, intent_id: intentId, ...binding, decision_id: 'dec_1', assessment: 'passed' }
    let answer: object | null = intent
    const liar = await listen((_request, response) => void response.end(JSON.stringify(answer)))
    const settings = { TOLLGATE_URL: liar.url }
    const failed = { ok: false, code: 'unexpected-answer' }
    try {
      for (const change of [
        { sitekey: 'tg_site_00000000000000000000' },
        { action: 'signup' },
        { hostname: 'localhost' },
        { intent_id: undefined },
        { intent_id: 7 },
        { intent_id: [intentId] },
        { intent_id: 'x' },
      ]) {
        answer = { ...intent, ...change }
        expect([change, await open(settings)]).toEqual([change, expect.objectContaining(failed)])
        const refused = `openForm(db, ${SESSION}).catch(({ code }) => ({ ok: false, code }))`
        expect([change, await run(refused, settings)]).toEqual([change, failed])
      }
      answer = intent
      expect(await open(settings)).toMatchObject({ ok: true })

      const { attemptId } = await run(`openForm(db, ${SESSION})`, settings)
      const said = JSON.stringify({ attemptId, payload: { quantity: 1 }, token: 'tgr_AAAA' })
      const fields = { ...binding, intent_id: intentId, response: 'tgr_AAAA', idempotency_key: newNonce() }
      for (const change of [
        { success: 'true' },
        { success: undefined },
        { assessment: 'failed' },
        { assessment: 0.9 },
        { intent_id: other },
        { action: 'signup' },
        { hostname: 'localhost' },
        { decision_id: undefined },
        { decision_id: 7 },
        { decision_id: '' },
      ]) {
        answer = { ...decision, ...change }
        expect([change, await redeem(fields, settings)]).toEqual([change, expect.objectContaining(failed)])
        const result = await run(`submit(db, ${SESSION}, ${said})`, settings)
        expect([change, result]).toEqual([change, expect.objectContaining({ ...failed, again: false })])
      }
      answer = null
      expect(await redeem(fields, settings)).toMatchObject({ ok: false })
      expect(await ordersOf(attemptId)).toEqual([])
      answer = decision
      expect(await redeem(fields, settings)).toMatchObject({ ok: true })
      expect(await run(`submit(db, ${SESSION}, ${said})`, settings)).toMatchObject({ ok: true })
    } finally {
      await liar.close()
    }
    // about forty processes, one after the other
  }, 240_000)
})

/** The shell code blocks of a guide. */
const shellBlocks = (name: string) =>
  [...guide(name).matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)

test('the curl examples generate nonce and key once, outside of the call', () => {
  const calls = shellBlocks('quick-start').flatMap((code) => code.match(/^curl[\s\S]*?^JSON$/gm) ?? [])
  const redemptions = calls.filter((call) => /\/(?:intents|siteverify)"/.test(call))
  expect(redemptions.length).toBeGreaterThan(1)
  for (const call of redemptions) expect(call).not.toMatch(/\$\(/)
})
