import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { newNonce } from '../test/support/client.ts'
import { makeSite } from '../test/support/make.ts'
import { testApp } from '../test/support/testApp.ts'

const app = testApp({ LOG_LEVEL: 'debug' })

const PATHS = ['/intents', '/challenge', '/solve', '/siteverify', '/trpc/system.overview', '/', '/nowhere']

test('logs no secret, token, nonce or session sent to any endpoint', async () => {
  const site = await makeSite(app.ctx)
  const session = createHash('sha256').update('canary').digest('hex')
  const nonce = newNonce()
  const earned = await app.client.earn(site, { nonce, session })
  expect((await app.client.siteverify(site, earned)).status).toBe(200)
  const canaries = [
    site.secret,
    earned['response'] ?? '',
    nonce,
    session,
    earned['idempotency_key'] ?? '',
    'c4n4ry-in-query',
  ]

  // in body, query, headers and path, in valid and invalid places, at every endpoint
  for (const path of PATHS) {
    for (const canary of canaries) {
      const everywhere = {
        action: canary,
        nonce: canary,
        session: canary,
        subject: canary,
        hostname: canary,
        response: canary,
        challenge: canary,
        solution: canary,
        sitekey: site.sitekey,
        intent_id: canary,
        idempotency_key: canary,
        [canary]: canary,
      }
      for (const body of [everywhere, { ...earned, session: canary }, `{"broken":"${canary}"`, `[["${canary}"]]`]) {
        await fetch(`${app.url}${path}?q=${canary}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${site.secret}`,
            cookie: canary,
            referer: canary,
            'x-canary': canary,
            'x-request-id': canary,
            origin: 'https://shop.example',
          },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        })
      }
    }
  }
  // and when the database reports an error
  await app.sql.query('alter table intent add constraint broken check (action <> $$broken$$) not valid')
  await app.client.intent(site, { action: 'broken', nonce: canaries[2] === undefined ? '' : newNonce(), session })
  await app.sql.query('alter table intent drop constraint broken')

  const output = app.logged.join('')
  expect(output).toContain('"path":"/intents"')
  expect(output).toContain('internal error')
  for (const canary of canaries) expect(output).not.toContain(canary)
}, 60_000)

test('logs no headers outside the allow-list', async () => {
  await fetch(`${app.url}/healthz`, { headers: { 'x-api-token': 'c4n4ry-header', 'user-agent': 'canary-agent' } })
  const output = app.logged.join('')
  expect(output).toContain('canary-agent')
  expect(output).not.toContain('c4n4ry-header')
})

test('the line of a refused request has the code of the refusal', async () => {
  const site = await makeSite(app.ctx)
  const idOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id')
  const refused = idOf(await app.client.intent(site, { hostname: 'elsewhere.example' }))
  const passed = idOf(await app.client.intent(site))
  const lineOf = (id: string | null) =>
    app.logged.map((line) => JSON.parse(line) as { request?: { id: string } }).find(({ request }) => request?.id === id)
  await expect.poll(() => lineOf(refused)).toMatchObject({ status: 422, code: 'bad-request' })
  await expect.poll(() => lineOf(passed)).toMatchObject({ status: 200 })
  expect(lineOf(passed)).not.toHaveProperty('code')
})
