import { beforeAll, describe, expect, test } from 'vitest'
import { openOwnApp, openTestApp } from '../../test/support/app.ts'
import { makeSite } from '../../test/support/make.ts'
import { exchange } from '../../test/support/socket.ts'
import { testApp, testSite } from '../../test/support/testApp.ts'

/** Every page can read every answer of a component endpoint. */

const app = testApp()
const site = testSite(app)
let intent: string
beforeAll(async () => {
  intent = String((await app.client.intent(site)).body['intent_id'])
})

const STRANGER = 'https://elsewhere.example:8443'

function expectReadable(headers: { get(name: string): string | null | undefined }, origin: string): void {
  expect(headers.get('access-control-allow-origin')).toBe(origin)
  expect(headers.get('vary')).toBe('Origin')
  expect(headers.get('access-control-expose-headers')).toMatch(/\bx-request-id, retry-after\b/)
  expect(headers.get('access-control-allow-credentials') ?? null).toBeNull()
  expect(headers.get('x-request-id')).toMatch(/^req_/)
}

type Sent = { method?: string; type?: string; body?: string; path?: string }
const JSON_TYPE = 'application/json'
const asked = () => JSON.stringify({ sitekey: site.sitekey, intent_id: intent })

const REFUSED: [what: string, sent: () => Sent, status: number, error: string][] = [
  ['a page of another host', () => ({ body: asked() }), 403, 'origin-not-allowed'],
  [
    'an unknown site key',
    () => ({ body: JSON.stringify({ sitekey: `tg_site_${'0'.repeat(20)}`, intent_id: intent }) }),
    422,
    'bad-request',
  ],
  ['a missing field', () => ({ body: JSON.stringify({ sitekey: site.sitekey }) }), 422, 'bad-request'],
  ['a secret in the body', () => ({ body: JSON.stringify({ secret: 'x' }) }), 422, 'secret-in-body'],
  ['a body that is not JSON', () => ({ body: '{' }), 400, 'bad-request'],
  ['another media type', () => ({ type: 'text/plain', body: asked() }), 415, 'unsupported-media-type'],
  ['a body that is too large', () => ({ body: `"${'x'.repeat(17_000)}"` }), 413, 'payload-too-large'],
  ['another method', () => ({ method: 'PUT', body: asked() }), 405, 'method-not-allowed'],
  ['an encoded spelling of the path', () => ({ path: '/c%68allenge', body: asked() }), 404, 'not-found'],
]

/** Of web views, desktop applications and extensions. */
const NOT_WEB = [
  'file://',
  'capacitor://localhost',
  'ionic://localhost',
  'tauri://localhost',
  'app://obsidian.md',
  'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
  'moz-extension://0192f0c1-7a1b-7c3d-8e4f-5a6b7c8d9e0f',
  'com.example.app+beta://host_name',
]

describe.each(['https://shop.example', STRANGER, 'http://127.0.0.1:3001', ...NOT_WEB])('a page of %s', (origin) => {
  test.each(REFUSED)('can read the answer to %s', async (what, sent, status, error) => {
    if (what === 'a page of another host' && origin === 'https://shop.example') return
    const { method = 'POST', type = JSON_TYPE, body, path = '/challenge' } = sent()
    const reply = await fetch(app.url + path, { method, headers: { origin, 'content-type': type }, body: body ?? null })
    expect([reply.status, (await reply.json()) as object]).toEqual([
      status,
      expect.objectContaining({ error }) as unknown,
    ])
    expectReadable(reply.headers, origin)
  })

  test('gets an answer to its preflight', async () => {
    for (const path of ['/challenge', '/solve']) {
      const headers = { origin, 'access-control-request-method': 'POST' }
      const reply = await fetch(app.url + path, { method: 'OPTIONS', headers })
      expect([reply.status, reply.headers.get('access-control-allow-headers')]).toEqual([
        204,
        'content-type, svc-captcha-facts',
      ])
      expect(Number(reply.headers.get('access-control-max-age'))).toBeLessThanOrEqual(600)
      expectReadable(reply.headers, origin)
    }
  })

  test('may send any header that another script of the page adds', async () => {
    const names = 'content-type,traceparent,authorization,x-datadog-trace-id, X-Requested-With,sentry-trace'
    for (const path of ['/challenge', '/solve']) {
      const headers = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': names }
      const reply = await fetch(app.url + path, { method: 'OPTIONS', headers })
      expect([reply.status, reply.headers.get('access-control-allow-headers')]).toEqual([204, names])
      expect(Number(reply.headers.get('access-control-max-age'))).toBeLessThanOrEqual(600)
    }
  })
})

test.each(NOT_WEB)('a page of %s gets the code and never a challenge', async (origin) => {
  const reply = await app.client.challenge(site, intent, { origin })
  expect([reply.status, reply.text]).toEqual([403, '{"error":"origin-not-allowed"}'])
})

test('an answer does not depend on the headers that a script adds', async () => {
  const headers = {
    origin: 'https://shop.example',
    'content-type': JSON_TYPE,
    authorization: 'Bearer of-the-page',
    'x-requested-with': 'XMLHttpRequest',
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  }
  const reply = await fetch(`${app.url}/challenge`, { method: 'POST', headers, body: asked() })
  expect(reply.status).toBe(200)
})

test('a preflight asks for names of headers only, and gets nothing else back', async () => {
  for (const names of ['a\tb', 'x: y', '"quoted"', 'ä', 'x'.repeat(5_000)]) {
    const request = [
      'OPTIONS /challenge HTTP/1.1',
      'Host: t',
      `Origin: ${STRANGER}`,
      'Access-Control-Request-Method: POST',
      `Access-Control-Request-Headers: ${names}`,
      'Connection: close',
    ].join('\r\n')
    const { replies } = await exchange(Number(new URL(app.url).port), [`${request}\r\n\r\n`])
    expect([names, replies[0]?.status, replies[0]?.headers.get('access-control-allow-headers')]).toEqual([
      names,
      204,
      'content-type, svc-captcha-facts',
    ])
  }
})

test('a page on another host gets an error code and never a challenge, even for an intent that needs none', async () => {
  const reply = await app.client.challenge(site, intent, { origin: STRANGER })
  expect([reply.status, reply.text]).toEqual([403, '{"error":"origin-not-allowed"}'])
})

test('refusals for limits, paused sites and internal errors can be read too', async () => {
  const address = '192.0.2.77'
  for (let i = 0; i < 120; i++) await app.client.challenge(site, intent, { address })
  const limited = await app.client.challenge(site, intent, { address, origin: STRANGER })
  expect(limited.status).toBe(429)
  expectReadable(limited.headers, STRANGER)
  expect(limited.headers.get('retry-after')).toMatch(/^\d+$/)

  const broken = await openOwnApp()
  const other = await makeSite(broken.ctx)
  await broken.sql.query('alter table site rename column base_work to renamed')
  const reply = await broken.client.challenge(other, intent)
  expect(reply.status).toBe(500)
  expectReadable(reply.headers, 'https://shop.example')
})

test('sends no CORS header for a malformed Origin', async () => {
  for (const origin of [
    'https://SHOP.example',
    'https://shop.example/',
    'shop.example',
    'https://a.example https://b.example',
    'NULL',
  ]) {
    const headers = { origin, 'content-type': JSON_TYPE }
    const reply = await fetch(`${app.url}/challenge`, { method: 'POST', headers, body: asked() })
    expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(reply.headers.get('vary')).toBe('Origin')
  }
})

test('sends no CORS headers at backend endpoints', async () => {
  const headers = { origin: STRANGER, 'content-type': JSON_TYPE }
  const reply = await fetch(`${app.url}/intents`, { method: 'POST', headers, body: '{}' })
  expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
})

test('the answer on an open connection during shutdown can be read too', async () => {
  const ending = await openTestApp()
  const own = await makeSite(ending.ctx)
  const opened = String((await ending.client.intent(own)).body['intent_id'])
  const body = JSON.stringify({ sitekey: own.sitekey, intent_id: opened })
  const request = `POST /challenge HTTP/1.1\r\nHost: t\r\nOrigin: ${STRANGER}\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: ${body.length}\r\n\r\n`
  let closing: Promise<void> | undefined
  setTimeout(() => {
    closing = ending.close()
  }, 200)
  const { replies } = await exchange(Number(new URL(ending.url).port), [request, 600, body])
  await closing
  expect(replies).toHaveLength(1)
  const [reply] = replies
  if (reply) expectReadable(reply.headers, STRANGER)
})
