import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import { describe, expect, test } from 'vitest'
import { openOwnApp } from '../test/support/app.ts'
import { makeSite } from '../test/support/make.ts'
import { exchange } from '../test/support/socket.ts'
import { makeOwnedTenant } from '../test/support/tenant.ts'
import { testApp } from '../test/support/testApp.ts'

/** Headers that every reply has, whichever part of the service answers. */

const app = testApp({ PUBLIC_URL: 'https://tollgate.example' })

const port = () => Number(new URL(app.url).port)
const OWN = 'Host: tollgate.example'

describe('no reply is sniffed, and browsers come back with TLS only', () => {
  test.each([
    ['a page', 'GET /sign-in', OWN],
    ['a page that there is not', 'GET /none', 'Accept: text/html', OWN],
    ['an asset', 'GET /theme.js', OWN],
    ['an asset that there is not', 'GET /assets/none.js', OWN],
    ['tRPC', 'GET /trpc/session.me', OWN],
    ['tRPC that refuses', 'GET /trpc/none', OWN],
    ['an export', 'GET /export/audit.csv?tenant=none', OWN],
    ['/auth', 'GET /auth/passkey/list-user-passkeys', OWN],
    ['a foreign host', 'GET /sign-in', 'Host: other.example'],
    ['the API', 'POST /intents', 'Content-Type: application/json', 'Content-Length: 2', OWN],
    ['a preflight', 'OPTIONS /challenge', 'Origin: https://shop.example', 'Access-Control-Request-Method: POST', OWN],
    ['a path that there is not', 'GET /none', OWN],
    ['a path that does not decode', 'GET /%zz', OWN],
    ['no host', 'GET /healthz'],
    ['health', 'GET /healthz', OWN],
    ['readiness', 'GET /readyz', OWN],
    ['metrics', 'GET /metrics', OWN],
    ['the docs', 'GET /docs', OWN],
    ['their script', 'GET /docs/guide.js', OWN],
    ['the component', 'GET /widget.js', OWN],
    ['the SDKs', 'GET /sdk.json', OWN],
    ['noise', '\0', OWN],
  ])('%s', async (_what, line, ...headers) => {
    const body = headers.some((header) => header.startsWith('Content-Length')) ? '{}' : ''
    const request = [`${line} HTTP/1.1`, ...headers, 'Connection: close'].join('\r\n')
    const { replies } = await exchange(port(), [`${request}\r\n\r\n${body}`])
    expect(replies).toHaveLength(1)
    expect(replies[0]?.headers.get('x-content-type-options')).toBe('nosniff')
    expect(replies[0]?.headers.get('strict-transport-security')).toBe('max-age=31536000')
  })

  test('a live list', async () => {
    const http = await openOwnApp()
    const { tenant, owner } = await makeOwnedTenant(http)
    await makeSite(http.ctx, { tenantId: tenant.id })
    const input = encodeURIComponent(JSON.stringify({ tenant: tenant.slug }))
    const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const gone = new AbortController()
    const reply = await fetch(`${http.url}/trpc/decisions.tail?input=${input}`, {
      headers: { cookie },
      signal: gone.signal,
    })
    gone.abort()
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    // without TLS there is nothing to insist on
    expect(reply.headers.get('strict-transport-security')).toBeNull()
  })
})

const reply = async (...lines: string[]) => {
  const { replies } = await exchange(port(), [`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n{}`])
  return replies[0]
}

describe('a mistyped address shows as missing to the page of any origin, not as blocked', () => {
  test.each(['/widgets.js', '/api/widget.js', '/widget/assets/none.js', '/sdk/none.tgz', '/%zz', '/assets/none.js'])(
    '%s',
    async (path) => {
      const missing = await reply(`GET ${path} HTTP/1.1`, OWN)
      expect([missing?.status, missing?.headers.get('cross-origin-resource-policy')]).toEqual([404, 'cross-origin'])
    },
  )

  test('a page of the console stays closed to other origins', async () => {
    const missing = await reply('GET /none HTTP/1.1', OWN, 'Accept: text/html')
    expect([missing?.status, missing?.headers.get('cross-origin-resource-policy')]).toEqual([404, 'same-origin'])
  })
})

test('a compressed body is refused with the encoding that is accepted; another type without', async () => {
  const post = (...headers: string[]) => reply('POST /intents HTTP/1.1', OWN, 'Content-Length: 2', ...headers)
  const compressed = await post('Content-Type: application/json', 'Content-Encoding: gzip')
  expect([compressed?.status, compressed?.headers.get('accept-encoding')]).toEqual([415, 'identity'])
  const form = await post('Content-Type: text/plain')
  expect([form?.status, form?.headers.get('accept-encoding')]).toEqual([415, undefined])
})

test.each([
  ['whose path there is not', '/none', {}, false, 404],
  ['with another media type', '/intents', { 'content-type': 'text/plain' }, false, 415],
  ['that is too large', '/intents', { 'content-length': '20000' }, false, 413],
  // the body decides first whether it is JSON, and without a secret
  ['without a secret key', '/intents', {}, true, 401],
  ['of another site to the console', '/trpc/none', { origin: 'https://other.example' }, false, 403],
  ['of /auth', '/auth/sign-out', { origin: 'https://tollgate.example' }, true, 200],
] as const)('100 Continue answers a request %s only if its body is read', async (_what, path, more, isRead, status) => {
  const headers = { host: 'tollgate.example', expect: '100-continue', 'content-type': 'application/json', ...more }
  const request = send(app.url + path, { method: 'POST', headers: { 'content-length': '2', ...headers } })
  let continued = 0
  request.on('continue', () => {
    continued += 1
    request.end('{}')
  })
  request.flushHeaders()
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  request.destroy()
  expect([answer.statusCode, continued]).toEqual([status, isRead ? 1 : 0])
})
