import { expect, test } from 'vitest'
import { openTestApp } from '../../test/support/app.ts'
import type { SignedIn } from '../../test/support/browser.ts'
import { makeDecisions } from '../../test/support/decisions.ts'
import { type Listening, listen } from '../../test/support/listen.ts'
import { makeSite } from '../../test/support/make.ts'
import { makeMember, makeTenant } from '../../test/support/tenant.ts'
import { setUp, testApp } from '../../test/support/testApp.ts'
import { packReasons, unpackReasons } from '../captcha/challenges/difficulty/reasons.ts'

const app = testApp()
const tenant = setUp(() => makeTenant(app))
const site = setUp(() => makeSite(app.ctx, { tenantId: tenant.id }))
const person = setUp(() => makeMember(app, tenant, 'viewer'))

const tail = (who: SignedIn = person, lastEventId?: string) =>
  listen(app, who, 'decisions.tail', { tenant: tenant.slug }, lastEventId)

/** The decisions received until all of `ids` have arrived, in order. */
async function receive(listening: Listening, ids: readonly string[]): Promise<{ received: string[]; at: string }> {
  const received: string[] = []
  for (;;) {
    const event = await listening.next()
    if (!event) throw new Error(`the stream ended after ${received.length} rows`)
    const { rows } = event.data as { rows: { id: string }[] }
    received.push(...rows.map(({ id }) => id))
    if (ids.every((id) => received.includes(id))) return { received, at: event.id }
  }
}

test('a subscriber receives each decision once', async () => {
  const listening = await tail()
  await receive(listening, [])
  const first = await makeDecisions(app, site, [{}, {}])
  expect((await receive(listening, first)).received.toSorted()).toEqual(first.toSorted())
  const second = await makeDecisions(app, site, [{}])
  expect((await receive(listening, second)).received).toEqual(second)
  listening.close()
})

test('a subscriber who reconnects to another server receives the decisions made meanwhile', async () => {
  const listening = await tail()
  const before = await makeDecisions(app, site, [{ ago: 1 }])
  const { at } = await receive(listening, before)
  listening.close()
  const meanwhile = await makeDecisions(app, site, [{}, {}])
  const again = await tail(person, at)
  expect((await receive(again, meanwhile)).received).toEqual(expect.arrayContaining(meanwhile))
  again.close()
})

test('a closing server ends the stream so that the subscriber reconnects', async () => {
  const other = await openTestApp()
  const theirs = await makeTenant(other)
  const visitor = await makeMember(other, theirs, 'viewer')
  const listening = await listen(other, visitor, 'decisions.tail', { tenant: theirs.slug })
  expect((await listening.next())?.event).toBe('message')
  const closed = other.close()
  expect(await listening.next()).toMatchObject({
    event: 'serialized-error',
    data: { data: { code: 'SERVICE_UNAVAILABLE' } },
  })
  expect(await listening.next()).toBeUndefined()
  await closed
})

test.each([
  ['session', 'delete from session where user_id = $1', 'UNAUTHORIZED'],
  ['membership', 'delete from member where user_id = $1', 'NOT_FOUND'],
])('the stream ends with the %s of who listens', async (_, statement, code) => {
  const leaving = await makeMember(app, tenant, 'developer')
  const listening = await tail(leaving)
  await receive(listening, [])
  await app.sql.query(statement, [leaving.userId])
  let last = await listening.next()
  while (last?.event === 'message') last = await listening.next()
  expect(last).toMatchObject({ event: 'serialized-error', data: { data: { code } } })
})

test('allows five streams per person, and another one when one ends', async () => {
  const eager = await makeMember(app, tenant, 'viewer')
  const five = await Promise.all([1, 2, 3, 4, 5].map(() => tail(eager)))
  for (const listening of five) await receive(listening, [])
  const refused = await (await tail(eager)).next()
  expect(refused).toMatchObject({ data: { data: { code: 'TOO_MANY_REQUESTS' } } })
  five[0]?.close()
  const again = async () => {
    const sixth = await tail(eager)
    const first = await sixth.next()
    sixth.close()
    return first?.event
  }
  await expect.poll(again, { timeout: 10_000 }).toBe('message')
  for (const listening of five) listening.close()
})

test('returns a decision with the reasons for its difficulty', async () => {
  const [id = ''] = await makeDecisions(app, site, [{ workReasons: 1 | (2 << 2) }])
  const { data } = await person.query('decisions.get', { tenant: tenant.slug, id: `dec_${id.replaceAll('-', '')}` })
  expect(data).toMatchObject({
    intent: { id, kept: false },
    decision: { challenge: { reasons: { network: 1, subject: 2, site: 0, mode: 'adaptive' } } },
  })
})

test('filters decisions by the reason for a higher difficulty', async () => {
  const raised = await makeSite(app.ctx, { tenantId: tenant.id })
  const [network, subject, hinted] = await makeDecisions(app, raised, [
    { workReasons: 1 },
    { workReasons: 3 << 2 },
    { workReasons: packReasons({ ...unpackReasons(0), hints: ['idle'], list: 'dear' }) },
    { workReasons: packReasons({ ...unpackReasons(0), noticed: ['speed'], list: 'allow', kind: 'pow-hashwx' }) },
    {},
  ])
  const ask = async (by: string) => {
    const input = { tenant: tenant.slug, site: raised.siteId, raised: by }
    const { data } = await person.query('decisions.list', input)
    return (data as { rows: { id: string }[] }).rows.map(({ id }) => id)
  }
  expect(await ask('network')).toEqual([network])
  expect(await ask('subject')).toEqual([subject])
  expect(await ask('site')).toEqual([])
  expect(await ask('hints')).toEqual([hinted])
  expect(await ask('list')).toEqual([hinted])
  expect(await ask('feedback')).toEqual([])
  expect((await ask('any')).toSorted()).toEqual([network, subject, hinted].toSorted())
})
