import { beforeAll, expect, test } from 'vitest'
import { testApp, testSite } from '../../test/support/testApp.ts'

const app = testApp()
const site = testSite(app)
beforeAll(async () => {
  await app.client.siteverify(site, await app.client.earn(site))
  await app.sql.query(
    `insert into captcha_grant (id, tenant_id, site_id, decision_id, uses, ttl_asked, uses_asked, expires_at)
     values (gen_random_uuid(), $1, $2, gen_random_uuid(), 2, 60, 2, now())`,
    [site.tenantId, site.siteId],
  )
})

test.each([
  ['tenant', 'monthly_quota = -1', 'id'],
  ['quota_period', 'used = -1', 'tenant_id'],
  ['quota_period', 'included = -1', 'tenant_id'],
  ['balance', 'units = -1', 'tenant_id'],
  ['decision', 'work = -1', 'tenant_id'],
  ['captcha_grant', 'used = -1', 'tenant_id'],
  ['captcha_grant', 'used = uses + 1', 'tenant_id'],
  ['site', 'rate_per_second = -1', 'tenant_id'],
  ['usage_alert', 'percent = -1', 'tenant_id'],
])('%s: the database refuses %s', async (table, change, key) => {
  const values = [site.tenantId]
  expect((await app.sql.query(`select 1 from ${table} where ${key} = $1`, values)).rowCount).toBeGreaterThan(0)
  await expect(app.sql.query(`update ${table} set ${change} where ${key} = $1`, values)).rejects.toMatchObject({
    code: '23514',
  })
})

test('the database refuses a change to a negative quota', async () => {
  await expect(
    app.sql.query(
      `insert into quota_change (id, tenant_id, units_before, units_after, actor_type, actor_id)
       values (gen_random_uuid(), $1, 0, -1, 'operator', 'x')`,
      [site.tenantId],
    ),
  ).rejects.toMatchObject({ code: '23514' })
})
