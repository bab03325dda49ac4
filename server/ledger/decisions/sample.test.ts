import { expect, test } from 'vitest'
import { makeDecisions } from '../../../test/support/decisions.ts'
import { makeSite } from '../../../test/support/make.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { sampleDecisions } from './sample.ts'

const app = testApp()

const made = async () => {
  const site = await makeSite(app.ctx)
  return { ...site, id: site.siteId }
}
/** Seconds since the beginning of an hour `hours` ago. */
const hourAgo = (hours: number) => hours * 3600 + ((Date.now() / 1000) % 3600)

test('samples the last week: what was asked, and how long it took', async () => {
  const site = await made()
  await makeDecisions(app, site, [
    { ago: 60, action: 'sign-up_1', solveMs: 2500, work: 4096n, workReasons: 7, mobile: true },
    { ago: 8 * 86_400 },
  ])
  await makeDecisions(app, await made(), [{ ago: 60 }])
  expect(await sampleDecisions(app.ctx, site)).toEqual([
    { action: 'sign-up_1', challenge: { mobile: true, ms: 2500, work: 4096, reasons: 7 }, weight: 1 },
  ])
})

test('a skipped challenge is in the sample without one', async () => {
  const site = await made()
  await makeDecisions(app, site, [{ ago: 60, solveMs: null }])
  expect(await sampleDecisions(app.ctx, site)).toEqual([{ action: 'checkout', challenge: null, weight: 1 }])
})

test('of a busy hour a bounded number stands for all, by the count of the hour', async () => {
  const site = await made()
  const at = hourAgo(5)
  await makeDecisions(
    app,
    site,
    Array.from({ length: 100 }, (_, n) => ({ ago: at - (n < 90 ? 10 : 1000) - n / 1000 })),
  )
  await makeDecisions(app, site, [{ ago: hourAgo(9) - 5 }])
  await app.sql.query(
    `insert into usage_hour (tenant_id, site_id, hour, measure, label, n)
     values ($1, $2, date_trunc('hour', now() - interval '5 hours'), 'redeemed', 'quota', 70),
       ($1, $2, date_trunc('hour', now() - interval '5 hours'), 'redeemed', 'balance', 30)`,
    [site.tenantId, site.id],
  )
  const sample = await sampleDecisions(app.ctx, site)
  expect(sample.map(({ weight }) => weight).toSorted((a, b) => a - b)).toEqual([1, ...Array<number>(16).fill(100 / 16)])
})

test('since a time, nothing earlier is in the sample', async () => {
  const site = await made()
  await makeDecisions(app, site, [{ ago: 30, action: 'later' }, { ago: 90 }])
  const sample = await sampleDecisions(app.ctx, site, Date.now() / 1000 - 60)
  expect(sample.map(({ action }) => action)).toEqual(['later'])
})
