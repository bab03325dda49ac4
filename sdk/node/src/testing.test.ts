import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/support/app.ts'
import { makeSite } from '../../../test/support/make.ts'
import { Tollgate } from './client.ts'
import { createIdempotencyKey, createNonce } from './draw.ts'
import { solve } from './testing.ts'
import { testKeys } from './testKeys.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const page = { action: 'signup', hostname: 'shop.example' }
const open = (keys: { sitekey: string; secret: string }) => new Tollgate({ url: app.url, ...keys })

test('the token of solve() passes', async () => {
  const tollgate = open(testKeys.pass)
  const intent = await tollgate.createIntent({ ...page, nonce: createNonce() })
  const response = await solve({ url: app.url, ...intent })
  const { intentId } = intent
  const fields = { ...page, response, intentId, idempotencyKey: createIdempotencyKey() }
  expect(await tollgate.verify(fields)).toMatchObject({ assessment: 'passed', intentId })
})

test('what the service refuses is its error', async () => {
  const intent = await open(testKeys.fail).createIntent({ ...page, nonce: createNonce() })
  await expect(solve({ url: app.url, ...intent })).rejects.toMatchObject({ code: 'solution-invalid', status: 422 })
})

test('another site’s challenge is not solved', async () => {
  const { sitekey } = await makeSite(app.ctx)
  const asked = solve({ url: app.url, sitekey, intentId: crypto.randomUUID(), hostname: page.hostname })
  await expect(asked).rejects.toThrow(new TypeError('Tollgate: solve() is for test keys only.'))
})

test.each(['spent', 'expired', 'quota', 'down'] as const)(
  'the key %s answers any text that looks like a token',
  async (name) => {
    const codes = { spent: 'already-redeemed', expired: 'intent-expired', quota: 'quota-exceeded', down: 'unavailable' }
    const tollgate = new Tollgate({ url: app.url, ...testKeys[name], deadline: 300 })
    const { intentId } = await tollgate.createIntent({ ...page, nonce: createNonce() })
    const fields = { ...page, response: 'tgr_x', intentId, idempotencyKey: createIdempotencyKey() }
    await expect(tollgate.verify(fields)).rejects.toMatchObject({ code: codes[name] })
  },
)
