import { describe, expect, test } from 'vitest'
import { makeOwnedTenant } from '../test/support/tenant.ts'
import { testApp } from '../test/support/testApp.ts'
import { SERVICE } from './api/openapi/service.ts'

const app = testApp()

/** They differ from request to request, or belong to the body's transfer. */
const CHANGING = new Set(['date', 'x-request-id', 'content-length', 'transfer-encoding', 'connection', 'keep-alive'])

const headersOf = ({ headers }: Response) => Object.fromEntries([...headers].filter(([name]) => !CHANGING.has(name)))

async function ask(method: 'GET' | 'HEAD', path: string, headers: Record<string, string> = {}) {
  const reply = await fetch(app.url + path, { method, headers, redirect: 'manual' })
  return { status: reply.status, headers: headersOf(reply), length: (await reply.text()).length }
}

const DOCUMENTED = Object.entries(SERVICE).flatMap(([path, methods]) => ('get' in methods ? [path] : []))
const ASSET = '/theme.js'
const PAGES = ['/', '/sign-in', '/o/none', '/none', '/docs', '/docs/api', '/docs/guide.js', '/docs/docs.css', ASSET]

describe('HEAD has the status and the headers of GET, and no body', () => {
  test.each([...new Set([...DOCUMENTED, ...PAGES])])('%s', async (path) => {
    const headers = { accept: 'text/html' }
    const got = await ask('GET', path, headers)
    expect(got.length).toBeGreaterThan(0)
    expect(await ask('HEAD', path, headers)).toEqual({ ...got, length: 0 })
  })

  test('an export, of which nothing is read and nothing recorded', async () => {
    const { tenant, owner } = await makeOwnedTenant(app)
    const path = `/export/decisions.csv?tenant=${tenant.slug}`
    const recorded = `select 1 from audit_event where tenant_id = $1 and action = 'tenant.export'`
    const head = await owner.send('HEAD', path)
    expect((await app.sql.query(recorded, [tenant.id])).rowCount).toBe(0)
    const got = await owner.send('GET', path)
    expect([head.status, head.headers.get('content-type'), head.headers.get('content-disposition'), head.text]).toEqual(
      [200, got.headers.get('content-type'), got.headers.get('content-disposition'), ''],
    )
    expect((await ask('HEAD', path)).status).toBe(401)
  })
})

test('HEAD of what is not a GET is refused, and of /auth too, where GET has effects', async () => {
  for (const path of ['/intents', '/challenge']) expect((await ask('HEAD', path)).status).toBe(405)
  for (const path of ['/auth/verify-email?token=none', '/auth/passkey/generate-authenticate-options'])
    expect((await ask('HEAD', path)).status).toBe(404)
})
