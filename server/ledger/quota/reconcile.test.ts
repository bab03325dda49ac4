import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/support/app.ts'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { reconcile } from './reconcile.ts'

let app: TestApp
let site: MadeSite
beforeEach(async () => {
  app = await openTestApp()
  site = await makeSite(app.ctx, { quota: 2, balance: 10 })
  for (let i = 0; i < 4; i++) await redeem()
})
afterEach(() => app.close())

async function redeem(): Promise<string> {
  const earned = await app.client.earn(site)
  expect((await app.client.siteverify(site, earned)).status).toBe(200)
  return String(earned['intent_id'])
}

/** Moves the four redemptions to an earlier month, and lets a comparison count them. */
async function settle(): Promise<void> {
  await app.sql.query("update decision set redeemed_at = now() - interval '40 days'")
  await app.sql.query(
    "update quota_period set month = date_trunc('month', (now() - interval '40 days') at time zone 'utc')",
  )
  expect(await reconcile(app.ctx)).toMatchObject({ decisions: 4, mismatches: [] })
}
const kinds = async (full: boolean) => (await reconcile(app.ctx, { full })).mismatches.map(({ kind }) => kind)

test('a comparison reads only what is newer than the last one, and counts the same', async () => {
  await settle()
  await redeem()
  const rows = await app.rows<{ until: Date; counts: { charged_to: string; n: number }[] }>(
    'select until, counts from reconciliation_checkpoint where tenant_id = $1',
    [site.tenantId],
  )
  expect(rows[0]?.counts).toMatchObject([
    { charged_to: 'quota', n: 2 },
    { charged_to: 'balance', n: 2 },
  ])
  expect(await reconcile(app.ctx)).toMatchObject({ decisions: 5, mismatches: [] })
  // what the last one counted is not read again: one more there and in the charges is only seen when all are counted
  await app.sql.query(
    "update reconciliation_checkpoint set counts = jsonb_set(counts, '{0,n}', '3') where tenant_id = $1",
    [site.tenantId],
  )
  await app.sql.query('update quota_period set used = used + 1 where tenant_id = $1 and month < utc_month()', [
    site.tenantId,
  ])
  expect(await kinds(false)).toEqual([])
  expect(await kinds(true)).toEqual(['quota'])
})

test.each([
  ['quota', 'update quota_period set used = used - 1 where tenant_id = $1'],
  ['balance', 'update balance set units = units + 1 where tenant_id = $1'],
])(
  'a charge to the %s that is undone after a comparison is found by the next one, and by one of all decisions',
  async (kind, skip) => {
    await settle()
    await app.sql.query(skip, [site.tenantId])
    expect(await kinds(false)).toEqual([kind])
    // it stays found
    expect(await kinds(false)).toEqual([kind])
    expect(await kinds(true)).toEqual([kind])
  },
)

test.each([
  ['quota', 'quota'],
  ['balance', 'balance'],
])('a new decision without its charge to the %s is found by both', async (kind, charged) => {
  await settle()
  await app.sql.query(
    `insert into decision (id, tenant_id, site_id, action, hostname, token_hash, key_hash, charged_to)
     select gen_random_uuid(), tenant_id, site_id, action, hostname, token_hash, key_hash, $2::charged_to
     from decision where tenant_id = $1 limit 1`,
    [site.tenantId, charged],
  )
  expect(await kinds(false)).toEqual([kind])
  expect(await kinds(true)).toEqual([kind])
})

test('an old decision that was deleted or inserted is found when all are counted', async () => {
  await settle()
  await app.sql.query(
    "delete from decision where id = (select id from decision where tenant_id = $1 and charged_to = 'quota' limit 1)",
    [site.tenantId],
  )
  expect(await kinds(false)).toEqual([])
  expect(await kinds(true)).toEqual(['quota'])
  // once it was found, the next comparison counts all again
  expect(await kinds(false)).toEqual(['quota'])
})

test.each([1, 2, 3])('%i decisions per statement are counted like all at once', async (page) => {
  await settle()
  await redeem()
  for (const full of [true, false]) expect(await reconcile(app.ctx, { full, page })).toMatchObject({ decisions: 5 })
  await app.sql.query(
    "update decision set redeemed_at = now() - interval '2 hours' where redeemed_at > now() - interval '1 day'",
  )
  for (const full of [false, true])
    expect(await reconcile(app.ctx, { full, page })).toMatchObject({ decisions: 5, mismatches: [] })
  await app.sql.query('update quota_period set used = used + 1 where month < utc_month()')
  expect((await reconcile(app.ctx, { full: true, page })).mismatches).toMatchObject([
    { kind: 'quota', charged: '3', expected: '2' },
  ])
})

test('a checkpoint that is wrong causes no alarm', async () => {
  await settle()
  await app.sql.query("update reconciliation_checkpoint set counts = '[]' where tenant_id = $1", [site.tenantId])
  expect(await kinds(false)).toEqual([])
  await app.sql.query("update reconciliation_checkpoint set until = now() + interval '1 day'")
  await redeem()
  expect(await kinds(false)).toEqual([])
})
