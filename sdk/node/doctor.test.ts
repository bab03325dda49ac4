import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { type MadeSite, makeSite } from '../../test/support/make.ts'
import type { Check } from './src/doctorPage.ts'
import { testKeys } from './src/testKeys.ts'

// Each row of the doctor's table, by the documented commands alone: no site key is given.

const README = readFileSync('sdk/node/README.md', 'utf8')
const SECTION = README.slice(README.indexOf('\n## The doctor'), README.indexOf('\n## State as a file'))
const [, SHELL = ''] = /```sh\nnpx --yes --package \S+ tollgate ([\s\S]*?)```/.exec(SECTION) ?? []
const [, JOB = ''] = /- run: npx --yes --package \S+ tollgate (.*)/.exec(SECTION) ?? []

let app: TestApp
let site: MadeSite
let other: MadeSite
const folder = mkdtempSync(join(tmpdir(), 'tollgate-doctor-'))
const servers: (Server | TlsServer)[] = []

beforeAll(async () => {
  // not into dist, which other tests use
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'sdk/node/tsconfig.json', '--outDir', join(folder, 'built')]
  execFileSync(process.execPath, tsc)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const made = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost'
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]
  execFileSync('openssl', [...made.split(' '), '-addext', 'subjectAltName=DNS:localhost', ...files], {
    stdio: 'ignore',
  })
  app = await openTestApp()
  other = await makeSite(app.ctx, { hostnames: ['localhost'] })
})
beforeEach(async () => {
  site = await makeSite(app.ctx, { hostnames: ['localhost', 'shop.example'] })
})
afterAll(async () => {
  for (const server of servers) server.close().closeAllConnections()
  await app.close()
  rmSync(folder, { recursive: true })
})

type Result = { code: number; stdout: string; stderr: string }

/** Runs the arguments of a documented command, with the secret in its environment. */
async function run(args: string[], env: Record<string, string> = {}): Promise<Result> {
  const { PATH = '' } = process.env
  return await new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(folder, 'built/cli.js'), ...args],
      { env: { PATH, TOLLGATE_SECRET: site.secret, ...env } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}

/** The documented shell command at a page, for this service. */
const command = (page: string, url = app.url, hostname = 'shop.example') =>
  SHELL.replaceAll('\\\n', ' ')
    .replace('http://localhost:3000', url)
    .replace('https://shop.example/signup', page)
    .replace('shop.example', hostname)
    .trim()
    .split(/\s+/)

const check = async (args: string[], name: string, env?: Record<string, string>) => {
  const { code, stdout } = await run([...args, '--json'], env)
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Check[] }
  expect(code).toBe(ok ? 0 : 1)
  return checks.filter((each) => each.check === name).map(({ status, message }) => `${status} ${message}`)
}

async function serve(answer: (...given: Parameters<RequestListener>) => unknown, tls = false): Promise<string> {
  const read = (name: string) => readFileSync(join(folder, name))
  const listener: RequestListener = (request, reply) => void answer(request, reply)
  const options = () => ({ key: read('key.pem'), cert: read('cert.pem') })
  const server = tls ? createTlsServer(options(), listener) : createServer(listener)
  servers.push(server)
  await once(server.listen(0, 'localhost'), 'listening')
  return `${tls ? 'https' : 'http'}://localhost:${(server.address() as AddressInfo).port}`
}

const TRUSTED = { NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem') }

type Page = {
  of?: { sitekey: string; secret: string }
  endpoint?: string
  headers?: Record<string, string>
  change?: (html: string) => string
  tls?: boolean
  cached?: boolean
}

/** A merchant's page, with an intent of the site for each visitor unless it is `cached`. */
const page = ({ of = site, endpoint = app.url, headers = {}, change = (html) => html, tls, cached }: Page = {}) => {
  let stored: Promise<string> | undefined
  const open = async () => String((await app.client.intent(of, { hostname: 'localhost' })).body['intent_id'])
  return serve(async (_request, reply) => {
    const intent = await (cached ? (stored ??= open()) : open())
    const box = `<div class="svc-captcha" data-sitekey="${of.sitekey}" data-intent="${intent}" data-endpoint="${endpoint}"></div>`
    reply.writeHead(200, { 'cache-control': 'no-store', ...headers }).end(change(`<form>${box}</form>`))
  }, tls)
}

/** A proxy in front of the service. */
const proxy = (
  change: (request: Parameters<RequestListener>[0]) => { drop?: string[]; status?: number } = () => ({}),
) =>
  serve(async (request, reply) => {
    const { drop = [], status } = change(request)
    if (status !== undefined) return void reply.writeHead(status).end()
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk as Uint8Array)
    const hop = new Set(['host', 'connection', 'content-length', 'transfer-encoding', ...drop])
    const headers = Object.entries(request.headers).filter(([name]) => !hop.has(name)) as [string, string][]
    const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
    const answer = await fetch(app.url + request.url, { method: request.method ?? '', headers, ...body })
    const kept = [...answer.headers].filter(([name]) => !hop.has(name) && name !== 'content-encoding')
    reply.writeHead(answer.status, Object.fromEntries(kept)).end(await answer.text())
  })

test('a right integration: exit code 0, as text and as JSON, by both documented commands', async () => {
  const url = await page()
  const { code, stdout } = await run(command(url))
  expect(stdout).toMatch(/^ok {6}secret [\s\S]*\n\nNo errors\.\n$/)
  expect(code).toBe(0)
  const host = ['hostname', 'challenge']
  const checks = ['secret', ...host, ...host, 'sitekey', 'clock', 'component', 'element', 'cache', 'policy']
  expect([...stdout.matchAll(/^ok +(\w+)/gm)].map(([, name]) => name)).toEqual(checks)
  const { rows } = await app.sql.query('select count(*)::int as n from decision where site_id = $1', [site.siteId])
  expect(rows).toEqual([{ n: 0 }])
  const job = JOB.replace('"$PAGE"', url).split(' ')
  expect(await check(job, 'element', { TOLLGATE_URL: app.url })).toEqual([expect.stringMatching(/^ok /)])
  expect((await run(['--help'])).stdout).toContain('--page URL')
})

test('the address and the secret are enough', async () => {
  const { code, stdout } = await run(['doctor', '--url', app.url])
  expect([...stdout.matchAll(/^(ok|skipped) +(\w+)/gm)].map(([, , name]) => name)).toEqual([
    'secret',
    'hostname',
    'component',
  ])
  expect(code).toBe(0)
})

test('unusable options: exit code 2', async () => {
  expect(await run(['doctor', '--url', app.url, '--pages', 'x'])).toMatchObject({ code: 2, stdout: '' })
  expect(await run(['doctor', '--url', app.url, '--page', 'shop.example'])).toMatchObject({ code: 2, stdout: '' })
})

test('`secret`: no answer, a certificate, an unknown and a revoked secret, a header that a proxy removes', async () => {
  const at = async (url: string, env = {}) => (await check(['doctor', '--url', url], 'secret', env))[0]
  expect(await at('http://localhost:1')).toMatch(/^error Nothing was sent.*another port.*localhost:1,/)
  // it does not serve its documentation either
  expect((await run(['doctor', '--url', 'http://localhost:2'])).stdout).not.toContain('/docs/')
  expect(await at('http://localhost:2')).toMatch(/^error Nothing was sent.*localhost:2, ECONNREFUSED/)
  expect(await at(await serve((_request, reply) => void reply.end(), true))).toMatch(
    /^error Nothing was sent.*certificate/,
  )
  expect(await at(await proxy(() => ({ drop: ['authorization'] })))).toMatch(
    /^error The service received no Authorization/,
  )
  await app.sql.query('update secret set revoked_at = now() where site_id = $1', [site.siteId])
  expect(await at(app.url)).toMatch(/^error The secret key is unknown or revoked: use/)
})

test('`hostname`: one that is not allowed, a paused site, a used up quota', async () => {
  const url = await page()
  const at = async (hostname: string) => (await check(command(url, app.url, hostname), 'hostname'))[0]
  expect(await at('www.shop.example')).toMatch(/^error www\.shop\.example: .*one of the site’s hostnames/)
  await app.sql.query('update site set paused_at = now() where id = $1', [site.siteId])
  app.ctx.invalidations.publish(site.tenantId)
  await expect.poll(() => at('shop.example'), { timeout: 15_000 }).toMatch(/^error shop\.example: The site is paused/)
  const { secret } = await makeSite(app.ctx, { quota: 0, hostnames: ['localhost', 'shop.example'] })
  const [used] = await check(command(url), 'hostname', { TOLLGATE_SECRET: secret })
  expect(used).toMatch(/^error shop\.example: Neither quota/)
})

test('`challenge`: a proxy that removes the Origin or the CORS headers; `component`: one that does not forward it', async () => {
  const url = await page()
  const at = async (name: string, change: Parameters<typeof proxy>[0]) =>
    (await check(command(url, await proxy(change)), name))[0]
  expect(await at('challenge', () => ({ drop: ['origin'] }))).toMatch(
    /^error .*403 origin-not-allowed: the Origin .* did not arrive/,
  )
  expect(await at('challenge', () => ({ drop: ['access-control-allow-origin'] }))).toMatch(
    /^error .*lacks Access-Control/,
  )
  expect(await at('challenge', ({ method }) => (method === 'OPTIONS' ? { status: 405 } : {}))).toMatch(
    /to an OPTIONS request, status 405,/,
  )
  expect(await at('component', (request) => (request.url === '/widget.js' ? { status: 404 } : {}))).toMatch(
    /^error .*404/,
  )
})

test('`element`: another site’s key, a test key, a missing attribute, an http endpoint, one without a scheme', async () => {
  const at = async (of: Page, env = {}) => (await check(command(await page(of)), 'element', env))[0]
  expect(await at({ of: other })).toContain(`error The element’s site key is ${other.sitekey}, and the secret is of`)
  expect(await at({ of: testKeys.pass })).toContain(`error The element’s site key is ${testKeys.pass.sitekey}`)
  expect(await at({ change: (html) => html.replace(/ data-intent="[^"]*"/, '') })).toBe(
    'error The element lacks data-intent.',
  )
  expect(await at({ endpoint: 'localhost:4700' })).toContain(
    'error The element’s data-endpoint is "localhost:4700", which',
  )
  const http = { endpoint: 'http://tollgate.example', tls: true }
  expect(await at(http, TRUSTED)).toMatch(/^error .*browsers block http in https pages/)
  const second = (html: string) => html + html.replace(/data-sitekey="[^"]*"/, `data-sitekey="${other.sitekey}"`)
  expect(await at({ change: second })).toContain(`error The element’s site key is ${other.sitekey}`)
})

test('`sitekey`: a site key of another site, a secret of a test key', async () => {
  const url = await page()
  const env = { TOLLGATE_SITEKEY: other.sitekey }
  expect((await check(command(url), 'sitekey', env))[0]).toMatch(/^error The secret is of the site/)
  const test = { TOLLGATE_SECRET: testKeys.pass.secret }
  expect((await check(command(await page({ of: testKeys.pass })), 'sitekey', test))[0]).toMatch(/^warning .*test key/)
})

test('`clock`: a machine that is two minutes ahead', async () => {
  const ahead = 'const now = Date.now; Date.now = () => now() + 120_000'
  const env = { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(ahead)}"` }
  expect((await check(command(await page()), 'clock', env))[0]).toMatch(/^warning .*clock is 1[12]\d seconds ahead/)
})

test('`page`: one without the element, or with one that is not rendered, and one that is not there', async () => {
  const at = async (of: Page) => (await check(command(await page(of)), 'page'))[0]
  expect(await at({ change: () => '<form></form>' })).toMatch(/^warning .*no element with the class svc-captcha/)
  expect(await at({ change: (html) => `<!-- ${html} -->` })).toMatch(/^warning /)
  expect((await check(command('http://localhost:9/signup'), 'page'))[0]).toMatch(/^error .*could not be loaded/)
})

test('`cache`: two visitors with one intent, a page that may be stored', async () => {
  const at = async (of: Page) => (await check(command(await page(of)), 'cache'))[0]
  expect(await at({ cached: true })).toMatch(/^error Two visitors got the same intent/)
  expect(await at({ headers: { 'cache-control': 'public, max-age=60' } })).toMatch(/^warning /)
})

test('`policy`: of the header, of a meta element, of two headers', async () => {
  const allowed = `script-src ${app.url}/widget.js; connect-src ${app.url}`
  const at = async (of: Page) => (await check(command(await page(of)), 'policy'))[0]
  const header = (policy: string) => at({ headers: { 'content-security-policy': policy } })
  expect(await header(allowed)).toMatch(/^ok /)
  expect(await header("default-src 'self'")).toMatch(/^error .*: script-src and connect-src\./)
  expect(await header(`${allowed}, connect-src 'self'`)).toMatch(/^error .*: connect-src\./)
  expect(await header("default-src 'nonce-abc'")).toMatch(/^error .*: connect-src\./)
  const meta = `<meta http-equiv="Content-Security-Policy" content="connect-src 'none'">`
  expect(await at({ change: (html) => meta + html })).toMatch(/^error .*: connect-src\./)
})
