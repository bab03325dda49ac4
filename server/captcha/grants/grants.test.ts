import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openTestApp } from '../../../test/support/app.ts'
import { newHash, newNonce } from '../../../test/support/client.ts'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { testApp, testSite } from '../../../test/support/testApp.ts'

const app = testApp()
const site = testSite(app)

/** A decision that qualifies, and its session. */
async function decide(keys = site, session = newHash()) {
  const earned = await app.client.earn(keys, { session })
  const decision = await app.client.siteverify(keys, earned)
  return { decision_id: String(decision.body['decision_id']), session, intentId: earned['intent_id'] ?? '' }
}

/** A decision whose intent has no session. */
const decideBare = async (keys = site) => ({ decision_id: await app.client.decide(keys) })

const grant = (
  { decision_id, session }: { decision_id: string; session?: string },
  fields: Record<string, unknown> = {},
  keys = site,
) => app.client.asSite('/grants', keys, { decision_id, session, ...fields })

const spend = (grantId: unknown, session: string, fields: Record<string, unknown> = {}, keys = site) =>
  app.client.intent(keys, { session, trusted_grant_id: grantId, ...fields })

const revoke = (fields: Record<string, unknown>, keys = site) => app.client.asSite('/grants/revoke', keys, fields)

test('issues one grant per solved decision and returns it for each repetition', async () => {
  const decided = await decide()
  const before = Math.floor(Date.now() / 1000)
  const first = await grant(decided)
  expect(first.status).toBe(200)
  expect(first.body).toEqual({
    grant_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    expires_at: expect.any(Number),
    uses: 1,
  })
  expect(Number(first.body['expires_at'])).toBeGreaterThanOrEqual(before + 899)
  expect((await grant(decided)).text).toBe(first.text)
  expect((await grant(decided, { ttl: 900, uses: 1 })).text).toBe(first.text)
  expect((await grant(decided, { uses: 2 })).body).toEqual({ error: 'grant-exists' })
  expect((await grant(decided, { ttl: 60 })).body).toEqual({ error: 'grant-exists' })
})

test("binds a grant requested without a session to the decision's session", async () => {
  const decided = await decide()
  const first = await grant({ decision_id: decided.decision_id })
  expect(first.status).toBe(200)
  expect((await grant(decided)).text).toBe(first.text)
  // a wrong session is refused, whether or not a grant exists
  expect((await grant({ ...decided, session: newHash() })).body).toEqual({ error: 'grant-invalid' })
  const { grant_id } = first.body
  expect((await app.client.intent(site, { trusted_grant_id: grant_id })).body).toEqual({ error: 'grant-invalid' })
  expect((await spend(grant_id, decided.session)).status).toBe(200)
})

test('a decision without a session gives a grant without a session', async () => {
  const decided = await decideBare()
  const first = await grant(decided, { uses: 2 })
  expect(first.status).toBe(200)
  expect((await grant({ ...decided, session: newHash() })).body).toEqual({ error: 'grant-invalid' })
  const { grant_id } = first.body
  const opened = await app.client.intent(site, { trusted_grant_id: grant_id })
  expect(opened.status).toBe(200)
  expect((await app.client.challenge(site, opened.body['intent_id'])).body['kind']).toBe('none')
  const invalid = { error: 'grant-invalid' }
  expect((await spend(grant_id, newHash())).body).toEqual(invalid)
  const sister = await makeSite(app.ctx, { tenantId: site.tenantId })
  const stranger = await makeSite(app.ctx)
  for (const other of [sister, stranger]) {
    expect((await app.client.intent(other, { trusted_grant_id: grant_id })).body).toEqual(invalid)
    expect((await grant(decided, {}, other)).body).toEqual({ error: 'bad-request', field: 'decision_id' })
  }
  expect((await app.client.intent(site, { trusted_grant_id: randomUUID() })).body).toEqual(invalid)
  expect((await revoke({ grant_id })).body).toEqual({ revoked: 1 })
  expect((await app.client.intent(site, { trusted_grant_id: grant_id })).body).toEqual(invalid)
})

test('issues one grant for ten concurrent requests', async () => {
  const decided = await decide()
  const replies = await Promise.all(Array.from({ length: 10 }, () => grant(decided)))
  expect(new Set(replies.map((reply) => reply.text)).size).toBe(1)
  expect((await app.sql.query('select 1 from captcha_grant where decision_id = $1', [decided.intentId])).rowCount).toBe(
    1,
  )
})

test('an intent opened with a grant skips the challenge and is otherwise like any other', async () => {
  const decided = await decide()
  const { grant_id } = (await grant(decided)).body
  const claims = await app.client.exempt(site, grant_id, { session: decided.session })
  const { body } = await app.client.challenge(site, claims['intent_id'])
  expect(body).toEqual({ kind: 'none', response: claims['response'], expires_at: expect.any(Number) })
  expect((await app.client.siteverify(site, claims)).status).toBe(200)
  const { rows } = await app.sql.query('select charged_to, solved_at, grant_id from decision where id = $1', [
    claims['intent_id'],
  ])
  expect(rows).toEqual([{ charged_to: 'quota', solved_at: null, grant_id }])
})

test('a repetition of the intent uses nothing more of the grant', async () => {
  const decided = await decide()
  const { grant_id } = (await grant(decided)).body
  const nonce = newNonce()
  const first = await spend(grant_id, decided.session, { nonce })
  expect((await spend(grant_id, decided.session, { nonce })).text).toBe(first.text)
  expect((await app.client.intent(site, { session: decided.session, nonce })).body).toEqual({ error: 'nonce-conflict' })
  expect((await app.sql.query('select used from captcha_grant where id = $1', [grant_id])).rows).toEqual([{ used: 1 }])
})

test.each([
  [1, 'a session', newHash()],
  [3, 'a session', newHash()],
  [1, 'no session', undefined],
  [8, 'no session', undefined],
])('opens as many of ten concurrent intents as a grant has uses (%i, %s)', async (uses, _whose, session) => {
  const decision_id = await app.client.decide(site, { session })
  const trusted_grant_id = (await grant({ decision_id }, { uses })).body['grant_id']
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => app.client.intent(site, { session, trusted_grant_id })),
  )
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(uses)
  expect(replies.filter((reply) => reply.body['error'] === 'grant-invalid')).toHaveLength(10 - uses)
  expect((await app.sql.query('select used from captcha_grant where id = $1', [trusted_grant_id])).rows).toEqual([
    { used: uses },
  ])
})

test('no use of a grant succeeds after a concurrent revocation', async () => {
  for (let round = 0; round < 5; round++) {
    const decided = await decide()
    const { grant_id } = (await grant(decided, { uses: 10 })).body
    const [revoked, ...spends] = await Promise.all([
      revoke({ grant_id }),
      ...Array.from({ length: 10 }, () => spend(grant_id, decided.session)),
    ])
    expect(revoked.body).toEqual({ revoked: 1 })
    const opened = spends.filter((reply) => reply.status === 200).length
    expect((await app.sql.query('select used from captcha_grant where id = $1', [grant_id])).rows).toEqual([
      { used: opened },
    ])
    expect((await spend(grant_id, decided.session)).body).toEqual({ error: 'grant-invalid' })
  }
})

test('accepts a grant only at its site, for its session, before it expires and until it is revoked', async () => {
  const decided = await decide()
  const { grant_id } = (await grant(decided, { uses: 10 })).body
  const sister = await makeSite(app.ctx, { tenantId: site.tenantId })
  const invalid = { error: 'grant-invalid' }
  expect((await spend(grant_id, newHash())).body).toEqual(invalid)
  expect((await spend(grant_id, decided.session, {}, sister)).body).toEqual(invalid)
  expect((await spend(randomUUID(), decided.session)).body).toEqual(invalid)
  expect((await app.client.intent(site, { trusted_grant_id: grant_id })).body).toEqual(invalid)
  expect((await spend(grant_id, decided.session)).status).toBe(200)
  await app.sql.query("update captcha_grant set expires_at = now() - interval '1 s' where id = $1", [grant_id])
  expect((await spend(grant_id, decided.session)).body).toEqual(invalid)
})

test('issues grants only for decisions of the last 10 minutes and their own session', async () => {
  const decided = await decide()
  expect((await grant({ ...decided, session: newHash() })).body).toEqual({ error: 'grant-invalid' })
  await app.sql.query("update decision set redeemed_at = redeemed_at - interval '601 s' where id = $1", [
    decided.intentId,
  ])
  expect((await grant(decided)).body).toEqual({ error: 'grant-invalid' })

  const bare = await decideBare()
  expect((await grant({ ...bare, session: newHash() })).body).toEqual({ error: 'grant-invalid' })
})

test("the site's policy limits a grant's lifetime and uses", async () => {
  const strict = await makeSite(app.ctx, { policy: { grantMaxTtl: 120, grantMaxUses: 2 } })
  const reply = await grant(await decide(strict), { ttl: 3600, uses: 10 }, strict)
  expect(reply.body['uses']).toBe(2)
  expect(Number(reply.body['expires_at'])).toBeLessThanOrEqual(Date.now() / 1000 + 121)
})

test('revoking by id or by session returns how many grants were revoked, and 0 when repeated', async () => {
  const session = newHash()
  const [one, two, three] = await Promise.all([decide(site, session), decide(site, session), decide(site, session)])
  const ids = (await Promise.all([one, two, three].map((decided) => grant(decided)))).map(
    (reply) => reply.body['grant_id'],
  )
  expect((await revoke({ grant_id: ids[0] })).body).toEqual({ revoked: 1 })
  expect((await revoke({ grant_id: ids[0] })).body).toEqual({ revoked: 0 })
  expect((await revoke({ session })).body).toEqual({ revoked: 2 })
  expect((await revoke({ session })).body).toEqual({ revoked: 0 })
  const stranger = await makeSite(app.ctx)
  expect((await revoke({ grant_id: ids[1] }, stranger)).body).toEqual({ error: 'bad-request', field: 'grant_id' })
  expect((await revoke({})).body).toEqual({ error: 'bad-request', field: 'grant_id' })
  expect((await revoke({ session, grant_id: ids[1] })).body).toEqual({ error: 'bad-request', field: 'session' })
})

test('a site with grants disabled issues none and accepts none', async () => {
  const mine: MadeSite = await makeSite(app.ctx)
  const decided = await decide(mine)
  const { grant_id } = (await grant(decided, { uses: 10 }, mine)).body
  const opened = await spend(grant_id, decided.session, {}, mine)
  await app.sql.query('update site set grants_enabled = false where id = $1', [mine.siteId])
  // another server: this one may have cached the policy for some seconds
  const fresh = await openTestApp({ DATABASE_URL: app.databaseUrl })
  try {
    const off = { error: 'grants-disabled' }
    const { decision_id, session } = await decide(mine)
    expect((await fresh.client.asSite('/grants', mine, { decision_id, session })).body).toEqual(off)
    expect((await fresh.client.intent(mine, { session: decided.session, trusted_grant_id: grant_id })).body).toEqual(
      off,
    )
    expect((await fresh.client.challenge(mine, opened.body['intent_id'])).body['kind']).toBe('pow-sha256')
  } finally {
    await fresh.close()
  }
})

test('a deployment with grants disabled answers grants-disabled for every site', async () => {
  const off = await openTestApp({ DATABASE_URL: app.databaseUrl, GRANTS: 'off' })
  try {
    const decided = await decide()
    const reply = await off.client.asSite('/grants', site, {
      decision_id: decided.decision_id,
      session: decided.session,
    })
    expect([reply.status, reply.body]).toEqual([403, { error: 'grants-disabled' }])
  } finally {
    await off.close()
  }
})
