import { expect, onTestFinished, test } from 'vitest'
import { openOwnApp } from '../../../test/support/app.ts'
import { makeSite } from '../../../test/support/make.ts'
import { holdSnapshot, readsOf } from '../../../test/support/tableReads.ts'
import { deleteExpiredHours } from './deleteExpiredHours.ts'

const HOURS = 500
const EXPIRED = 100_000

test('hours of any number are deleted by statements that read what they delete, and the days and newer hours stay', async () => {
  const app = await openOwnApp()
  const { tenantId, siteId } = await makeSite(app.ctx)
  // most of one site, the rest of a site that was deleted and of one without an id
  const sites = [siteId, crypto.randomUUID(), '00000000-0000-0000-0000-000000000000']
  const fill = (count: number, from: string) =>
    app.sql.query(
      `insert into usage_hour (tenant_id, site_id, hour, measure, label, n)
       select $1, ($2::uuid[])[case when n % 10 < 8 then 1 when n % 10 = 8 then 2 else 3 end],
         date_trunc('hour', now()) - $4::interval - make_interval(hours => n % ${HOURS}), 'work', n::text, 1
       from generate_series(1, $3::int) n`,
      [tenantId, sites, count, from],
    )
  await fill(EXPIRED, '17 days')
  await fill(300, '1 hour')
  await app.sql.query(`insert into usage_day select tenant_id, site_id, hour::date, measure, label, n from usage_hour`)
  await app.sql.query('analyze usage_hour')
  onTestFinished(await holdSnapshot(app))

  const kept = (await app.sql.query("select 1 from usage_hour where hour > now() - interval '16 days'")).rowCount
  expect(await deleteExpiredHours(app.ctx)).toBe(EXPIRED + 300 - (kept ?? 0))
  expect((await app.sql.query('select 1 from usage_hour')).rowCount).toBe(kept)
  expect((await app.sql.query('select 1 from usage_day')).rowCount).toBe(EXPIRED + 300)
  expect(await deleteExpiredHours(app.ctx)).toBe(0)

  // each once or a few times: when every statement began at the oldest again, it was 21 million
  expect(await readsOf(app, 'usage_hour', EXPIRED)).toBeLessThan(5 * EXPIRED)
})
