import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/support/app.ts'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { listen } from '../../testing/listen.ts'
import { Tollgate } from './client.ts'
import { examine } from './doctor.ts'
import type { Check } from './doctorPage.ts'
import { createNonce } from './draw.ts'
import { testKeys } from './testKeys.ts'

let app: TestApp
let site: MadeSite
beforeAll(async () => {
  app = await openTestApp()
})
beforeEach(async () => {
  site = await makeSite(app.ctx, { hostnames: ['shop.example', '127.0.0.1'] })
})
afterAll(() => app.close())

const options = () => ({ url: app.url, secret: site.secret })
const named = (checks: readonly Check[], check: string) => checks.find((each) => each.check === check)
const statuses = (checks: readonly Check[]) => checks.map(({ check, status }) => `${check} ${status}`)

type Answer = (...given: Parameters<RequestListener>) => unknown

/** A merchant's page on 127.0.0.1, for the time of `use`. */
async function withPage<Result>(answer: Answer, use: (url: string) => Promise<Result>): Promise<Result> {
  const server = await listen((request, reply) => void answer(request, reply))
  try {
    return await use(server.url)
  } finally {
    await server.close()
  }
}

const open = async () => {
  const tollgate = new Tollgate({ url: app.url, sitekey: site.sitekey, secret: site.secret })
  return (await tollgate.createIntent({ action: 'signup', nonce: createNonce(), hostname: '127.0.0.1' })).intentId
}
const box = (intent: string) =>
  `<form><div class="svc-captcha" data-sitekey="${site.sitekey}" data-intent="${intent}" data-endpoint="${app.url}"></div></form>`

test('finds nothing in an integration that works, and charges nothing', async () => {
  const checks = await withPage(
    async (_request, reply) => {
      reply.setHeader('content-security-policy', `default-src 'self'; script-src ${app.url}; connect-src ${app.url}`)
      reply.setHeader('cache-control', 'no-store').end(box(await open()))
    },
    (page) => examine({ ...options(), sitekey: site.sitekey, hostnames: ['shop.example'], page: `${page}/signup` }),
  )
  expect(statuses(checks)).toEqual([
    'secret ok',
    'hostname ok',
    'challenge ok',
    'hostname ok',
    'challenge ok',
    'sitekey ok',
    'clock ok',
    'component ok',
    'element ok',
    'cache ok',
    'policy ok',
  ])
  const { rows } = await app.sql.query('select count(*)::int as n from decision where site_id = $1', [site.siteId])
  expect(rows).toEqual([{ n: 0 }])
})

test('needs the address and the secret only', async () => {
  expect(statuses(await examine(options()))).toEqual(['secret ok', 'hostname skipped', 'component ok'])
  const refusals = await app.sql.query('select 1 from refusal where site_id = $1', [site.siteId])
  expect(refusals.rowCount).toBe(0)
})

test('names a secret that was revoked, and asks no more', async () => {
  await app.sql.query('update secret set revoked_at = now() where site_id = $1', [site.siteId])
  const checks = await examine({ ...options(), hostnames: ['shop.example'] })
  expect(statuses(checks)).toEqual(['secret error', 'component ok'])
  expect(named(checks, 'secret')).toMatchObject({ docs: `${app.url}/docs/errors#unauthorized` })
})

test('names a host that is not allowed, keys of two sites, and a test key', async () => {
  const other = await makeSite(app.ctx)
  const checks = await examine({
    ...options(),
    sitekey: other.sitekey,
    hostnames: ['www.shop.example', 'shop.example'],
  })
  expect(named(checks, 'hostname')).toMatchObject({
    status: 'error',
    message: expect.stringMatching(/^www\.shop\.example: .*allow-list/),
    docs: `${app.url}/docs/errors#hostname`,
  })
  expect(named(checks, 'sitekey')).toMatchObject({ status: 'error', fix: 'Take both from the same site.' })
  const test = await examine({ url: app.url, secret: testKeys.pass.secret, hostnames: ['shop.example'] })
  expect(named(test, 'sitekey')).toMatchObject({ status: 'warning', docs: `${app.url}/docs/testing#test-keys` })
})

test('finds a page from a cache, a wrong site key, a missing attribute and a policy that blocks the component', async () => {
  const intent = await open()
  const page = (html: string, headers: Record<string, string> = {}) =>
    withPage(
      (_request, reply) => void reply.writeHead(200, headers).end(html),
      (url) => examine({ ...options(), sitekey: site.sitekey, page: url }),
    )
  const cached = await page(box(intent), { 'content-security-policy': "default-src 'self' 'unsafe-inline'" })
  expect(named(cached, 'cache')).toMatchObject({ status: 'error', fix: expect.stringContaining('no-store') })
  expect(named(cached, 'policy')).toMatchObject({
    status: 'error',
    message: expect.stringContaining('script-src and connect-src'),
    fix: `Add ${app.url} to script-src and connect-src.`,
  })
  const { sitekey } = await makeSite(app.ctx)
  expect(named(await page(box(intent).replace(site.sitekey, sitekey)), 'element')?.message).toContain(sitekey)
  const without = await page(box(intent).replace(/data-endpoint="[^"]*"/, ''))
  expect(named(without, 'element')).toMatchObject({ status: 'error', message: 'The element lacks data-endpoint.' })
  expect(named(await page('<form></form>'), 'page')?.status).toBe('warning')
})

test('finds a proxy that removes the CORS headers, and one that does not forward the component', async () => {
  const proxy: Answer = async (request, reply) => {
    if (request.url === '/widget.js') return void reply.writeHead(404).end()
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk as Uint8Array)
    const { authorization = '', origin = '' } = request.headers
    const headers = { 'content-type': 'application/json', authorization, origin }
    const answer = await fetch(app.url + request.url, { method: 'POST', headers, body: Buffer.concat(chunks) })
    reply.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  }
  const checks = await withPage(proxy, (url) => examine({ ...options(), url, hostnames: ['shop.example'] }))
  expect(named(checks, 'challenge')).toMatchObject({
    status: 'error',
    message: expect.stringContaining('lacks Access-Control-Allow-Origin: https://shop.example'),
  })
  expect(named(checks, 'component')?.message).toMatch(/widget\.js answered 404/)
})

test('tells a proxy that removes Origin or Authorization, and one that refuses OPTIONS, from the service', async () => {
  const without =
    (removed: string): Answer =>
    async (request, reply) => {
      const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => name !== removed))
      if (removed === 'OPTIONS' && request.method === 'OPTIONS') return void reply.writeHead(405).end()
      const chunks: Uint8Array[] = []
      for await (const chunk of request) chunks.push(chunk as Uint8Array)
      const { 'content-length': _length, connection: _connection, host: _host, ...others } = headers
      const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
      const sent = { method: request.method ?? '', headers: others as Record<string, string>, ...body }
      const answer = await fetch(app.url + request.url, sent)
      reply.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
    }
  const through = (removed: string) =>
    withPage(without(removed), (url) => examine({ ...options(), url, hostnames: ['shop.example'] }))
  expect(named(await through('nothing'), 'challenge')?.status).toBe('ok')
  expect(named(await through('origin'), 'challenge')).toMatchObject({
    status: 'error',
    message:
      '/challenge answered 403 origin-not-allowed: the Origin that the doctor sent, https://shop.example, did not arrive.',
  })
  expect(named(await through('OPTIONS'), 'challenge')?.message).toContain('to an OPTIONS request, status 405,')
  expect(named(await through('authorization'), 'secret')).toMatchObject({
    status: 'error',
    message: expect.stringMatching(/received no Authorization header, so a proxy in front of it removed/),
  })
  await app.sql.query('update secret set revoked_at = now() where site_id = $1', [site.siteId])
  app.ctx.invalidations.publish(site.tenantId)
  await expect
    .poll(async () => named(await examine(options()), 'secret')?.message)
    .toMatch(/^The secret key is unknown or revoked: use/)
})

test('says that the service does not answer, and that an option is unusable', async () => {
  const away = await examine({ ...options(), url: 'http://127.0.0.1:2', deadline: 100 })
  expect(statuses(away)).toEqual(['secret error', 'component error'])
  for (const { message } of away) expect(message).toMatch(/Nothing was sent, .*127\.0\.0\.1:2, ECONNREFUSED/)
  await expect(examine({ ...options(), secret: `${site.secret.slice(0, -1)}!` })).rejects.toThrow(TypeError)
  await expect(examine({ ...options(), page: 'shop.example' })).rejects.toThrow('`page` has to be')
})
