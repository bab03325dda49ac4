import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/support/app.ts'
import { newNonce } from '../../../test/support/client.ts'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { solvePuzzles } from '../../../test/support/solver.ts'

/** Ending a grant also ends the exemption of its intents that are not redeemed yet. */

let app: TestApp
let site: MadeSite
beforeAll(async () => {
  app = await openTestApp()
  site = await makeSite(app.ctx)
})
afterAll(() => app.close())

const newSession = () => createHash('sha256').update(randomUUID()).digest('hex')

/** An intent opened with a grant, and its token; `claims`: the fields that redeem it. */
async function exempt(keys = site) {
  const session = newSession()
  const earned = await app.client.earn(keys, { session })
  const { decision_id } = (await app.client.siteverify(keys, earned)).body
  const given = await app.client.asSite('/grants', keys, { decision_id, session, uses: 10 })
  const grantId = String(given.body['grant_id'])
  const { body: intent } = await app.client.intent(keys, { session, trusted_grant_id: grantId })
  const challenge = await app.client.challenge(keys, intent['intent_id'])
  expect(challenge.body['kind']).toBe('none')
  const claims = {
    response: challenge.body['response'],
    intent_id: intent['intent_id'],
    action: 'checkout',
    hostname: 'shop.example',
    idempotency_key: newNonce(),
  }
  return { session, grantId, intentId: String(intent['intent_id']), claims }
}

const revoke = (fields: object) => app.client.asSite('/grants/revoke', site, fields)

test('once its grant is revoked, an intent needs a challenge and its earlier token is refused', async () => {
  for (const by of ['grant_id', 'session'] as const) {
    const { session, grantId, intentId, claims } = await exempt()
    expect((await revoke(by === 'session' ? { session } : { grant_id: grantId })).body).toEqual({ revoked: 1 })
    const { body: puzzle } = await app.client.challenge(site, intentId)
    expect(puzzle['kind']).toBe('pow-sha256')
    const verified = await app.client.siteverify(site, claims)
    expect([verified.status, verified.body]).toEqual([409, { error: 'intent-expired' }])
    // a refusal consumes nothing: solving the challenge now succeeds
    const solution = solvePuzzles(puzzle as Parameters<typeof solvePuzzles>[0])
    const solved = await app.client.solve(site, { intent_id: intentId, challenge: puzzle['challenge'], solution })
    const passed = await app.client.siteverify(site, { ...claims, response: solved.body['response'] })
    expect(passed.status).toBe(200)
  }
})

test('a redemption before the revocation keeps its answer', async () => {
  const { grantId, claims } = await exempt()
  const first = await app.client.siteverify(site, claims)
  expect(first.status).toBe(200)
  await revoke({ grant_id: grantId })
  expect((await app.client.siteverify(site, claims)).text).toBe(first.text)
  const other = await app.client.siteverify(site, { ...claims, idempotency_key: newNonce() })
  expect(other.body).toEqual({ error: 'already-redeemed' })
  expect((await app.client.siteverify(site, { ...claims, action: 'login' })).body).toEqual({
    error: 'idempotency-conflict',
  })
})

test('disabling grants refuses exempt tokens that are not redeemed yet', async () => {
  const mine: MadeSite = await makeSite(app.ctx)
  const { intentId, claims } = await exempt(mine)
  await app.sql.query('update site set grants_enabled = false where id = $1', [mine.siteId])
  // another server: this one may have cached the policy for some seconds
  const siteOff = await openTestApp({ DATABASE_URL: app.databaseUrl, GRANTS: 'on' })
  const deploymentOff = await openTestApp({ DATABASE_URL: app.databaseUrl, GRANTS: 'off' })
  try {
    for (const off of [siteOff, deploymentOff]) {
      expect((await off.client.challenge(mine, intentId)).body['kind']).toBe('pow-sha256')
      expect((await off.client.siteverify(mine, claims)).body).toEqual({ error: 'intent-expired' })
    }
  } finally {
    await Promise.all([siteOff.close(), deploymentOff.close()])
  }
})

test('a request with the wrong session does not use up the grant of a request with the right one', async () => {
  for (let round = 0; round < 12; round++) {
    const session = newSession()
    const { decision_id } = (await app.client.siteverify(site, await app.client.earn(site, { session }))).body
    const trusted_grant_id = (await app.client.asSite('/grants', site, { decision_id, session })).body['grant_id']
    // the first intent occupies the statement, so that the others share the next batch; `0` sorts before `z`
    const [, owner, ...others] = await Promise.all([
      app.client.intent(site),
      app.client.intent(site, { session, trusted_grant_id, nonce: `z${newNonce()}` }),
      ...[1, 2, 3, 4].map(() =>
        app.client.intent(site, { session: newSession(), trusted_grant_id, nonce: `0${newNonce()}` }),
      ),
    ])
    expect(owner.body['error']).toBeUndefined()
    for (const { body } of others) expect(body).toEqual({ error: 'grant-invalid' })
  }
})
