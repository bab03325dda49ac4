import { expect, test } from 'vitest'
import { newHash } from '../../../test/support/client.ts'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { testApp, testSite } from '../../../test/support/testApp.ts'

/** Grants of a logged-in session that come from a decision that was itself exempt. */

const app = testApp()
const site = testSite(app)

const invalid = { error: 'grant-invalid' }

const grant = (decision_id: string, keys = site, fields: object = {}) =>
  app.client.asSite('/grants', keys, { decision_id, ...fields })

/** The grant of a solved challenge, with or without a session. */
async function solved(keys: MadeSite, session: string | undefined, fields: object = {}): Promise<string> {
  const given = await grant(await app.client.decide(keys, { session }), keys, fields)
  expect(given.status).toBe(200)
  return String(given.body['grant_id'])
}

/** The decision of an intent opened with the grant. */
async function exempt(keys: MadeSite, session: string | undefined, grantId: string): Promise<string> {
  const verified = await app.client.siteverify(keys, await app.client.exempt(keys, grantId, { session }))
  expect(verified.status).toBe(200)
  return String(verified.body['decision_id'])
}

/** Moves the site's data that renewals depend on into the past. */
const wait = ({ siteId }: MadeSite, seconds: number) =>
  app.sql.query('update captcha_grant set solved_at = solved_at - make_interval(secs => $2) where site_id = $1', [
    siteId,
    seconds,
  ])

test("renews a session's grant from an exempt decision, once per decision", async () => {
  const session = newHash()
  const decision = await exempt(site, session, await solved(site, session))
  const replies = await Promise.all(Array.from({ length: 10 }, () => grant(decision)))
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  expect(replies[0]?.status).toBe(200)
  expect((await grant(decision, site, { session })).text).toBe(replies[0]?.text)
  expect((await grant(decision, site, { session: newHash() })).body).toEqual(invalid)
  expect((await grant(decision, site, { uses: 3 })).body).toEqual({ error: 'grant-exists' })
})

test('renewals end 24 hours after the last solved challenge and are allowed again after the next one', async () => {
  const mine = await makeSite(app.ctx)
  const session = newHash()
  let grantId = await solved(mine, session)
  for (let hours = 6; hours <= 18; hours += 6) {
    await wait(mine, 6 * 3600)
    const renewed = await grant(await exempt(mine, session, grantId), mine)
    expect(renewed.status).toBe(200)
    grantId = String(renewed.body['grant_id'])
  }
  await wait(mine, 6 * 3600 - 60)
  const last = await grant(await exempt(mine, session, grantId), mine)
  expect(last.status).toBe(200)
  await wait(mine, 61)
  // the last grant still skips a challenge but is not renewed
  const tooLate = await exempt(mine, session, String(last.body['grant_id']))
  expect((await grant(tooLate, mine)).body).toEqual(invalid)

  const next = await solved(mine, session)
  expect((await grant(await exempt(mine, session, next), mine)).status).toBe(200)
})

test('a site can shorten the 24 hours or disable renewal', async () => {
  const session = newHash()
  const hour = await makeSite(app.ctx, { policy: { grantRenewal: 3600 } })
  const first = await solved(hour, session, { uses: 2 })
  await wait(hour, 3590)
  expect((await grant(await exempt(hour, session, first), hour)).status).toBe(200)
  await wait(hour, 20)
  expect((await grant(await exempt(hour, session, first), hour)).body).toEqual(invalid)

  const never = await makeSite(app.ctx, { policy: { grantRenewal: 0 } })
  const only = await solved(never, session)
  expect((await grant(await exempt(never, session, only), never)).body).toEqual(invalid)
})

test('does not renew without a session', async () => {
  const decision = await exempt(site, undefined, await solved(site, undefined))
  expect((await grant(decision)).body).toEqual(invalid)
  expect((await grant(decision, site, { session: newHash() })).body).toEqual(invalid)
})

test('renews only from an exempt decision of the last 10 minutes of the same site', async () => {
  const session = newHash()
  const decision = await exempt(site, session, await solved(site, session))
  const sister = await makeSite(app.ctx, { tenantId: site.tenantId })
  const stranger = await makeSite(app.ctx)
  for (const other of [sister, stranger])
    expect((await grant(decision, other)).body).toEqual({ error: 'bad-request', field: 'decision_id' })
  await app.sql.query("update decision set redeemed_at = redeemed_at - interval '601 s' where site_id = $1", [
    site.siteId,
  ])
  expect((await grant(decision)).body).toEqual(invalid)
})

test('renews an expired or used-up grant, but not a revoked one', async () => {
  const session = newHash()
  const first = await solved(site, session)
  const decision = await exempt(site, session, first)
  await app.sql.query('update captcha_grant set expires_at = now() where id = $1', [first])
  expect((await grant(decision)).status).toBe(200)

  const other = newHash()
  const revoked = await solved(site, other)
  const later = await exempt(site, other, revoked)
  expect((await app.client.asSite('/grants/revoke', site, { session: other })).body).toEqual({ revoked: 1 })
  expect((await grant(later)).body).toEqual(invalid)
})

test('a log-out concurrent with a renewal leaves no active grant of the session', async () => {
  for (let round = 0; round < 12; round++) {
    const session = newHash()
    const decision = await exempt(site, session, await solved(site, session))
    const [, logOut] = await Promise.all([grant(decision), app.client.asSite('/grants/revoke', site, { session })])
    expect(logOut.status).toBe(200)
    const { rowCount } = await app.sql.query('select 1 from captcha_grant where session = $1 and revoked_at is null', [
      session,
    ])
    expect(rowCount).toBe(0)
  }
})
