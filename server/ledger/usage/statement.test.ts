import { expect, test } from 'vitest'
import { makeSite } from '../../../test/support/make.ts'
import { makeOwnedTenant } from '../../../test/support/tenant.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { written } from '../../../test/support/written.ts'
import { reconcile } from '../quota/reconcile.ts'
import { topUp } from '../quota/topUp.ts'
import { meter } from './meter.ts'
import { listMonths } from './months.ts'
import { statement } from './statement.ts'

const app = testApp()

const month = async (ago: number) =>
  (
    await app.rows<{ month: string }>('select (utc_month() - make_interval(months => $1))::date::text as month', [ago])
  )[0]?.month ?? ''

/** A tenant with decisions at two sites in the last month, and right or wrong counts of them. */
async function monthBefore(counted: 'right' | 'wrong') {
  const [one, last] = [await makeSite(app.ctx), await month(1)]
  const two = await makeSite(app.ctx, { tenantId: one.tenantId })
  await app.sql.query("update tenant set created_at = created_at - interval '70 days' where id = $1", [one.tenantId])
  const decide = (siteId: string, day: number, count: number, paid: string) =>
    app.sql.query(
      `insert into decision (id, tenant_id, site_id, action, hostname, token_hash, key_hash, redeemed_at, charged_to)
       select gen_random_uuid(), $1, $2, 'a', 'shop.example', '\\x00', '\\x00',
         ($3::date + $4::int) at time zone 'utc' + interval '12 hours',
         $6::charged_to
       from generate_series(1, $5)`,
      [one.tenantId, siteId, last, day, count, paid],
    )
  await decide(one.siteId, 0, 3, 'quota')
  await decide(two.siteId, 0, 4, 'quota')
  await decide(two.siteId, 20, 2, 'balance')
  await app.sql.query('insert into quota_period (tenant_id, month, included, used) values ($1, $2, 7, 7)', [
    one.tenantId,
    last,
  ])
  await app.sql.query(
    `insert into usage_day select tenant_id, site_id, (redeemed_at at time zone 'utc')::date, 'redeemed', charged_to::text, count(*) + $2
     from decision where tenant_id = $1 group by 1, 2, 3, 5`,
    [one.tenantId, counted === 'right' ? 0 : 1],
  )
  return { one, two, last }
}

test.each(['right', 'wrong'] as const)(
  'lists exactly the decisions of a completed month by day and site if the counts are %s',
  async (counted) => {
    const { one, two, last } = await monthBefore(counted)
    const found = await statement(app.ctx, { id: one.tenantId }, last)
    expect(found).toMatchObject({ month: last, over: true, included: 7, quota: 7, balance: 2 })
    const line = (site: { siteId: string }, day: string, paid: object) => ({
      day,
      site: site.siteId,
      name: 'Test',
      quota: 0,
      balance: 0,
      ...paid,
    })
    const day = last.replace(/01$/, '21')
    expect(found?.lines.toSorted((a, b) => a.quota - b.quota)).toEqual([
      line(two, day, { balance: 2 }),
      line(one, last, { quota: 3 }),
      line(two, last, { quota: 4 }),
    ])
  },
)

test('the closing balance of a month is the opening one of the next, whatever has been compared and archived', async () => {
  const { one, two, last } = await monthBefore('wrong')
  const id = one.tenantId
  const add = (units: number, reason: string, undoes?: string) =>
    topUp(app.ctx, {
      tenantId: id,
      units,
      reason,
      actor: { type: 'operator', id: 'test' },
      ...(undoes !== undefined && { undoes }),
    })
  const before = await month(2)
  const added = await add(10, 'Invoice 12')
  const undone = await add(-10, 'Undo of: Invoice 12', added.id)
  await add(100, 'Invoice 13')
  const move = (entry: string | null, to: string) =>
    app.sql.query(
      `update balance_entry set created_at = $2::date at time zone 'utc' + interval '5 days' where tenant_id = $1 and ($3::uuid is null or id = $3)`,
      [id, to, entry],
    )
  await move(null, before)
  await move(undone.id, last)
  await app.sql.query('update balance set units = units - 2 where tenant_id = $1', [id])

  const read = async () => {
    const [first, second, third] = await Promise.all(
      [before, last, await month(0)].map((month) => statement(app.ctx, { id }, month)),
    )
    return { first, second, third }
  }
  const check = async () => {
    const { first, second, third } = await read()
    expect(first).toMatchObject({ opening: 0, balance: 0, closing: 110 })
    expect(second).toMatchObject({ opening: 110, balance: 2, closing: 98 })
    expect(third).toMatchObject({ opening: 98, balance: 0, closing: 98, entries: [] })
    expect(second?.lines.reduce((sum, line) => sum + line.balance, 0)).toBe(2)
    expect(second?.entries).toEqual([
      {
        id: undone.id,
        units: -10,
        reason: 'Undo of: Invoice 12',
        createdAt: expect.any(Number),
        undoes: first?.entries[0]?.id,
      },
    ])
  }
  await check()
  expect((await reconcile(app.ctx)).mismatches.filter(({ tenant_id }) => tenant_id === id)).toEqual([])
  await check()
  expect(two.tenantId).toBe(id)
})

test('a deleted site keeps its last name', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const site = await makeSite(app.ctx, { tenantId: tenant.id })
  await app.client.siteverify(site, await app.client.earn(site))
  await written(app)
  await owner.mutate('sites.delete', { tenant: tenant.slug, site: site.siteId, confirm: 'Test' })
  const found = await statement(app.ctx, { id: tenant.id }, await month(0))
  expect(found?.lines).toMatchObject([{ site: site.siteId, name: 'Test (deleted)', quota: 1 }])
})

test('includes recent redemptions in the current month', async () => {
  const site = await makeSite(app.ctx)
  for (let i = 0; i < 3; i++) await app.client.siteverify(site, await app.client.earn(site))
  await written(app)
  const found = await statement(app.ctx, { id: site.tenantId }, await month(0))
  expect(found).toMatchObject({ over: false, quota: 3, balance: 0 })
  expect(found?.lines.map(({ quota }) => quota)).toEqual([3])
})

test('gives no statement for a future month or one before the tenant existed', async () => {
  const site = await makeSite(app.ctx)
  expect(await statement(app.ctx, { id: site.tenantId }, await month(-1))).toBeNull()
  expect(await statement(app.ctx, { id: site.tenantId }, await month(1))).toBeNull()
})

test('the forecast includes units charged to the balance and uses complete days only', async () => {
  const site = await makeSite(app.ctx)
  expect((await meter(app.ctx, { id: site.tenantId })).forecast).toBeNull()
  await app.sql.query(
    `insert into usage_day
      select $1, $2, (now() at time zone 'utc')::date - n, 'redeemed',
      case when n % 2 = 0 then 'quota' else 'balance' end, 10
      from generate_series(1, 5) n`,
    [site.tenantId, site.siteId],
  )
  const rows = await app.rows<{ left: number; from_balance: number }>(
    `select (extract(epoch from (utc_month() + interval '1 month') - (now() at time zone 'utc')) / 86400)::float8 as left,
       (select coalesce(sum(n), 0)::float8 from usage_day where site_id = $1 and label = 'balance' and day >= utc_month()) as from_balance`,
    [site.siteId],
  )
  const { left = 0, from_balance = 0 } = rows[0] ?? {}
  const { forecast } = await meter(app.ctx, { id: site.tenantId })
  expect(Math.abs((forecast?.likely ?? 0) - (from_balance + 10 * left))).toBeLessThan(1)
})

test('all months are listed, the newest first, page by page', async () => {
  const { tenantId } = await makeSite(app.ctx)
  await app.sql.query(
    `insert into quota_period (tenant_id, month, included, used)
     select $1, (utc_month() - make_interval(months => n))::date, 10, n from generate_series(1, 30) n`,
    [tenantId],
  )
  const pages = [await listMonths(app.ctx, { id: tenantId }, { limit: 20 })]
  const cursor = pages[0]?.nextCursor ?? undefined
  pages.push(await listMonths(app.ctx, { id: tenantId }, { limit: 20, cursor }))
  expect(pages.flatMap(({ rows }) => rows.map(({ used }) => used))).toEqual(Array.from({ length: 30 }, (_, n) => n + 1))
  expect([cursor, pages[1]?.nextCursor]).toEqual([await month(20), null])
})
