import { expect, test } from 'vitest'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { written } from '../../../test/support/written.ts'
import { WORK_BOUNDS } from '../../contract/sitePolicy.ts'
import type { TenantSites } from '../tenantSites.ts'
import { bucketOf, percentile, valueOf } from './buckets.ts'
import { usageBySite } from './bySite.ts'
import { countUsage, type UsageMeasure } from './count.ts'
import { usageSeries } from './series.ts'

const app = testApp()

const HOUR = 3600
/** Noon of the day before yesterday, in Unix seconds. */
const NOON = (Math.floor(Date.now() / 86_400_000) - 2) * 86_400 + 43_200

const add = (site: MadeSite, hour: number, measure: UsageMeasure, n: number, label = '') =>
  countUsage(
    app.ctx,
    { id: site.siteId, tenantId: site.tenantId },
    { measure, label, n, at: (NOON + hour * HOUR) * 1000 },
  )

test('computes percentiles from the buckets within 5 %', () => {
  const values = Array.from({ length: 2000 }, (_, i) => 10 + ((i * 7919) % 100_003))
  const buckets = new Map<number, number>()
  for (const value of values) buckets.set(bucketOf(value), (buckets.get(bucketOf(value)) ?? 0) + 1)
  const sorted = values.toSorted((a, b) => a - b)
  for (const p of [0.01, 0.5, 0.95, 0.999, 1]) {
    const truth = sorted[Math.ceil(values.length * p) - 1] ?? 0
    expect(Math.abs((percentile(buckets, p) ?? 0) / truth - 1)).toBeLessThan(0.05)
  }
  expect(percentile(new Map(), 0.5)).toBeNull()
})

test('SQL and TypeScript use the same buckets', async () => {
  const values = [0, 1, 1.05, 9.99, 380, 1_048_576, 6_291_456]
  const rows = await app.rows<{ bucket: number }>('select usage_bucket(v) as bucket from unnest($1::float8[]) v', [
    values,
  ])
  expect(rows.map(({ bucket }) => bucket)).toEqual(values.map(bucketOf))
})

test('counts by hour, with the period before', async () => {
  const site = await makeSite(app.ctx)
  for (const [hour, n] of [
    [-3, 4],
    [0, 10],
    [1, 6],
  ] as const)
    add(site, hour, 'intents', n)
  add(site, 0, 'redeemed', 5, 'quota')
  add(site, 0, 'redeemed', 2, 'balance')
  add(site, 0, 'solve_time', 9, `mobile ${bucketOf(4000)}`)
  add(site, 0, 'solve_time', 11, `desktop ${bucketOf(500)}`)
  add(site, 0, 'work', 20, `${bucketOf(2 ** 20)}`)
  add(site, 1, 'refused', 3, '/siteverify binding-mismatch')
  add(site, 0, 'refused', 4, '/intents bad-field hostname')
  add(site, -2, 'refused', 8, '/intents bad-field hostname')
  await written(app)

  const series = await usageSeries(app.ctx, { id: site.tenantId }, { from: NOON + 60, to: NOON + 2 * HOUR - 60 })
  expect(series).toMatchObject({ from: NOON, to: NOON + 2 * HOUR, step: HOUR })
  expect(series.points.map(({ at, intents, redeemed, refused }) => [at, intents, redeemed, refused])).toEqual([
    [NOON, 10, 7, 4],
    [NOON + HOUR, 6, 0, 3],
  ])
  expect(series.totals).toEqual({ intents: 16, challenged: 0, solved: 0, exempted: 0, redeemed: 7, refused: 7 })
  expect(series.before).toMatchObject({ intents: 0, refused: 8 })
  expect(series.refusals).toEqual([
    { endpoint: '/intents', code: 'bad-field', field: 'hostname', n: 4, before: 8 },
    { endpoint: '/siteverify', code: 'binding-mismatch', field: null, n: 3, before: 0 },
  ])
  const near = (seconds: number) => valueOf(bucketOf(seconds * 1000)) / 1000
  expect(series.solveTime).toEqual({
    all: { n: 20, p50: near(0.5), p95: near(4) },
    desktop: { n: 11, p50: near(0.5), p95: near(0.5) },
    mobile: { n: 9, p50: near(4), p95: near(4) },
    before: { n: 0, p50: null, p95: null },
  })
  expect(series.points[0]?.work).toBe(valueOf(bucketOf(2 ** 20)))
  expect(series.points[1]?.work).toBeNull()
})

test('counts a longer period by UTC day with the same sums', async () => {
  const site = await makeSite(app.ctx)
  for (const hour of [-30, -13, -12, 0, 11, 12]) add(site, hour, 'intents', 1)
  await written(app)
  const series = await usageSeries(app.ctx, { id: site.tenantId }, { from: NOON - 12 * 24 * HOUR, to: NOON + HOUR })
  expect(series.step).toBe(24 * HOUR)
  expect(series.points.slice(-3).map(({ intents }) => intents)).toEqual([0, 2, 3])
  expect(series.totals.intents).toBe(5)
})

test('counts a short period by day if its hourly counts were deleted', async () => {
  const site = await makeSite(app.ctx)
  const then = NOON - 20 * 24 * HOUR
  add(site, -20 * 24, 'redeemed', 7, 'quota')
  await written(app)
  await app.sql.query('delete from usage_hour where site_id = $1', [site.siteId])
  const period = { from: then, to: then + 2 * HOUR }
  const series = await usageSeries(app.ctx, { id: site.tenantId }, period)
  expect(series).toMatchObject({ step: 24 * HOUR, totals: { redeemed: 7 } })
  const { sites } = await usageBySite(app.ctx, { id: site.tenantId }, period)
  expect(sites.map(({ redeemed }) => redeemed)).toEqual([[7]])
})

test('the sites of a period add up to its chart, even if it begins and ends within a day', async () => {
  const site = await makeSite(app.ctx)
  for (const hour of [-1, 0, 24, 25]) {
    add(site, hour, 'intents', 2)
    add(site, hour, 'redeemed', 1, 'quota')
    add(site, hour, 'refused', 3, '/siteverify binding-mismatch')
  }
  await written(app)
  const period = { from: NOON, to: NOON + 25 * HOUR }
  const { totals } = await usageSeries(app.ctx, { id: site.tenantId }, period)
  const { sites } = await usageBySite(app.ctx, { id: site.tenantId }, period)
  expect(totals).toMatchObject({ intents: 4, redeemed: 2, refused: 6 })
  expect(sites).toEqual([{ id: site.siteId, name: 'Test', paused: false, intents: 4, redeemed: [1, 1], refused: 6 }])
})

test('counts only the given site and tenant', async () => {
  const [one, foreign] = [await makeSite(app.ctx), await makeSite(app.ctx)]
  const two = await makeSite(app.ctx, { tenantId: one.tenantId })
  add(one, 0, 'intents', 1)
  add(two, 0, 'intents', 2)
  add(two, 24, 'redeemed', 5, 'quota')
  add(foreign, 0, 'intents', 100)
  await written(app)
  const period = { from: NOON, to: NOON + HOUR }
  const intents = async (tenant: TenantSites) => (await usageSeries(app.ctx, tenant, period)).totals.intents
  expect(await intents({ id: one.tenantId })).toBe(3)
  expect(await intents({ id: one.tenantId, sites: [two.siteId] })).toBe(2)
  expect(await intents({ id: one.tenantId, sites: [foreign.siteId] })).toBe(0)
  const { days, sites } = await usageBySite(app.ctx, { id: one.tenantId }, { from: NOON, to: NOON + 25 * HOUR })
  expect(days).toEqual([NOON - 12 * HOUR, NOON + 12 * HOUR])
  expect(sites).toEqual([
    { id: two.siteId, name: 'Test', paused: false, intents: 2, redeemed: [0, 5], refused: 0 },
    { id: one.siteId, name: 'Test', paused: false, intents: 1, redeemed: [0, 0], refused: 0 },
  ])
})

test('is comparable only if traffic began before the earlier period, of the sites that are asked for', async () => {
  const old = await makeSite(app.ctx)
  const young = await makeSite(app.ctx, { tenantId: old.tenantId })
  add(old, -5, 'intents', 1)
  add(young, -3, 'intents', 1)
  add(young, 0, 'intents', 8)
  await written(app)
  const comparable = async (sites: string[] | undefined, { from, to }: { from: number; to: number }) =>
    (
      await usageSeries(
        app.ctx,
        { id: old.tenantId, ...(sites && { sites }) },
        { from: NOON + from * HOUR, to: NOON + to * HOUR },
      )
    ).comparable
  // the earlier period begins four, two and five hours before noon
  const [four, two, five] = [
    { from: 0, to: 4 },
    { from: 0, to: 2 },
    { from: 0, to: 5 },
  ]
  expect(await comparable(undefined, four)).toBe(true)
  expect(await comparable(undefined, five)).toBe(false)
  expect(await comparable([young.siteId], four)).toBe(false)
  expect(await comparable([young.siteId], two)).toBe(true)
  // by day: the traffic began on the first day of the earlier period
  expect(await comparable(undefined, { from: 0, to: 20 * 24 })).toBe(false)
})

test('the median difficulty of challenges with the maximum is the maximum, not a value of its bucket above it', async () => {
  const site = await makeSite(app.ctx)
  add(site, 0, 'work', 3, `${bucketOf(WORK_BOUNDS.max)}`)
  add(site, 0, 'work', 1, `${bucketOf(WORK_BOUNDS.max / 2)}`)
  await written(app)
  const { points } = await usageSeries(app.ctx, { id: site.tenantId }, { from: NOON, to: NOON + HOUR })
  expect(points.map(({ work }) => work)).toEqual([6_291_456])
})
