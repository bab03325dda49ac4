import { describe, expect, test } from 'vitest'
import { sendRequest } from '../../test/support/request.ts'
import { testApp } from '../../test/support/testApp.ts'
import { isOwnHost } from './host.ts'

describe('the own Host', () => {
  const at = (publicUrl: string, demo = false) => ({ publicUrl, demo })
  const NAMED = at('https://tollgate.example')
  const LOCAL = at('http://localhost:3000')
  const TUNNEL = at('https://tollgate.example', true)

  test.each([
    [NAMED, 'tollgate.example'],
    [NAMED, 'Tollgate.Example'],
    [NAMED, 'tollgate.example:443'],
    [at('http://tollgate.example:8080'), 'tollgate.example:8080'],
    [at('http://tollgate.example'), 'tollgate.example:80'],
    [LOCAL, 'localhost:3000'],
    [LOCAL, '127.0.0.1:3000'],
    [LOCAL, '127.0.1.1:3000'],
    [LOCAL, '[::1]:3000'],
    // behind a port mapping the connection arrives at another port than PUBLIC_URL's
    [at('http://localhost:8080'), 'localhost:8080'],
    [at('http://localhost:8080'), 'localhost:4000'],
    [at('http://127.0.0.1:3000'), 'localhost:3000'],
    [at('http://[::1]:3000'), '[::1]:3000'],
    [TUNNEL, 'tollgate.example'],
    [TUNNEL, 'localhost:4000'],
    [TUNNEL, '[::1]:4000'],
  ])('of %o is %s', (settings, host) => {
    expect(isOwnHost(settings, host, 4000)).toBe(true)
  })

  test.each([
    [NAMED, undefined],
    [NAMED, ''],
    [NAMED, 'attacker.example'],
    [NAMED, 'tollgate.example.attacker.example'],
    [NAMED, 'attacker.example#tollgate.example'],
    [NAMED, 'x@tollgate.example'],
    [NAMED, 'tollgate.example.'],
    [NAMED, 'tollgate.example:80'],
    [NAMED, 'tollgate.example:4000'],
    [NAMED, 'localhost:4000'],
    [NAMED, '127.0.0.1:4000'],
    [at('http://tollgate.example:8080'), 'tollgate.example'],
    [LOCAL, 'localhost'],
    [LOCAL, 'localhost:3001'],
    [LOCAL, 'localhost.attacker.example:3000'],
    [LOCAL, '127.0.0.1.attacker.example:3000'],
    [LOCAL, '10.0.0.5:3000'],
    [LOCAL, '0.0.0.0:3000'],
    [TUNNEL, 'attacker.example:4000'],
    [TUNNEL, '192.168.0.7:4000'],
  ])('of %o is not %s', (settings, host) => {
    expect(isOwnHost(settings, host, 4000)).toBe(false)
  })
})

describe('with another Host', () => {
  const app = testApp({ PUBLIC_URL: 'https://tollgate.example' })

  const ask = (
    path: string,
    host: string,
    { method, headers }: { method?: string; headers?: Record<string, string> } = {},
  ) => sendRequest(app.url + path, { host, accept: 'text/html', ...headers }, { ...(method && { method }) })

  const GUARDED: [string, string][] = [
    ['GET', '/'],
    ['GET', '/sign-in'],
    ['GET', '/o/demo/sites'],
    ['GET', '/staff'],
    ['GET', '/no/such/page'],
    ['GET', '/trpc/session.me'],
    ['POST', '/trpc/tenants.create'],
    ['GET', '/export/decisions.csv?tenant=demo'],
    ['GET', '/auth/verify-email?token=x'],
    ['POST', '/auth/sign-in/email'],
  ]

  test.each(GUARDED)('%s %s answers 421 with what to do', async (method, path) => {
    const { status, headers, text } = await ask(path, 'attacker.example', {
      method,
      headers: {
        // headers of the browser do not prove the host
        origin: 'https://tollgate.example',
        'x-forwarded-host': 'tollgate.example',
        'content-type': 'application/json',
      },
    })
    expect([status, headers['content-type']]).toEqual([421, 'text/plain; charset=utf-8'])
    expect(text).toContain('open https://tollgate.example, or set PUBLIC_URL')
    expect(text).not.toContain('attacker.example')
  })

  test.each(GUARDED)("%s %s accepts the service's own Host", async (method, path) => {
    expect((await ask(path, 'tollgate.example', { method })).status).not.toBe(421)
  })

  test.each([
    ['GET', '/healthz', 200],
    ['GET', '/readyz', 200],
    ['GET', '/metrics', 200],
    ['GET', '/docs', 200],
    ['GET', '/docs/api', 200],
    ['GET', '/openapi.json', 200],
    ['GET', '/widget.js', 200],
    ['GET', '/widget.json', 200],
    ['GET', '/favicon.svg', 200],
    ['GET', '/theme.js', 200],
    ['POST', '/intents', 400],
    ['POST', '/siteverify', 400],
    ['POST', '/feedback', 400],
    ['POST', '/grants', 400],
    ['POST', '/grants/revoke', 400],
    ['POST', '/challenge', 400],
    ['POST', '/solve', 400],
    ['GET', '/intents', 405],
  ])('%s %s answers %i: merchants call it by internal names', async (method, path, status) => {
    const reply = await ask(path, 'tollgate.internal:3000', { method, headers: { 'content-type': 'application/json' } })
    expect(reply.status).toBe(status)
  })

  test('an unknown path gives a program the usual error', async () => {
    const reply = await ask('/no/such/path', 'tollgate.internal:3000', { headers: { accept: '*/*' } })
    expect([reply.status, reply.text]).toEqual([404, '{"error":"not-found"}'])
  })
})
