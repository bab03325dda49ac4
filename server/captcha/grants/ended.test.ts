import { expect, test } from 'vitest'
import { openTestApp } from '../../../test/support/app.ts'
import { newHash, newNonce } from '../../../test/support/client.ts'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { solvePuzzles } from '../../../test/support/solver.ts'
import { testApp, testSite } from '../../../test/support/testApp.ts'

/** Ending a grant also ends the exemption of its intents that are not redeemed yet. */

const app = testApp()
const site = testSite(app)

/** An intent opened with a grant, and its token; `claims`: the fields that redeem it. */
async function exempt(keys = site) {
  const session = newHash()
  const decision_id = await app.client.decide(keys, { session })
  const given = await app.client.asSite('/grants', keys, { decision_id, session, uses: 10 })
  const grantId = String(given.body['grant_id'])
  const claims = await app.client.exempt(keys, grantId, { session })
  return { session, grantId, intentId: claims['intent_id'], claims }
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
    const session = newHash()
    const decision_id = await app.client.decide(site, { session })
    const trusted_grant_id = (await app.client.asSite('/grants', site, { decision_id, session })).body['grant_id']
    // the first intent occupies the statement, so that the others share the next batch; `0` sorts before `z`
    const [, owner, ...others] = await Promise.all([
      app.client.intent(site),
      app.client.intent(site, { session, trusted_grant_id, nonce: `z${newNonce()}` }),
      ...[1, 2, 3, 4].map(() =>
        app.client.intent(site, { session: newHash(), trusted_grant_id, nonce: `0${newNonce()}` }),
      ),
    ])
    expect(owner.body['error']).toBeUndefined()
    for (const { body } of others) expect(body).toEqual({ error: 'grant-invalid' })
  }
})
