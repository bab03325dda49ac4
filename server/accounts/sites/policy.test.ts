import { expect, test } from 'vitest'
import { makeSite } from '../../../test/support/make.ts'
import { makeOwnedTenant } from '../../../test/support/tenant.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { openChallenge } from '../../captcha/challenges/sealed.ts'
import { DEFAULT_POLICY, type SiteDifficulty, type SitePolicy } from '../../contract/sitePolicy.ts'
import { admitOperator } from '../access.ts'
import { createSite } from './create.ts'
import { viewPolicy } from './policy.ts'

const app = testApp()

async function open() {
  const { tenant, owner } = await makeOwnedTenant(app)
  const site = await makeSite(app.ctx, { tenantId: tenant.id })
  const input = { tenant: tenant.slug, site: site.siteId }
  const policy = (await owner.query('sites.policy', input)).data as SitePolicy
  const save = (changed: Partial<SitePolicy>) =>
    owner.mutate('sites.setPolicy', { ...input, policy: { ...policy, ...LIMITS, baseWork: 2048, ...changed } })
  const shadow = async () => (await owner.query('sites.shadow', input)).data
  return { tenant, owner, site, input, save, shadow }
}

/** Within the bounds of the form, unlike those of test sites. */
const LIMITS = { ratePerSecond: 200, rateBurst: 400 }
const SIGN_UP = { action: 'signup', baseWork: 8192, workMode: 'fixed' } as const
const DRAFT: SiteDifficulty = { baseWork: 4096, workMode: 'fixed', challengeKind: 'auto', actions: [SIGN_UP] }

test('an action of its own difficulty gets it at once, and the change is in the audit', async () => {
  const { site, save, tenant } = await open()
  expect((await save({ actions: [SIGN_UP] })).data).toMatchObject({ baseWork: 2048, actions: [SIGN_UP] })
  const workOf = async (action: string) => {
    const { body } = await app.client.intent(site, { action })
    const intent = { intentId: String(body['intent_id']), siteId: site.siteId }
    const challenge = await app.client.challenge(site, intent.intentId)
    return openChallenge(app.ctx.keyring, String(challenge.body['challenge']), intent)?.work
  }
  expect([await workOf('signup'), await workOf('checkout')]).toEqual([8192, 2048])
  const rows = await app.rows(
    "select before->'actions' as before, after->'actions' as after from audit_event where tenant_id = $1 and action = 'site.set_policy'",
    [tenant.id],
  )
  expect(rows).toEqual([{ before: [], after: [SIGN_UP] }])
})

test('refuses an action listed twice, more than 20, and a name that no intent can have', async () => {
  const { save } = await open()
  const many = Array.from({ length: 21 }, (_, n) => ({ ...SIGN_UP, action: `a${n}` }))
  for (const actions of [[SIGN_UP, SIGN_UP], many, [{ ...SIGN_UP, action: 'sign up' }]])
    expect(await save({ actions })).toMatchObject({ code: 'BAD_REQUEST' })
  expect((await save({ actions: many.slice(1) })).status).toBe(200)
})

test('a shadow policy is kept until it is discarded, and changes no challenge', async () => {
  const { owner, input, shadow, site, tenant } = await open()
  expect(await shadow()).toBeNull()
  await owner.mutate('sites.setShadow', { ...input, difficulty: DRAFT })
  expect(await shadow()).toEqual({ difficulty: DRAFT, since: expect.any(Number) })
  expect((await owner.query('sites.policy', input)).data).toMatchObject({ baseWork: 64, challengeKind: 'sha256' })
  expect((await app.client.siteverify(site, await app.client.earn(site))).status).toBe(200)
  expect((await owner.query('sites.compare', { ...input, difficulty: DRAFT, since: 0 })).data).toMatchObject({
    sampled: 1,
    actions: [{ action: 'checkout' }],
  })
  await owner.mutate('sites.discardShadow', input)
  expect(await shadow()).toBeNull()
  const rows = await app.rows('select action from audit_event where tenant_id = $1 order by seq desc limit 2', [
    tenant.id,
  ])
  expect(rows).toEqual([{ action: 'site.discard_shadow' }, { action: 'site.set_shadow' }])
})

test('a shadow policy ends when it becomes the policy, and not when another one does', async () => {
  const { owner, input, shadow, save } = await open()
  await owner.mutate('sites.setShadow', { ...input, difficulty: DRAFT })
  await save({ ...DRAFT, baseWork: 5000 })
  expect(await shadow()).not.toBeNull()
  await save({ ...DRAFT, subjectLimit: 7 })
  expect(await shadow()).toBeNull()
})

test('a new site gives HashWX to clients that can solve it, and SHA-256 to others', async () => {
  const { tenant } = await makeOwnedTenant(app)
  const made = await createSite(admitOperator(app.ctx, 'test'), tenant, { name: 'New', hostnames: ['shop.example'] })
  const kindFor = async (kinds?: string[]) => {
    const { body } = await app.client.intent(made)
    return (await app.client.challenge(made, body['intent_id'], kinds ? { kinds } : {})).body['kind']
  }
  expect([await kindFor(['pow-sha256', 'pow-hashwx']), await kindFor()]).toEqual(['pow-hashwx', 'pow-sha256'])
})

test('a new site has the defaults of the definition, which the columns repeat', async () => {
  const { tenant } = await makeOwnedTenant(app)
  const { id } = await createSite(admitOperator(app.ctx, 'test'), tenant, { name: 'New', hostnames: ['shop.example'] })
  expect(await viewPolicy({ ...app.ctx, tenant }, id)).toEqual(DEFAULT_POLICY)
})
