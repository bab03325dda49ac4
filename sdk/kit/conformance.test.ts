import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { makeSite } from '../../test/support/make.ts'
import type { Result } from './check.ts'

let app: TestApp
let keys: { sitekey: string; secret: string; hostname: string }
beforeAll(async () => {
  app = await openTestApp()
  const site = await makeSite(app.ctx)
  keys = { sitekey: site.sitekey, secret: site.secret, hostname: 'shop.example' }
})
afterAll(() => app.close())

function run(args: string[], secret = keys.secret): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'sdk/kit/main.ts', 'conformance', ...args], {
    env: { PATH: process.env['PATH'], TOLLGATE_SECRET: secret },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  return new Promise((resolve) => child.once('exit', (code) => resolve({ code, output })))
}

const at = (url: string) => ['--base-url', url, '--sitekey', keys.sitekey, '--hostname', keys.hostname]

test("this project's deployment passes every check, for at most ten units", async () => {
  const { code, output } = await run(at(app.url))
  expect(output).toContain(`Conformance of the service at ${app.url}`)
  expect(output).toContain('1. A visitor’s whole flow')
  expect(output).toContain('16 passed, 0 failed, 0 skipped.')
  expect(code).toBe(0)
  const { rows } = await app.sql.query('select count(*)::int as n from decision')
  expect(rows[0].n).toBeLessThanOrEqual(10)
  expect(rows[0].n).toBeGreaterThanOrEqual(5)
})

test('works with a site whose challenges are of HashWX', async () => {
  const site = await makeSite(app.ctx, { policy: { challengeKind: 'hashwx', baseWork: 65_536 } })
  const target = ['--base-url', app.url, '--sitekey', site.sitekey, '--hostname', 'shop.example', '--json']
  const { code, output } = await run(target, site.secret)
  expect(JSON.parse(output)).toMatchObject({ failed: [] })
  expect(code).toBe(0)
})

test('works with the published test keys', async () => {
  const target = ['--base-url', `${app.url}/`, '--sitekey', 'tg_site_TESTpass000000000000', '--json']
  const { code, output } = await run(target, 'tg_secret_TESTpass000000000000000000000000000000000002GTYxj')
  const { results } = JSON.parse(output) as { results: Result[] }
  expect(results.filter(({ outcome }) => outcome !== 'ok')).toEqual([])
  expect([results.length, code]).toEqual([16, 0])
})

/** A faulty deployment: makes a new decision every time and accepts numbers as strings. */
async function answerCarelessly(incoming: IncomingMessage, reply: ServerResponse): Promise<void> {
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers))
    if (typeof value === 'string' && !['host', 'connection', 'content-length'].includes(name)) headers.set(name, value)
  const sent = (await text(incoming)).replace(/"action":123/, '"action":"123"')
  const method = incoming.method ?? 'GET'
  const answer = await fetch(`${app.url}${incoming.url}`, { method, headers, ...(sent ? { body: sent } : {}) })
  const body = (await answer.text()).replace(/dec_[\w-]+/, () => `dec_${Math.random().toString(36).slice(2)}`)
  const passed = [...answer.headers].filter(([name]) => !/^(content-(length|encoding)|transfer|connection)/.test(name))
  reply.writeHead(answer.status, Object.fromEntries(passed)).end(body)
}

test('reports the violations of a faulty deployment by name, without secrets', async () => {
  const careless = createServer((incoming, reply) => void answerCarelessly(incoming, reply))
  await new Promise<void>((resolve) => careless.listen(0, '127.0.0.1', resolve))
  const address = careless.address()
  const { code, output } = await run(at(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`))
  careless.close()
  expect(code).toBe(1)
  expect(output).toMatch(/FAILED {2}ten concurrent redemptions make one decision/)
  expect(output).toMatch(/FAILED {2}no type coercion/)
  expect(output).toMatch(/different answers to the same request/)
  expect(output).not.toContain(keys.secret)
})

test('--help prints the usage', async () => {
  const { code, output } = await run(['--help'])
  expect(output).toMatch(/^Usage: npm run conformance/)
  expect(code).toBe(0)
})

test.each([
  ['nothing is said', []],
  ['the address is none', ['--base-url', 'captcha', '--sitekey', 'tg_site_x']],
  ['an option is unknown', ['--url', 'http://localhost']],
  ['an unreachable deployment', ['--base-url', 'http://127.0.0.1:9', '--sitekey', 'tg_site_x']],
])('where %s, it says what to do and ends with 2', async (_, args) => {
  const { code, output } = await run(args)
  expect(code).toBe(2)
  expect(output).toMatch(/Usage|Is the address right/)
})
