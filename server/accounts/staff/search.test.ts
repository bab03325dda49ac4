import { expect, test } from 'vitest'
import { makeSite } from '../../../test/support/make.ts'
import { makeStaff } from '../../../test/support/staff.ts'
import { makeOwnedTenant } from '../../../test/support/tenant.ts'
import { setUp, testApp } from '../../../test/support/testApp.ts'
import { newId } from '../../kit/crypto/ids.ts'
import { flushAll } from '../../kit/db/writeBuffer.ts'
import { newSecretKey } from '../sites/keys.ts'
import type { Found } from './search.ts'
import type { StaffTrace } from './trace.ts'

const app = testApp({ LOG_LEVEL: 'debug' })
const support = setUp(() => makeStaff(app, 'support'))
const lead = setUp(() => makeStaff(app, 'lead'))

const search = async (text: string) => (await support.mutate('staff.search', { text })).data as Found
const found = async (text: string) => (await search(text)).hits.map(({ kind, id }) => ({ kind, id }))
const trace = async (id: string) => (await support.query('staff.trace', { id })).data as StaffTrace

/** A redeemed intent with a grant and feedback, and a refused one. */
async function makeStory() {
  const { tenant, owner } = await makeOwnedTenant(app)
  const site = await makeSite(app.ctx, { tenantId: tenant.id })
  await owner.mutate('sites.rename', { tenant: tenant.slug, site: site.siteId, name: 'Renamed' })
  const session = 'a'.repeat(64)
  const earned = await app.client.earn(site, { session })
  const redeemed = await app.client.siteverify(site, earned)
  const decision = String(redeemed.body['decision_id'])
  const given = await app.client.asSite('/grants', site, { decision_id: decision, session })
  const event = crypto.randomUUID()
  await app.client.feedback(site, { decision_id: decision, event_id: event })
  const refused = await app.client.siteverify(site, { ...earned, action: 'other', idempotency_key: 'k'.repeat(32) })
  await flushAll(app.ctx.resources)
  return {
    tenant,
    owner,
    site,
    intent: String(earned['intent_id']),
    decision,
    grant: String(given.body['grant_id']),
    event,
    request: refused.headers.get('x-request-id') ?? '',
  }
}

test('one search finds every kind of object', async () => {
  const story = await makeStory()
  const { tenant, owner, site, intent, decision, grant, event, request } = story
  const request_ = { kind: 'refusal', id: expect.any(String) }
  expect(await found(decision)).toEqual([{ kind: 'decision', id: intent }])
  expect(await found(intent.toUpperCase())).toEqual([{ kind: 'decision', id: intent }])
  expect(await found(grant)).toEqual([{ kind: 'grant', id: grant }])
  expect(await found(event)).toEqual([{ kind: 'feedback', id: event }])
  expect(await found(request)).toEqual([request_])
  expect(await found(`Ref. ${request.slice(-8).toUpperCase()}`)).toEqual([request_])
  expect(await found(site.sitekey)).toEqual([{ kind: 'site', id: site.siteId }])
  expect(await found(site.siteId)).toEqual([{ kind: 'site', id: site.siteId }])
  expect(await found(tenant.id)).toEqual([{ kind: 'tenant', id: tenant.id }])
  expect((await found(tenant.slug))[0]).toEqual({ kind: 'tenant', id: tenant.id })
  expect((await search(owner.email)).hits).toMatchObject([{ kind: 'person', tenant: { id: tenant.id } }])
  const open = String((await app.client.intent(site)).body['intent_id'])
  expect(await found(open)).toEqual([{ kind: 'intent', id: open }])
  expect(await search(crypto.randomUUID())).toEqual({ shape: 'uuid', hits: [], archives: [] })
  expect(await search('  ')).toEqual({ shape: 'nothing', hits: [], archives: [] })
})

test('finds the site of an active or revoked secret, and neither returns nor logs the secret', async () => {
  const site = await makeSite(app.ctx)
  const searchSecret = () => search(`Authorization: Bearer ${site.secret}`)
  expect(await searchSecret()).toMatchObject({ shape: 'secret', hits: [{ kind: 'secret', id: site.siteId }] })
  expect((await searchSecret()).hits[0]?.detail).toMatch(/, active$/)
  await app.sql.query('update secret set revoked_at = now() where site_id = $1', [site.siteId])
  expect((await searchSecret()).hits[0]?.detail).toMatch(/revoked$/)
  expect(JSON.stringify(await searchSecret())).not.toContain(site.secret.slice(10, 40))
  expect(await search(newSecretKey())).toEqual({ shape: 'secret', hits: [], archives: [] })
  expect(app.logged.some((line) => line.includes('staff.search'))).toBe(true)
  expect(app.logged.filter((line) => line.includes(site.secret.slice(10, 40)))).toEqual([])
  // with GET it would be part of the URL
  expect((await support.query('staff.search', { text: site.secret })).status).toBe(405)
})

test('every id of an intent gives the same trace, with refusals, rows and changes', async () => {
  const { tenant, owner, site, intent, decision, grant, event, request } = await makeStory()
  await owner.mutate('sites.tryOpen', { tenant: tenant.slug, site: site.siteId })
  const traces = await Promise.all([intent, decision, grant, event, request].map(trace))
  expect(traces.map(({ kind }) => kind)).toEqual(['intent', 'intent', 'grant', 'feedback', 'refusal'])
  for (const one of traces) {
    expect(one).toMatchObject({ subject: intent, tenant: { id: tenant.id }, trace: { decision: { id: decision } } })
    expect(one.trace?.refusals).toMatchObject([{ requestId: request, code: 'already-redeemed' }])
    expect(one.raw.map(({ table }) => table)).toEqual(
      expect.arrayContaining(['intent', 'decision', 'captcha_grant', 'feedback_event', 'refusal']),
    )
    expect(one.audit.map(({ action }) => action)).not.toContain('site.try')
    expect(one.audit[0]).toMatchObject({ action: 'site.rename', actor: { email: owner.email } })
  }
  expect(JSON.stringify(traces)).not.toContain(site.secret)
  const nobodys = await app.client.asSite('/intents', { ...site, secret: newSecretKey() }, {})
  // the refusal's site is recorded after the answer
  const traced = async () => {
    await flushAll(app.ctx.resources)
    return trace(nobodys.headers.get('x-request-id') ?? '')
  }
  await expect.poll(traced).toMatchObject({ kind: 'refusal', tenant: null, trace: null })
})

test('a trace names the incidents of its site at that time, and no others', async () => {
  const { tenant, site, intent } = await makeStory()
  const incident = async (siteId: string, from: string, to: string | null) =>
    await app.sql.query(
      `insert into incident (id, tenant_id, site_id, kind, started_at, seen_at, ended_at, peak, usual, cause, networks, work_from,
         work_to, honest_work)
       values ($1, $2, $3, 'refusals', now() + $4::interval, now(), now() + $5::interval, 60, 0, '/siteverify unauthorized', 0, 1, 1, 1)`,
      [newId(), tenant.id, siteId, from, to],
    )
  const other = await makeSite(app.ctx, { tenantId: tenant.id })
  await incident(site.siteId, '-2 hours', '-1 hour')
  await incident(site.siteId, '-10 minutes', null)
  await incident(site.siteId, '1 hour', '2 hours')
  await incident(other.siteId, '-10 minutes', null)
  expect((await trace(intent)).incidents).toMatchObject([{ title: 'Invalid secrets on Renamed', endedAt: null }])
})

test('shows notes to staff only', async () => {
  const { tenant, owner, intent } = await makeStory()
  const note = { subject: intent, tenant: tenant.id, text: 'Their proxy strips the Origin.' }
  await support.mutate('staff.addNote', note)
  expect((await lead.query('staff.notes', { subject: intent })).data).toMatchObject([{ text: note.text }])
  expect((await lead.query('staff.notes', { tenant: tenant.id })).data).toMatchObject([{ subject: intent }])
  const shown = await owner.query('audit.list', { tenant: tenant.slug })
  expect(JSON.stringify(shown.data)).not.toMatch(/note|proxy/)
})

test('finds persons, sites and hostnames by their names, and secrets by their last four characters', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const site = await makeSite(app.ctx, { tenantId: tenant.id })
  const word = `zephyr${site.siteId.slice(-6)}`
  await app.sql.query('update site set name = $2 where id = $1', [site.siteId, `Shop of ${word}`])
  await app.sql.query('update "user" set name = $2 where id = $1', [owner.userId, `Mara ${word}`])
  await app.sql.query('insert into hostname (site_id, tenant_id, hostname) values ($1, $2, $3)', [
    site.siteId,
    tenant.id,
    `www.${word}.example`,
  ])
  const { hits } = await search(word.toUpperCase())
  expect(hits.map(({ kind, label, tenant: of }) => [kind, label, of?.id])).toEqual([
    ['person', owner.email, tenant.id],
    ['site', `Shop of ${word}`, tenant.id],
    ['hostname', `www.${word}.example`, tenant.id],
  ])
  const last4 = site.secret.slice(-4)
  for (const text of [last4, `…${last4}`])
    expect((await search(text)).hits).toContainEqual(
      expect.objectContaining({
        kind: 'secret',
        detail: expect.stringContaining(last4),
        tenant: expect.objectContaining({ id: tenant.id }),
      }),
    )
})
