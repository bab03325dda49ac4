import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { openTestApp } from '../../../test/support/app.ts'
import { newHash } from '../../../test/support/client.ts'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { type MadeMember, type MadeTenant, makeMember, makeOwnedTenant } from '../../../test/support/tenant.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { intentOfDecision } from '../../contract/ids.ts'
import type { IssuedGrant } from './issue.ts'
import type { GrantTerms } from './issueAsMember.ts'

const app = testApp()
let tenant: MadeTenant
let developer: MadeMember
let site: MadeSite
beforeAll(async () => {
  ;({ tenant } = await makeOwnedTenant(app))
  developer = await makeMember(app, tenant, 'developer')
  site = await makeSite(app.ctx, { tenantId: tenant.id })
})

type Decided = { id: string; decision: string }

/** A decision's `dec_…` and its intent's UUID. */
const decided = (id: unknown): Decided => ({ id: String(id), decision: intentOfDecision(String(id)) ?? '' })

/** A decision whose challenge was solved. */
const decide = async (fields: object = {}, keys = site) => decided(await app.client.decide(keys, { ...fields }))

/** The decision of an intent that was opened with the grant. */
async function exempt(grantId: string, fields: object = {}): Promise<Decided> {
  const claims = await app.client.exempt(site, grantId, { ...fields })
  return decided((await app.client.siteverify(site, claims)).body['decision_id'])
}

type Fields = { ttl?: number; uses?: number }

const issue = ({ decision }: Pick<Decided, 'decision'>, fields: Fields = {}, who = developer) =>
  who.mutate('grants.issue', { tenant: tenant.slug, decision, ...fields })

const issued = async (of: Decided, fields: Fields = {}) => {
  const { data, message } = await issue(of, fields)
  expect(message).toBe('')
  return data as IssuedGrant
}

const termsOf = async ({ decision }: Decided, who = developer) => {
  const { data } = await who.query('decisions.get', { tenant: tenant.slug, id: decision })
  return (data as { grantTerms: GrantTerms | null }).grantTerms
}

const byBackend = (decision_id: string, fields: object = {}, keys = site) =>
  app.client.asSite('/grants', keys, { decision_id, ...fields })

const audited = async (target: string) => {
  const { rows } = await app.sql.query(
    'select actor_type, actor_id, action, before, after from audit_event where tenant_id = $1 and target = $2',
    [tenant.id, target],
  )
  return rows as object[]
}

const grantsOf = async ({ decision }: Decided) =>
  (await app.sql.query('select id from captcha_grant where decision_id = $1', [decision])).rowCount

/** The decision was redeemed so many seconds earlier. */
const age = ({ decision }: Decided, seconds: number) =>
  app.sql.query('update decision set redeemed_at = redeemed_at - make_interval(secs => $2) where id = $1', [
    decision,
    seconds,
  ])

/** Expects the refusal with the same sentence that the form is closed with, and no grant. */
async function expectRefused(of: Decided, reason: string, who = developer) {
  const reply = await issue(of, {}, who)
  expect([reply.code, reply.reason]).toEqual(['CONFLICT', reason])
  expect((await termsOf(of, who))?.whyNot).toBe(reply.message)
  expect(await grantsOf(of)).toBe(0)
}

test("issues a grant as a backend's would be, bound to the decision's session, with an audit row that names it", async () => {
  const session = newHash()
  const of = await decide({ session })
  expect(await termsOf(of)).toEqual({ whyNot: null, maxTtl: 3600, maxUses: 10 })
  const before = Math.floor(Date.now() / 1000)
  const grant = await issued(of, { ttl: 300, uses: 2 })
  expect(grant).toEqual({ grantId: expect.stringMatching(/^[0-9a-f-]{36}$/), expiresAt: expect.any(Number), uses: 2 })
  expect(grant.expiresAt).toBeGreaterThanOrEqual(before + 299)
  expect(await audited(grant.grantId)).toEqual([
    {
      actor_type: 'user',
      actor_id: developer.userId,
      action: 'grant.issue',
      before: null,
      after: { decision: of.id, uses: 2, expiresAt: new Date(grant.expiresAt * 1000).toISOString() },
    },
  ])
  const spend = (fields: object) => app.client.intent(site, { ...fields, trusted_grant_id: grant.grantId })
  expect((await spend({ session: newHash() })).body).toEqual({ error: 'grant-invalid' })
  const { body } = await spend({ session })
  expect((await app.client.challenge(site, body['intent_id'])).body['kind']).toBe('none')
  // a backend that asks for the same gets the same
  expect((await byBackend(of.id, { ttl: 300, uses: 2 })).body['grant_id']).toBe(grant.grantId)
})

test('gives ten requests at once one grant and one audit row, and refuses other values', async () => {
  const of = await decide()
  const replies = await Promise.all(Array.from({ length: 10 }, () => issue(of)))
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
  expect(new Set(replies.map(({ data }) => JSON.stringify(data))).size).toBe(1)
  const [grantId] = replies.map(({ data }) => (data as IssuedGrant).grantId)
  expect((await issued(of, { ttl: 900, uses: 1 })).grantId).toBe(grantId)
  for (const other of [{ uses: 2 }, { ttl: 60 }]) expect((await issue(of, other)).reason).toBe('grant-issued-before')
  expect(await grantsOf(of)).toBe(1)
  expect(await audited(String(grantId))).toHaveLength(1)
})

test("a backend's grant is the answer to the same values, without an audit row of a member", async () => {
  const of = await decide()
  const grantId = String((await byBackend(of.id)).body['grant_id'])
  expect((await issued(of)).grantId).toBe(grantId)
  expect(await audited(grantId)).toEqual([])
})

test('console and backend at once get one grant', async () => {
  for (let round = 0; round < 5; round++) {
    const of = await decide()
    const [mine, theirs] = await Promise.all([issue(of, { uses: 2 }), byBackend(of.id)])
    expect([mine.status, theirs.status].toSorted()).toEqual([200, 409])
    expect(mine.reason ?? theirs.body['error']).toMatch(/^grant-(issued-before|exists)$/)
    expect(await grantsOf(of)).toBe(1)
  }
})

test("keeps to the site's maximum of lifetime and uses, and to the contract's", async () => {
  const capped = await makeSite(app.ctx, { tenantId: tenant.id, policy: { grantMaxTtl: 120, grantMaxUses: 2 } })
  const of = await decide({}, capped)
  expect(await termsOf(of)).toEqual({ whyNot: null, maxTtl: 120, maxUses: 2 })
  const grant = await issued(of, { ttl: 3600, uses: 10 })
  expect(grant.uses).toBe(2)
  expect(grant.expiresAt).toBeLessThanOrEqual(Date.now() / 1000 + 120)
  for (const wrong of [{ ttl: 59 }, { ttl: 3601 }, { uses: 0 }, { uses: 11 }])
    expect((await issue(await decide(), wrong)).code).toBe('BAD_REQUEST')
})

test('refuses a decision that was redeemed more than 10 minutes ago', async () => {
  const of = await decide()
  await age(of, 601)
  await expectRefused(of, 'grant-too-late')
})

test('refuses an exempt decision unless its session can renew the grant', async () => {
  const bare = await exempt((await issued(await decide())).grantId)
  await expectRefused(bare, 'grant-not-solved')
  const session = newHash()
  const { grantId } = await issued(await decide({ session }), { uses: 3 })
  const [renewing, late, ended] = [
    await exempt(grantId, { session }),
    await exempt(grantId, { session }),
    await exempt(grantId, { session }),
  ]
  expect((await issued(renewing)).grantId).not.toBe(grantId)
  await app.sql.query("update captcha_grant set solved_at = now() - interval '25 hours' where id = $1", [grantId])
  expect((await issue(late)).reason).toBe('grant-not-solved')
  await app.sql.query('update captcha_grant set solved_at = now(), revoked_at = now() where id = $1', [grantId])
  expect((await issue(ended)).reason).toBe('grant-not-solved')
  expect(await grantsOf(ended)).toBe(0)
  await app.sql.query('update site set grant_renewal = 0 where id = $1', [site.siteId])
  await expectRefused(ended, 'grant-not-solved')
  await app.sql.query('update site set grant_renewal = 86400 where id = $1', [site.siteId])
})

test('refuses at a site that is paused, deleted or without grants, and in a deployment without grants', async () => {
  const other = await makeSite(app.ctx, { tenantId: tenant.id })
  const of = await decide({}, other)
  const set = (column: string) => app.sql.query(`update site set ${column} where id = $1`, [other.siteId])
  await set('paused_at = now()')
  await expectRefused(of, 'site-off')
  await set('paused_at = null, grants_enabled = false')
  await expectRefused(of, 'grants-off')
  await set('grants_enabled = true')
  await app.sql.query('update tenant set suspended_at = now() where id = $1', [tenant.id])
  await expectRefused(of, 'site-off')
  await app.sql.query('update tenant set suspended_at = null where id = $1', [tenant.id])
  const without = await openTestApp({ DATABASE_URL: app.databaseUrl, GRANTS: 'off' })
  try {
    await expectRefused(of, 'grants-off', await makeMember(without, tenant, 'developer'))
  } finally {
    await without.close()
  }
  await app.sql.query('delete from site where id = $1', [other.siteId])
  expect((await issue(of)).reason).toBe('site-deleted')
  expect(await termsOf(of)).toBeNull()
})

test('refuses roles without the permission, unknown decisions and members of other tenants', async () => {
  const of = await decide()
  const viewer = await makeMember(app, tenant, 'viewer')
  expect((await issue(of, {}, viewer)).code).toBe('FORBIDDEN')
  // what a site allows is part of its policy, which they may not read
  expect(await termsOf(of, viewer)).toBeNull()
  expect((await issue({ decision: randomUUID() })).reason).toBe('decision-not-found')
  const { tenant: foreign, owner: stranger } = await makeOwnedTenant(app)
  const elsewhere = await stranger.mutate('grants.issue', { tenant: foreign.slug, decision: of.decision })
  expect([elsewhere.code, elsewhere.reason]).toEqual(['NOT_FOUND', 'decision-not-found'])
  expect(await grantsOf(of)).toBe(0)
})
