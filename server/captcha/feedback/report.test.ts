import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { makeSite } from '../../../test/support/make.ts'
import { testApp, testSite } from '../../../test/support/testApp.ts'

const app = testApp()
const site = testSite(app)
let decision: string
let redeemedAt: number
beforeEach(async () => {
  const earned = await app.client.earn(site)
  decision = String((await app.client.siteverify(site, earned)).body['decision_id'])
  const { rows } = await app.sql.query<{ at: string }>(
    'select floor(extract(epoch from redeemed_at))::bigint as at from decision where id = $1',
    [earned['intent_id']],
  )
  redeemedAt = Number(rows[0]?.at)
})

const report = (fields: Record<string, unknown> = {}, keys = site) =>
  app.client.asSite('/feedback', keys, {
    decision_id: decision,
    event_id: randomUUID(),
    outcome: 'confirmed_abuse',
    business_type: 'order',
    occurred_at: redeemedAt,
    ...fields,
  })

/** The latest event of the decision, as a reply names it. */
const named = ({ headers }: { headers: Headers }) => headers.get('tollgate-latest-event')

const age = (days: number) =>
  app.sql.query('update decision set redeemed_at = redeemed_at - make_interval(secs => $2) where id = $1', [
    decision.slice(4),
    days * 86_400,
  ])

test('accepts a report as revision 1 and gives the same answer to a repetition', async () => {
  const event_id = randomUUID()
  const first = await report({ event_id })
  expect(first.text).toBe(
    `{"accepted":true,"event_id":"${event_id}","revision":1,"expires_at":${redeemedAt + 604_800}}`,
  )
  const again = await report({ event_id: event_id.toUpperCase() })
  expect(again.text).toBe(first.text)
  expect([named(first), named(again)]).toEqual([event_id, event_id])
})

test('each correction names the latest event and adds a revision; the answer to a refused one names it, too', async () => {
  const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()]
  const first = await report({ supersedes_event_id: one })
  expect([first.body, named(first)]).toEqual([{ error: 'supersede-stale' }, null])
  await report({ event_id: one })
  const second = await report({ event_id: two, supersedes_event_id: one, outcome: 'legitimate' })
  expect([second.body['revision'], named(second)]).toEqual([2, two])
  for (const [fields, error] of [
    [{}, 'supersede-required'],
    [{ supersedes_event_id: one }, 'supersede-stale'],
    [{ supersedes_event_id: randomUUID() }, 'supersede-stale'],
  ] as const) {
    const refused = await report(fields)
    expect([refused.status, refused.body, named(refused)]).toEqual([409, { error }, two])
  }
  const third = await report({ event_id: three, supersedes_event_id: two })
  expect([third.body['revision'], named(third)]).toEqual([3, three])
})

test('a repetition of an event that was superseded gets its answer again, with the latest event', async () => {
  const [one, two] = [randomUUID(), randomUUID()]
  const first = await report({ event_id: one })
  await report({ event_id: two, supersedes_event_id: one })
  const again = await report({ event_id: one })
  expect([again.status, again.text, named(again)]).toEqual([200, first.text, two])
})

test.each([
  ['outcome', { outcome: 'unknown' }],
  ['business type', { business_type: 'refund' }],
  ['predecessor', { supersedes_event_id: '01890000-0000-7000-8000-000000000000' }],
])('an event used again with another %s conflicts', async (_what, changed) => {
  const event_id = randomUUID()
  await report({ event_id })
  const reply = await report({ event_id, ...changed })
  expect([reply.status, reply.body, named(reply)]).toEqual([409, { error: 'event-conflict' }, null])
})

test('closes feedback 7 days after the redemption and still answers a repetition', async () => {
  const event_id = randomUUID()
  await report({ event_id })
  await age(7.001)
  redeemedAt -= Math.floor(7.001 * 86_400)
  const late = await report({ supersedes_event_id: event_id, occurred_at: redeemedAt + 10 })
  expect([late.status, late.body]).toEqual([409, { error: 'feedback-closed' }])
  expect((await report({ event_id, occurred_at: redeemedAt + Math.floor(7.001 * 86_400) })).status).toBe(200)
})

test('refuses an occurred_at before the redemption or in the future', async () => {
  for (const occurred_at of [redeemedAt - 1, redeemedAt + 3600]) {
    expect((await report({ occurred_at })).body).toEqual({ error: 'bad-request', field: 'occurred_at' })
  }
})

test("refuses feedback on another site's decision", async () => {
  const stranger = await makeSite(app.ctx)
  const sister = await makeSite(app.ctx, { tenantId: site.tenantId })
  const event_id = randomUUID()
  await report({ event_id })
  for (const keys of [stranger, sister]) {
    for (const fields of [{}, { event_id }, { supersedes_event_id: randomUUID() }]) {
      const reply = await report(fields, keys)
      expect([reply.body, named(reply)]).toEqual([{ error: 'bad-request', field: 'decision_id' }, null])
    }
  }
})

test('accepts one of ten concurrent corrections of one event and refuses nine as stale, naming the accepted one', async () => {
  for (let round = 0; round < 5; round++) {
    const first = randomUUID()
    await report({ event_id: first, ...(round > 0 ? { supersedes_event_id: await latest() } : {}) })
    const replies = await Promise.all(Array.from({ length: 10 }, () => report({ supersedes_event_id: first })))
    const [winner, ...more] = replies.filter((reply) => reply.status === 200)
    expect(more).toEqual([])
    expect(replies.filter((reply) => reply.body['error'] === 'supersede-stale')).toHaveLength(9)
    expect(new Set(replies.map(named))).toEqual(new Set([winner?.body['event_id']]))
  }
})

test('stores one event for ten identical concurrent reports', async () => {
  const event_id = randomUUID()
  const replies = await Promise.all(Array.from({ length: 10 }, () => report({ event_id })))
  expect(new Set(replies.map((reply) => JSON.stringify([reply.status, reply.body['revision']])))).toEqual(
    new Set(['[200,1]']),
  )
})

test('feedback changes neither the decision nor the charge', async () => {
  const before = (await app.sql.query('select * from decision where id = $1', [decision.slice(4)])).rows
  await report()
  expect((await app.sql.query('select * from decision where id = $1', [decision.slice(4)])).rows).toEqual(before)
})

test('accepts 20 revisions per decision, also when concurrent, and still answers repetitions', async () => {
  let last = await report()
  for (let revision = 2; revision <= 19; revision++) {
    last = await report({ supersedes_event_id: last.body['event_id'] })
    expect(last.body['revision']).toBe(revision)
  }
  const event_id = randomUUID()
  const twentieth = { event_id, supersedes_event_id: last.body['event_id'] }
  const answer = await report(twentieth)
  expect(answer.body['revision']).toBe(20)
  const more = () => report({ supersedes_event_id: event_id })
  for (const reply of await Promise.all([more(), more(), more()]))
    expect([reply.status, reply.body]).toEqual([409, { error: 'feedback-closed' }])
  expect((await report(twentieth)).text).toBe(answer.text)
})

async function latest(): Promise<string> {
  const { rows } = await app.sql.query<{ id: string }>(
    'select event_id as id from feedback_event where decision_id = $1 order by revision desc limit 1',
    [decision.slice(4)],
  )
  return rows[0]?.id ?? ''
}

test('an event that is sent several times at once gets one answer, also while it is corrected', async () => {
  const refused: string[] = []
  for (let race = 0; race < 100; race++) {
    const decision_id = await app.client.decide(site)
    const [first, correction] = [randomUUID(), randomUUID()]
    const at = Math.floor(app.ctx.clock.now() / 1000)
    const send = (fields: Record<string, unknown>) => report({ decision_id, occurred_at: at, ...fields })
    const twins = Array.from({ length: 6 }, () => send({ event_id: first }))
    const corrected = Promise.race(twins).then(() => send({ event_id: correction, supersedes_event_id: first }))
    for (const { text } of await Promise.all(twins)) if (!text.includes('"revision":1,')) refused.push(text)
    await corrected
    const corrections = Array.from({ length: 6 }, () => send({ event_id: correction, supersedes_event_id: first }))
    for (const { text } of await Promise.all(corrections)) if (!text.includes('"revision":2,')) refused.push(text)
  }
  expect(refused).toEqual([])
})
