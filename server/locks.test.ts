import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import type { Reply } from '../test/support/client.ts'
import { type MadeSite } from '../test/support/make.ts'
import { testApp, testSite } from '../test/support/testApp.ts'

const app = testApp()
const blocked = testSite(app)
const other = testSite(app)
let holder: pg.PoolClient
afterEach(async () => {
  await holder.query('rollback')
  holder.release()
})

const session = 'a'.repeat(64)

/** Begins the transaction of somebody else that keeps the locks of its statement. */
async function lock(sql: string, values: unknown[]): Promise<void> {
  holder = await app.sql.connect()
  await holder.query('begin')
  await holder.query(sql, values)
}

const earnMany = (site: MadeSite, count: number) =>
  Promise.all(Array.from({ length: count }, () => app.client.earn(site, { session })))

async function redeemMany(site: MadeSite, count: number): Promise<string[]> {
  const earned = await earnMany(site, count)
  const replies = await Promise.all(earned.map((values) => app.client.siteverify(site, values)))
  return replies.map(({ body }) => String(body['decision_id']))
}

/** Sends all calls at the same time, and then again, because the first batch may have had one tenant only. */
async function send(
  calls: { of: MadeSite; call: () => Promise<Reply> }[],
): Promise<{ blocked: number[]; other: number[] }> {
  const statuses = { blocked: new Set<number>(), other: new Set<number>() }
  for (let round = 0; round < 3; round++)
    await Promise.all(
      calls.map(async ({ of, call }) => statuses[of === blocked ? 'blocked' : 'other'].add((await call()).status)),
    )
  return { blocked: [...statuses.blocked], other: [...statuses.other] }
}

/** The calls of both tenants in turn, four of the blocked one for each of the other. */
const mixed = (calls: { of: MadeSite; call: () => Promise<Reply> }[]) =>
  calls
    .map((call, i) => ({ call, at: call.of === blocked ? i : i * 4 }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ call }) => call)

test('redemptions of one tenant whose quota is locked fail alone, and are charged once afterwards', async () => {
  const mine = await earnMany(blocked, 40)
  const theirs = await earnMany(other, 40)
  await lock('select from quota_period where tenant_id = $1 for update', [blocked.tenantId])
  const verify = (of: MadeSite) => (values: Record<string, string>) => ({
    of,
    call: () => app.client.siteverify(of, values),
  })
  const calls = mixed([...mine.map(verify(blocked)), ...theirs.map(verify(other))])
  expect(await send(calls)).toEqual({ blocked: [503], other: [200] })
  await holder.query('rollback')
  expect(await send(calls)).toEqual({ blocked: [200], other: [200] })
  const rows = await app.rows('select used::int as used from quota_period where tenant_id = any($1) order by 1', [
    [blocked.tenantId, other.tenantId],
  ])
  expect(rows).toEqual([{ used: 40 }, { used: 40 }])
})

test('intents of one tenant whose grant is locked fail alone', async () => {
  const grants = await Promise.all(
    [blocked, other].map(async (site) => {
      const [decision_id] = await redeemMany(site, 1)
      const { body } = await app.client.asSite('/grants', site, { decision_id, session, uses: 10 })
      return String(body['grant_id'])
    }),
  )
  await lock('select from captcha_grant where id = $1 for update', [grants[0]])
  const open = (of: MadeSite, trusted_grant_id?: string) => ({
    of,
    call: () => app.client.intent(of, { session, ...(trusted_grant_id && { trusted_grant_id }) }),
  })
  const calls = Array.from({ length: 20 }, () => [open(blocked, grants[0]), open(other)]).flat()
  expect(await send(calls)).toEqual({ blocked: [503], other: [200] })
})

test('feedback of one tenant that waits for a lock leaves connections for the others', async () => {
  const decisions = await redeemMany(blocked, 60)
  const theirs = await redeemMany(other, 20)
  await lock(
    `insert into feedback_event (site_id, event_id, tenant_id, decision_id, revision, outcome, business_type, occurred_at)
     select $1::uuid, gen_random_uuid(), $2::uuid, id::uuid, 1, 'unknown', 'order', now() from unnest($3::text[]) id`,
    [blocked.siteId, blocked.tenantId, decisions.map((id) => id.slice('dec_'.length))],
  )
  const occurred_at = Math.floor(Date.now() / 1000)
  const report = (of: MadeSite) => (decision_id: string) => {
    const event = { decision_id, event_id: randomUUID(), occurred_at }
    return { of, call: () => app.client.feedback(of, event) }
  }
  const calls = [...decisions.map(report(blocked)), ...theirs.map(report(other))]
  expect(await send(calls)).toEqual({ blocked: [503], other: [200] })
})
