import { expect, test } from 'vitest'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { testApp, testSite } from '../../../test/support/testApp.ts'

const app = testApp()
const site = testSite(app)

const ask = async (keys: MadeSite, intentId: unknown) => {
  const { status, body } = await app.client.challenge(keys, intentId)
  return [status, body['error'] ?? body['kind']]
}

test('a redeemed intent gets no more challenges', async () => {
  const earned = await app.client.earn(site)
  // solved, and not redeemed yet: the visitor may have lost the token
  expect(await ask(site, earned['intent_id'])).toEqual([200, 'pow-sha256'])
  expect((await app.client.siteverify(site, earned)).status).toBe(200)
  expect(await ask(site, earned['intent_id'])).toEqual([409, 'intent-expired'])
  // the merchant's backend may still repeat its call
  expect((await app.client.siteverify(site, earned)).status).toBe(200)
})

test('an intent whose redemption was refused still gets challenges', async () => {
  const earned = await app.client.earn(site)
  expect((await app.client.siteverify(site, { ...earned, action: 'other' })).status).toBe(409)
  expect(await ask(site, earned['intent_id'])).toEqual([200, 'pow-sha256'])
})

test('a redeemed intent that was opened with a grant gets no token', async () => {
  const session = 'a'.repeat(64)
  const decision_id = await app.client.decide(site, { session })
  const { grant_id } = (await app.client.asSite('/grants', site, { decision_id, session })).body
  const exempt = await app.client.exempt(site, grant_id, { session })
  expect((await app.client.siteverify(site, exempt)).status).toBe(200)
  expect(await ask(site, exempt['intent_id'])).toEqual([409, 'intent-expired'])
})

test('of another site, a redeemed intent is unknown like any other', async () => {
  const other = await makeSite(app.ctx)
  const earned = await app.client.earn(other)
  expect((await app.client.siteverify(other, earned)).status).toBe(200)
  expect(await ask(site, earned['intent_id'])).toEqual([422, 'bad-request'])
})
