import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { type MadeMember, type MadeTenant, makeMember, makeOwnedTenant } from '../../../test/support/tenant.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { intentOfDecision } from '../../contract/ids.ts'

const app = testApp()
let tenant: MadeTenant
let developer: MadeMember
let site: MadeSite
beforeAll(async () => {
  ;({ tenant } = await makeOwnedTenant(app))
  developer = await makeMember(app, tenant, 'developer')
  site = await makeSite(app.ctx, { tenantId: tenant.id })
})

const now = () => Math.floor(Date.now() / 1000)

/** A decision of the site: its `dec_…` and its intent's UUID. */
async function decide(keys = site) {
  const id = await app.client.decide(keys)
  return { id, decision: intentOfDecision(id) ?? '' }
}

type Fields = { event?: string; outcome?: string; supersedes?: string; occurredAt?: number; businessType?: string }

const report = (decision: string, fields: Fields = {}, who = developer) =>
  who.mutate('feedback.report', {
    tenant: tenant.slug,
    decision,
    event: randomUUID(),
    outcome: 'confirmed_abuse',
    businessType: 'manual_review',
    occurredAt: now(),
    ...fields,
  })

const byBackend = (decision_id: string, fields: object = {}) =>
  app.client.asSite('/feedback', site, {
    decision_id,
    event_id: randomUUID(),
    outcome: 'legitimate',
    business_type: 'customer_called',
    occurred_at: now(),
    ...fields,
  })

const audited = async (id: string) => {
  const { rows } = await app.sql.query(
    'select actor_type, actor_id, action, before, after from audit_event where tenant_id = $1 and target = $2 order by created_at, id',
    [tenant.id, id],
  )
  return rows as { actor_type: string; actor_id: string; action: string; before: unknown; after: unknown }[]
}

test("stores a report and its correction as a backend's would be, each with an audit row", async () => {
  const { id, decision } = await decide()
  const [first, second] = [randomUUID(), randomUUID()]
  const occurredAt = now()
  const reported = await report(decision, { event: first, occurredAt })
  expect(reported.data).toMatchObject({ eventId: first, revision: 1 })
  const corrected = await report(decision, { event: second, outcome: 'legitimate', supersedes: first, occurredAt })
  expect(corrected.data).toMatchObject({ eventId: second, revision: 2 })
  // a backend can continue the revisions
  expect((await byBackend(id, { supersedes_event_id: second })).body['revision']).toBe(3)
  const actor = { actor_type: 'user', actor_id: developer.userId }
  const values = { type: 'manual_review', occurredAt }
  expect(await audited(id)).toEqual([
    {
      ...actor,
      action: 'feedback.report',
      before: null,
      after: { ...values, revision: 1, outcome: 'confirmed_abuse', event: first },
    },
    {
      ...actor,
      action: 'feedback.correct',
      before: { revision: 1, outcome: 'confirmed_abuse', type: 'manual_review' },
      after: { ...values, revision: 2, outcome: 'legitimate', event: second },
    },
  ])
})

test('gives repetitions of an event the same answer and writes one audit row, also for ten at once', async () => {
  const { id, decision } = await decide()
  const same = { event: randomUUID(), occurredAt: now() }
  const replies = await Promise.all(Array.from({ length: 10 }, () => report(decision, same)))
  expect(new Set(replies.map(({ data }) => JSON.stringify(data))).size).toBe(1)
  expect(replies[0]?.data).toMatchObject({ revision: 1 })
  expect(await audited(id)).toHaveLength(1)
  const other = await report(decision, { ...same, outcome: 'unknown' })
  expect(other.code).toBe('CONFLICT')
})

test('accepts one of two concurrent corrections by console and backend and refuses the other as stale', async () => {
  for (let round = 0; round < 5; round++) {
    const { id, decision } = await decide()
    const [first, ofConsole, ofBackend] = [randomUUID(), randomUUID(), randomUUID()]
    await report(decision, { event: first })
    const [mine, theirs] = await Promise.all([
      report(decision, { event: ofConsole, supersedes: first, outcome: 'unknown' }),
      byBackend(id, { event_id: ofBackend, supersedes_event_id: first }),
    ])
    expect([mine.status, theirs.status].toSorted()).toEqual([200, 409])
    expect(theirs.headers.get('tollgate-latest-event')).toBe(mine.status === 200 ? ofConsole : ofBackend)
    expect(mine.status === 200 || mine.reason === 'feedback-outdated').toBe(true)
    const late = await report(decision, { supersedes: first })
    expect([late.code, late.reason]).toEqual(['CONFLICT', 'feedback-outdated'])
    expect((await report(decision)).reason).toBe('feedback-outdated')
    expect(await audited(id)).toHaveLength(mine.status === 200 ? 2 : 1)
  }
})

test('a backend that a correction in the console preceded learns its event from the refusal, and corrects it', async () => {
  const { id, decision } = await decide()
  const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()]
  const occurred_at = now()
  const original = { event_id: first, occurred_at }
  const reply = await byBackend(id, original)
  await report(decision, { event: second, supersedes: first })

  for (const fields of [{ supersedes_event_id: first }, {}]) {
    const { status, headers } = await byBackend(id, fields)
    expect([status, headers.get('tollgate-latest-event')]).toEqual([409, second])
  }
  const again = await byBackend(id, original)
  expect([again.text, again.headers.get('tollgate-latest-event')]).toEqual([reply.text, second])

  const corrected = await byBackend(id, { event_id: third, supersedes_event_id: second })
  expect([corrected.status, corrected.body['revision']]).toEqual([200, 3])
  expect(corrected.headers.get('tollgate-latest-event')).toBe(third)
})

test('refuses a time before the redemption or in the future, feedback after 7 days, and feedback for a paused site', async () => {
  const { id, decision } = await decide()
  for (const occurredAt of [now() - 3600, now() + 3600])
    expect((await report(decision, { occurredAt })).code).toBe('BAD_REQUEST')
  await app.sql.query('update site set paused_at = now() where id = $1', [site.siteId])
  const paused = await report(decision)
  await app.sql.query('update site set paused_at = null where id = $1', [site.siteId])
  expect(paused.message).toContain('paused')
  await app.sql.query("update decision set redeemed_at = redeemed_at - interval '7 days 1 second' where id = $1", [
    decision,
  ])
  const late = await report(decision)
  expect([late.code, late.message]).toEqual(['CONFLICT', expect.stringContaining('takes no more feedback')])
  expect(await audited(id)).toEqual([])
})

test('an event of a backend is corrected whatever the version of its UUID', async () => {
  const { id, decision } = await decide()
  // as a hash of the backend's own id, written as a UUID
  const event = 'ef280e1f-707b-faaa-1788-992f1f635ae3'
  expect((await byBackend(id, { event_id: event })).status).toBe(200)
  expect((await report(decision, { outcome: 'legitimate', supersedes: event })).data).toMatchObject({ revision: 2 })
})

test('refuses roles without the permission and members of other tenants', async () => {
  const { id, decision } = await decide()
  for (const role of ['viewer', 'billing'] as const)
    expect((await report(decision, {}, await makeMember(app, tenant, role))).code).toBe('FORBIDDEN')
  const { tenant: foreign, owner: stranger } = await makeOwnedTenant(app)
  const elsewhere = await stranger.mutate('feedback.report', {
    tenant: foreign.slug,
    decision,
    event: randomUUID(),
    outcome: 'unknown',
    businessType: 'x',
    occurredAt: now(),
  })
  expect(elsewhere.code).toBe('NOT_FOUND')
  expect((await app.sql.query('select 1 from feedback_event where decision_id = $1', [decision])).rowCount).toBe(0)
  expect(await audited(id)).toEqual([])
})
