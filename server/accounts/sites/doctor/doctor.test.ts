import { expect, test } from 'vitest'
import { age } from '../../../../test/support/age.ts'
import { newNonce } from '../../../../test/support/client.ts'
import { type MadeSite, makeSite } from '../../../../test/support/make.ts'
import { makeMember, makeTenant } from '../../../../test/support/tenant.ts'
import { setUp, testApp } from '../../../../test/support/testApp.ts'
import { written } from '../../../../test/support/written.ts'
import { LANGUAGE_NAMES as LANGUAGES } from '../../../contract/languages.ts'
import { INTEGRATION_CODES } from '../../../contract/mistakes/integration.ts'
import { DOCTOR_ACTION } from '../../../contract/names.ts'
import { isSecretKey } from '../keys.ts'
import type { Diagnosis } from './diagnose.ts'
import { linesFor } from './lines.ts'

const app = testApp()
const tenant = setUp(() => makeTenant(app))
const owner = setUp(() => makeMember(app, tenant, 'owner'))

const newSite = (hostnames?: string[]) => makeSite(app.ctx, { tenantId: tenant.id, ...(hostnames && { hostnames }) })
const at = (site: MadeSite) => ({ tenant: tenant.slug, site: site.siteId })
const examine = async (site: MadeSite, language?: string) => {
  await written(app)
  return (await owner.query('sites.doctor', { ...at(site), ...(language && { language }) })).data as Diagnosis
}
const mistakes = async (site: MadeSite) => (await examine(site)).findings.map(({ mistake }) => mistake)
const calling = (site: MadeSite, path: string, body: object, agent?: string, secret = site.secret) =>
  app.client.post(path, body, { authorization: `Bearer ${secret}`, ...(agent && { 'user-agent': agent }) })

test('finds nothing in an integration that works', async () => {
  const site = await newSite()
  expect((await examine(site)).findings).toEqual([])
  await app.client.siteverify(site, await app.client.earn(site))
  expect((await examine(site)).findings).toEqual([])
})

test('names the server that still uses an older secret, before and after it ended, and the language of its SDK', async () => {
  const site = await newSite()
  // a use before the rotation says nothing about who has to change
  expect((await app.client.intent(site)).status).toBe(200)
  const uses = 'select 1 from secret where site_id = $1 and last_used_at is not null'
  await expect.poll(async () => (await app.sql.query(uses, [site.siteId])).rowCount).toBe(1)
  // a use is noted once a minute
  await app.sql.query("update secret set last_used_at = last_used_at - interval '2 minutes' where site_id = $1", [
    site.siteId,
  ])
  const rotated = (await owner.mutate('secrets.rotate', { ...at(site), overlap: 3600 })).data as { secret: string }
  const intent = (secret: string) =>
    calling(
      site,
      '/intents',
      { action: 'a', nonce: newNonce(), hostname: 'shop.example' },
      'tollgate-python/1.0.0',
      secret,
    )
  expect((await examine(site)).findings.map(({ mistake }) => mistake)).not.toContain('two-secrets')
  expect((await intent(site.secret)).status).toBe(200)
  const server = { by: 'tollgate-python/1.0.0', from: '127.0.0.0/24' }
  await expect
    .poll(async () => (await examine(site)).findings)
    .toContainEqual(
      expect.objectContaining({
        mistake: 'two-secrets',
        severity: 'warning',
        ...server,
        last4: site.secret.slice(-4),
        currentLast4: rotated.secret.slice(-4),
        title: `Not safe to revoke yet: the older secret …${site.secret.slice(-4)}`,
      }),
    )
  expect(await examine(site)).toMatchObject({ sdk: 'python', language: 'python' })

  await app.sql.query(
    "update secret set expires_at = now() - interval '1 s' where site_id = $1 and expires_at is not null",
    [site.siteId],
  )
  app.ctx.invalidations.publish(tenant.id)
  expect((await intent(site.secret)).status).toBe(401)
  const [first] = (await examine(site)).findings
  expect(first).toMatchObject({
    mistake: 'ended-secret',
    severity: 'error',
    count: 1,
    ...server,
    lines: { added: [`TOLLGATE_SECRET=tg_secret_…${rotated.secret.slice(-4)}`] },
  })
  expect(isSecretKey(JSON.stringify(first))).toBe(false)
})

test('tells a retry with a new key from a visitor who submits the form again later', async () => {
  const site = await newSite()
  const [one, two] = [await app.client.earn(site), await app.client.earn(site)]
  for (const earned of [one, two]) expect((await app.client.siteverify(site, earned)).status).toBe(200)
  await app.sql.query("update decision set redeemed_at = redeemed_at - interval '5 minutes' where id = $1", [
    two['intent_id'],
  ])
  expect((await app.client.siteverify(site, { ...two, idempotency_key: newNonce() })).body['error']).toBe(
    'already-redeemed',
  )
  expect(await mistakes(site)).toEqual([])
  await app.client.siteverify(site, { ...one, idempotency_key: newNonce() })
  expect((await examine(site, 'node')).findings).toMatchObject([
    {
      mistake: 'key-per-retry',
      count: 1,
      lines: {
        removed: ['idempotencyKey: createIdempotencyKey(),'],
        added: ['idempotencyKey: attempt.idempotency_key, // stored before the first call'],
      },
    },
  ])
})

test('finds cached pages by intents that several visits have in common', async () => {
  const site = await newSite()
  const intents = await Promise.all(Array.from({ length: 4 }, () => app.client.intent(site)))
  const ids = intents.map(({ body }) => body['intent_id'])
  await app.client.siteverify(site, await app.client.earn(site))
  await age(app.sql, [tenant.id], 400)
  for (const id of ids) expect((await app.client.challenge(site, id)).body['error']).toBe('intent-expired')
  expect(await mistakes(site)).toEqual([])
  for (let i = 0; i < 2; i++) await app.client.challenge(site, ids[0])
  expect((await examine(site)).findings).toMatchObject([{ mistake: 'shared-intent', severity: 'warning', count: 3 }])
})

test.each([
  ['www-host', { hostname: 'www.shop.example' }],
  ['loopback-host', { hostname: '127.0.0.1' }],
  ['malformed-host', { hostname: 'https://shop.example:443' }],
  ['unlisted-host', { hostname: 'other.example' }],
  ['plain-session', { session: 'abc' }],
  ['plain-session', { subject: 'someone@shop.example' }],
])('finds %s in a refused call to /intents', async (mistake, fields) => {
  const site = await newSite()
  await app.client.siteverify(site, await app.client.earn(site))
  expect((await app.client.intent(site, fields)).status).toBe(422)
  expect(await mistakes(site)).toEqual([mistake])
})

test('a host that only visitors named is found only if it resembles one of the site', async () => {
  const site = await newSite()
  const { body } = await app.client.intent(site)
  await app.client.challenge(site, body['intent_id'], { origin: 'https://evil.example' })
  expect(await mistakes(site)).toEqual(['never-redeemed'])
  await app.client.challenge(site, body['intent_id'], { origin: 'https://www.shop.example' })
  expect((await examine(site)).findings).toMatchObject([
    { mistake: 'never-redeemed' },
    { mistake: 'www-host', severity: 'warning', hostname: 'www.shop.example', allowed: 'shop.example' },
  ])
})

test('calls that anyone can make are never an error, and a few of them nothing', async () => {
  const site = await newSite()
  const foreign = await app.client.intent(await newSite())
  const { body } = await app.client.intent(site)
  const intent = body['intent_id']
  /** What needs no secret: each is refused, and stored for the site. */
  const claim = async () => [
    await app.client.post('/challenge', { sitekey: site.sitekey, intent_id: intent }),
    await app.client.challenge(site, intent, { origin: 'null' }),
    await app.client.challenge(site, intent, { origin: 'https://www.shop.example' }),
    await app.client.challenge(site, foreign.body['intent_id']),
    await app.client.post('/challenge', { sitekey: site.sitekey, intent_id: intent, secret: 'x' }),
    await app.client.post('/siteverify', { sitekey: site.sitekey, secret: 'x' }),
  ]
  expect((await claim()).map(({ status }) => status)).toEqual([403, 403, 403, 422, 422, 422])
  await app.client.siteverify(site, await app.client.earn(site))
  const { findings } = await examine(site)
  expect(findings.map(({ mistake, severity, count }) => `${severity} ${mistake} ${count}`).toSorted()).toEqual([
    'warning missing-origin 2',
    'warning mixed-sites 1',
    'warning secret-in-body 2',
    'warning www-host 1',
  ])
  // the same among many redemptions
  await app.sql.query(
    `insert into decision select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'nonce', n, 'idempotency_key', n))).*
     from decision d, generate_series(1, 30) n where site_id = $1`,
    [site.siteId],
  )
  expect(await mistakes(site)).toEqual(['www-host'])
})

test('a missing Origin says nothing of what the backend sent', async () => {
  const site = await newSite()
  await app.client.siteverify(site, await app.client.earn(site))
  const { body } = await app.client.intent(site)
  await app.client.post('/challenge', { sitekey: site.sitekey, intent_id: body['intent_id'] })
  await app.client.intent(site, { hostname: 'Shop.example' })
  const { findings } = await examine(site)
  expect(findings.map(({ mistake, severity, count }) => ({ mistake, severity, count }))).toEqual([
    { mistake: 'malformed-host', severity: 'error', count: 1 },
    { mistake: 'missing-origin', severity: 'warning', count: 1 },
  ])
  expect(findings.map(({ lines }) => lines.example)).toEqual([true, true])
})

test('lines without the label “example” have what the backend sent', async () => {
  const site = await newSite(['shop.example', 'localhost'])
  await app.client.siteverify(site, await app.client.earn(site))
  for (const hostname of ['www.shop.example', '127.0.0.1', 'other.example']) await app.client.intent(site, { hostname })
  const { findings } = await examine(site, 'node')
  const lines = Object.fromEntries(findings.map((finding) => [finding.mistake, finding.lines]))
  expect(lines).toMatchObject({
    'www-host': { example: false, removed: ["hostname: 'www.shop.example',"], added: ["hostname: 'shop.example',"] },
    'loopback-host': { example: false, removed: ["hostname: '127.0.0.1',"], added: ["hostname: 'localhost',"] },
    'unlisted-host': { removed: [], added: [] },
  })
  for (const mistake of INTEGRATION_CODES.filter((each) => !/-host$|-secrets?$/.test(each)))
    for (const language of LANGUAGES) {
      const finding = { mistake, severity: 'error', count: 1, lastAt: null } as const
      expect(linesFor(finding, language, { sitekey: site.sitekey, hostname: 'shop.example' }).example).toBe(true)
    }
})

test('what the doctor of the SDK asks is no call of the merchant, and no evidence', async () => {
  const site = await newSite()
  const agent = 'tollgate-doctor/1.0.0'
  const open = (hostname: string) =>
    calling(site, '/intents', { action: DOCTOR_ACTION, nonce: newNonce(), hostname }, agent)
  expect((await open('www.shop.example')).status).toBe(422)
  const { body } = await open('shop.example')
  const asked = { sitekey: site.sitekey, intent_id: body['intent_id'] }
  expect((await app.client.post('/challenge', asked)).body['error']).toBe('origin-not-allowed')
  await app.client.challenge(site, body['intent_id'], { origin: 'https://www.shop.example' })
  const diagnosis = await examine(site)
  expect(diagnosis).toMatchObject({ findings: [], sdk: null })
  expect((await owner.query('sites.integration', at(site))).data).toMatchObject({ intents: { count: 0 }, refused: [] })
  expect((await owner.query('hostnames.refused', at(site))).data).toEqual([])
})

test('finds the other mistakes by their code or field', async () => {
  const site = await newSite()
  const earned = await app.client.earn(site)
  expect((await app.client.siteverify(site, { ...earned, response: '' })).status).toBe(422)
  expect((await app.client.siteverify(site, { ...earned, action: 'other' })).body['error']).toBe('binding-mismatch')
  const other = await app.client.intent(await newSite())
  await app.client.siteverify(site, { ...earned, intent_id: 'none' })
  expect(other.status).toBe(200)
  const nonce = newNonce()
  await app.client.intent(site, { nonce })
  expect((await app.client.intent(site, { nonce, action: 'other' })).body['error']).toBe('nonce-conflict')
  const { body } = await app.client.siteverify(site, earned)
  const late = {
    event_id: crypto.randomUUID(),
    decision_id: body['decision_id'],
    outcome: 'legitimate',
    business_type: 'order',
    occurred_at: Date.now(),
  }
  expect((await calling(site, '/feedback', late)).body['field']).toBe('occurred_at')
  expect((await calling(site, '/siteverify', { secret: site.secret, ...earned })).body['error']).toBe('secret-in-body')
  expect((await mistakes(site)).toSorted()).toEqual([
    'binding-differs',
    'milliseconds',
    'mixed-sites',
    'no-token',
    'reused-nonce',
    'secret-in-body',
  ])
  for (const language of LANGUAGES)
    for (const { title, why, fix, lines } of (await examine(site, language)).findings) {
      expect([title, why, fix].join(' ')).not.toMatch(/undefined|null/)
      expect(lines.added.length).toBeGreaterThan(0)
    }
})

test('each element in the lines to change is one that the component renders', () => {
  const facts = { sitekey: 'tg_site_00000000000000000000', hostname: 'shop.example' }
  const elements = INTEGRATION_CODES.flatMap((mistake) => {
    const { removed, added } = linesFor({ mistake, severity: 'error', count: 1, lastAt: null }, 'node', facts)
    return [...removed, ...added].filter((line) => line.includes('<div'))
  })
  expect(elements.length).toBeGreaterThan(2)
  for (const line of elements)
    expect(line).toMatch(/<div class="svc-captcha" data-sitekey="tg_site_0+" data-intent="…" data-endpoint="…"/)
})
