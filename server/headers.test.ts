import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../test/support/app.ts'
import { makeSite } from '../test/support/make.ts'
import { exchange } from '../test/support/socket.ts'
import { makeOwnedTenant } from '../test/support/tenant.ts'

/** Headers that every reply has, whichever part of the service answers. */

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://tollgate.example' })
})
afterAll(() => app.close())

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
    const http = await openTestApp()
    try {
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
    } finally {
      await http.close()
    }
  })
})
