import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { askChallenge } from '../../../test/support/challenge.ts'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { ClientAddress } from '../../kit/http/client.ts'
import { openService } from '../../kit/service.ts'
import { deleteExpiredNetworks } from '../../ledger/decisions/deleteExpiredNetworks.ts'
import { traceDecision } from '../../ledger/decisions/trace.ts'
import { readMarks } from '../../ledger/feedback/marks.ts'
import { causesOf, unpackReasons } from '../challenges/difficulty/reasons.ts'
import { feedbackDoublings, followMarks } from './raise.ts'

const app = testApp()

const subject = '5b'.repeat(32)
const policy = { baseWork: 1024 }

/** A redeemed verification from this address: its decision. */
const decide = (site: MadeSite, address: string) => app.client.decide(site, { subject }, { address })

async function report(site: MadeSite, decision: string, outcome: string, supersedes?: string): Promise<string> {
  const event = randomUUID()
  const reply = await app.client.asSite('/feedback', site, {
    decision_id: decision,
    event_id: event,
    outcome,
    business_type: 'order',
    occurred_at: Math.floor(Date.now() / 1000),
    ...(supersedes && { supersedes_event_id: supersedes }),
  })
  expect(reply.status).toBe(200)
  return event
}

/** How often feedback doubles the difficulty of a challenge of the site, as the sealed challenge says. */
async function raised(site: MadeSite, address: string, fields: Record<string, unknown> = {}): Promise<number> {
  const { challenge } = await askChallenge(app, site, { intent: fields, address })
  const reasons = unpackReasons(challenge.reasons)
  const all = causesOf(reasons).reduce((product, { times }) => product * times, 1)
  expect(challenge.work).toBe(policy.baseWork * all)
  return reasons.feedback
}

test('reported abuse raises the difficulty of its network and subject within a moment, and a correction ends that', async () => {
  const site = await makeSite(app.ctx, { policy })
  const decision = await decide(site, '203.0.113.7')
  expect(await raised(site, '203.0.113.7', { subject })).toBe(0)
  const event = await report(site, decision, 'confirmed_abuse')
  await expect.poll(() => raised(site, '203.0.113.7', { subject })).toBe(2)
  expect(await raised(site, '203.0.113.7')).toBe(1)
  expect(await raised(site, '198.51.100.7', { subject })).toBe(1)
  expect(await raised(site, '203.0.113.8')).toBe(0)

  const trace = async () =>
    (await traceDecision(app.ctx, { tenant: { id: site.tenantId }, id: decision }))?.decision?.mark
  expect(await trace()).toMatchObject({ network: true, subject: true, withdrawnAt: null })
  await report(site, decision, 'legitimate', event)
  await expect.poll(() => raised(site, '203.0.113.7', { subject })).toBe(0)
  expect((await trace())?.withdrawnAt).toEqual(expect.any(Number))
})

test('abuse that is corrected to abuse keeps its time, and abuse reported again begins anew', async () => {
  const site = await makeSite(app.ctx, { policy })
  const decision = await decide(site, '203.0.113.20')
  const mark = async () =>
    (
      await app.sql.query(
        'select marked_at as at, withdrawn_at is not null as withdrawn from feedback_mark where decision_id = $1',
        [decision.slice(4)],
      )
    ).rows[0] as { at: Date; withdrawn: boolean } | undefined
  let event = await report(site, decision, 'unknown')
  expect(await mark()).toBeUndefined()
  event = await report(site, decision, 'confirmed_abuse', event)
  const first = await mark()
  event = await report(site, decision, 'confirmed_abuse', event)
  expect(await mark()).toEqual(first)
  event = await report(site, decision, 'unknown', event)
  expect(await mark()).toEqual({ at: first?.at, withdrawn: true })
  await report(site, decision, 'confirmed_abuse', event)
  expect((await mark())?.at.getTime()).toBeGreaterThan(first?.at.getTime() ?? Infinity)
  expect((await mark())?.withdrawn).toBe(false)
})

test('reports of one tenant have no effect on the visitors of another', async () => {
  const [site, other] = [await makeSite(app.ctx, { policy }), await makeSite(app.ctx, { policy })]
  const sibling = await makeSite(app.ctx, { policy, tenantId: site.tenantId })
  await report(site, await decide(site, '203.0.113.30'), 'confirmed_abuse')
  await expect.poll(() => raised(sibling, '203.0.113.30')).toBe(1)
  expect(await raised(other, '203.0.113.30', { subject })).toBe(0)
})

test('marks are read by another process and after a restart, and by no statement of a challenge', async () => {
  const site = await makeSite(app.ctx, { policy })
  await report(site, await decide(site, '203.0.113.40'), 'confirmed_abuse')
  const second = await openService(app.ctx.config, { kind: 'service', label: 'second' }, app.ctx.log)
  onTestFinished(() => second.close())
  const { refresh, stop } = await followMarks(second.ctx)
  onTestFinished(stop)
  const visitor = { address: new ClientAddress('203.0.113.40') }
  const ctx = { ...second.ctx, site: { tenantId: site.tenantId }, visitor } as unknown as Parameters<
    typeof feedbackDoublings
  >[0]
  const statements = vi.spyOn(second.ctx.hotPool, 'query')
  expect(feedbackDoublings(ctx, subject, ctx.clock.now())).toBe(2)
  expect(statements).not.toHaveBeenCalled()
  // without the message
  await app.sql.query('update feedback_mark set withdrawn_at = now(), changed_at = now() where tenant_id = $1', [
    site.tenantId,
  ])
  await refresh()
  expect(feedbackDoublings(ctx, subject, ctx.clock.now())).toBe(0)
})

test('more marks than a page are all read, those that changed at the same moment too', async () => {
  const site = await makeSite(app.ctx)
  await app.sql.query(
    `insert into feedback_mark (decision_id, tenant_id, network)
     select gen_random_uuid(), $1, int8send(n) from generate_series(1, 5003) n`,
    [site.tenantId],
  )
  let read = 0
  await readMarks(app.ctx.hotPool, 0, ({ tenantId }) => {
    if (tenantId === site.tenantId) read++
  })
  expect(read).toBe(5003)
})

test('networks, areas and subjects of decisions and marks are deleted together', async () => {
  const site = await makeSite(app.ctx, { policy })
  const [old, young] = [await decide(site, '203.0.113.50'), await decide(site, '203.0.113.50')]
  for (const decision of [old, young]) await report(site, decision, 'confirmed_abuse')
  const [from, to] = [old.slice(4), '01900000-0000-7000-8000-000000000000']
  await app.sql.query("update decision set id = $2, redeemed_at = '2023-11-14' where id = $1", [from, to])
  await app.sql.query('update feedback_mark set decision_id = $2 where decision_id = $1', [from, to])
  expect(await deleteExpiredNetworks(app.ctx)).toBe(1)
  const { rows } = await app.sql.query(
    `select network is null and area is null and subject is null as deleted, length(area) as area, length(subject) as subject
     from decision where site_id = $1 order by id`,
    [site.siteId],
  )
  expect(rows).toEqual([
    { deleted: true, area: null, subject: null },
    { deleted: false, area: 8, subject: 8 },
  ])
  const marks = await app.sql.query('select decision_id::text as id from feedback_mark where tenant_id = $1', [
    site.tenantId,
  ])
  expect(marks.rows.map(({ id }: { id: string }) => id.replaceAll('-', ''))).toEqual([young.slice(4)])
})
