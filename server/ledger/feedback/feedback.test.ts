import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeDecisions } from '../../../test/support/decisions.ts'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { readPages } from '../../../test/support/readPages.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { written } from '../../../test/support/written.ts'
import type { TenantSites } from '../tenantSites.ts'
import { countUsage, type UsageMeasure } from '../usage/count.ts'
import { feedbackHistory } from './history.ts'
import { listFeedback } from './list.ts'
import { feedbackRates } from './rates.ts'

const app = testApp()

const HOUR = 3600
const now = () => Math.floor(Date.now() / 1000)

/** Reports decisions, the first one `seconds` ago and each next one a second earlier; returns their intents' ids. */
async function report(
  site: MadeSite,
  count: number,
  { outcome = 'confirmed_abuse', type = 'order', action = 'checkout', seconds = 1 } = {},
): Promise<string[]> {
  const made = Array.from({ length: count }, () => ({ action, ago: 2 * HOUR }))
  const ids = await makeDecisions(app, site, made)
  await app.sql.query(
    `insert into feedback_event (site_id, event_id, tenant_id, decision_id, revision, outcome, business_type, occurred_at, created_at)
     select $1, gen_random_uuid(), $2, id, 1, $4, $5, now() - interval '1 hour', now() - make_interval(secs => $6 + ord - 1)
     from unnest($3::uuid[]) with ordinality t(id, ord)`,
    [site.siteId, site.tenantId, ids, outcome, type, seconds],
  )
  return ids
}

/** Supersedes the latest report now. */
const correct = (decision: string, outcome = 'legitimate') =>
  app.sql.query(
    `insert into feedback_event (site_id, event_id, tenant_id, decision_id, revision, outcome, business_type, occurred_at, supersedes)
     select site_id, $2, tenant_id, decision_id, revision + 1, $3, 'customer_called', occurred_at, event_id
     from feedback_event where decision_id = $1 order by revision desc limit 1`,
    [decision, randomUUID(), outcome],
  )

const list = ({ tenantId }: Pick<MadeSite, 'tenantId'>, query: object = {}) =>
  listFeedback(app.ctx, { id: tenantId }, { from: now() - 86_400, to: now() + 60, limit: 50, ...query })

const all = (site: MadeSite, query: object = {}) => readPages((cursor) => list(site, { ...query, cursor }))

test('lists the latest report of each decision, with its revision', async () => {
  const site = await makeSite(app.ctx)
  const [one = '', two = ''] = await report(site, 2)
  await correct(two)
  await correct(two, 'unknown')
  const { rows } = await list(site)
  expect(rows.map(({ id, outcome, businessType, revision }) => [id, outcome, businessType, revision])).toEqual([
    [two, 'unknown', 'customer_called', 3],
    [one, 'confirmed_abuse', 'order', 1],
  ])
  expect((await list(site, { outcome: 'legitimate' })).rows).toEqual([])
})

test('each filter returns the matching reports', async () => {
  const site = await makeSite(app.ctx)
  const sister = await makeSite(app.ctx, { tenantId: site.tenantId })
  const [legitimate = ''] = await report(site, 1, { outcome: 'legitimate', seconds: 40 })
  const [spam = ''] = await report(site, 1, { type: 'spam', seconds: 30 })
  const [login = ''] = await report(site, 1, { action: 'login', seconds: 20 })
  const [elsewhere = ''] = await report(sister, 1, { seconds: 1000 })
  expect((await all(site, { outcome: 'legitimate' })).ids).toEqual([legitimate])
  expect((await all(site, { type: 'spam' })).ids).toEqual([spam])
  expect((await all(site, { action: 'login' })).ids).toEqual([login])
  expect((await all(site, { site: sister.siteId })).ids).toEqual([elsewhere])
  expect((await all(site, { to: now() - 500 })).ids).toEqual([elsewhere])
  expect((await all(site, { outcome: 'legitimate', type: 'spam' })).ids).toEqual([])
})

test('pages contain each report once, even if the last report of a page is corrected meanwhile', async () => {
  const site = await makeSite(app.ctx)
  const ids = await report(site, 25)
  const first = await list(site, { limit: 10 })
  const last = first.rows.at(-1)?.id ?? ''
  await correct(last)
  const second = await list(site, { limit: 10, cursor: first.nextCursor })
  const third = await list(site, { limit: 10, cursor: second.nextCursor })
  expect([first, second, third].flatMap(({ rows }) => rows.map(({ id }) => id))).toEqual(ids)
  expect(third.nextCursor).toBeNull()
})

test('pages correctly over reports with equal timestamps', async () => {
  const site = await makeSite(app.ctx)
  const ids = await report(site, 30)
  await app.sql.query("update feedback_event set created_at = date_trunc('second', now()) where site_id = $1", [
    site.siteId,
  ])
  const found = await all(site, { limit: 7 })
  expect(found.pages).toBe(5)
  expect(found.ids.toSorted()).toEqual(ids.toSorted())
})

test('finds rare reports in bounded steps', async () => {
  const site = await makeSite(app.ctx)
  const [rare = ''] = await report(site, 1, { type: 'rare', seconds: 20_000 })
  await app.sql.query(
    `insert into feedback_event (site_id, event_id, tenant_id, decision_id, revision, outcome, business_type, occurred_at, created_at)
     select $1, gen_random_uuid(), $2, gen_random_uuid(), 1, 'unknown', 'order', now(), now() - make_interval(secs => n)
     from generate_series(1, 15000) n`,
    [site.siteId, site.tenantId],
  )
  expect(await all(site, { type: 'rare' })).toEqual({ ids: [rare], pages: 2 })
})

test('the history shows which event supersedes which', async () => {
  const site = await makeSite(app.ctx)
  const [id = ''] = await report(site, 1)
  await correct(id)
  const history = await feedbackHistory(app.ctx, { id: site.tenantId }, id)
  const [second, first] = history?.revisions ?? []
  expect([second?.revision, first?.revision, history?.revisions.length]).toEqual([2, 1, 2])
  expect(second).toMatchObject({ outcome: 'legitimate', supersedes: first?.eventId })
  expect(first).toMatchObject({ outcome: 'confirmed_abuse', supersedes: null })
  expect((history?.closesAt ?? 0) - (history?.redeemedAt ?? 0)).toBe(7 * 86_400)
})

/** Noon of the day before yesterday. */
const NOON = (Math.floor(Date.now() / 86_400_000) - 2) * 86_400 + 43_200
const add = (site: MadeSite, hour: number, measure: UsageMeasure, n: number, label: string) =>
  countUsage(
    app.ctx,
    { id: site.siteId, tenantId: site.tenantId },
    { measure, label, n, at: (NOON + hour * HOUR) * 1000 },
  )
const rates = (tenant: TenantSites) => feedbackRates(app.ctx, tenant, { from: NOON, to: NOON + 2 * HOUR })
const none = { confirmed_abuse: 0, legitimate: 0, unknown: 0 }

test('counts abuse in the hour of the redemption and compares with the period before', async () => {
  const site = await makeSite(app.ctx)
  add(site, -1, 'redeemed', 10, 'quota')
  add(site, -1, 'feedback_type', 1, 'confirmed_abuse order')
  add(site, 0, 'redeemed', 30, 'quota')
  add(site, 0, 'redeemed', 20, 'balance')
  add(site, 0, 'feedback_type', 3, 'confirmed_abuse order')
  add(site, 0, 'feedback_type', 2, 'confirmed_abuse spam')
  add(site, 1, 'feedback_type', 4, 'legitimate order')
  // a correction, as the verification path counts it
  add(site, 1, 'feedback_type', 1, 'confirmed_abuse order')
  add(site, 1, 'feedback_type', -1, 'confirmed_abuse order')
  add(site, 1, 'feedback_type', 1, 'unknown order')
  await written(app)
  const found = await rates({ id: site.tenantId, sites: [site.siteId] })
  expect(found.points).toEqual([
    { at: NOON, ...none, redeemed: 50, confirmed_abuse: 5 },
    { at: NOON + HOUR, ...none, redeemed: 0, legitimate: 4, unknown: 1 },
  ])
  expect(found.totals).toEqual({ redeemed: 50, confirmed_abuse: 5, legitimate: 4, unknown: 1 })
  expect(found.before).toEqual({ ...none, redeemed: 10, confirmed_abuse: 1 })
  expect(found.byType).toEqual([
    { name: 'order', confirmed_abuse: 3, legitimate: 4, unknown: 1 },
    { name: 'spam', ...none, confirmed_abuse: 2 },
  ])
})

test('adds hours up to days if most have too few redemptions for a rate', async () => {
  const site = await makeSite(app.ctx)
  add(site, 0, 'redeemed', 30, 'quota')
  add(site, 0, 'feedback_type', 1, 'confirmed_abuse order')
  add(site, 3, 'redeemed', 20, 'quota')
  add(site, 24, 'redeemed', 8, 'quota')
  await written(app)
  const period = { from: NOON, to: NOON + 48 * HOUR }
  const midnight = NOON - 12 * HOUR
  const found = await feedbackRates(app.ctx, { id: site.tenantId }, period)
  expect(found).toMatchObject({ ...period, step: 24 * HOUR })
  expect(found.points).toEqual([
    { at: midnight, ...none, redeemed: 50, confirmed_abuse: 1 },
    { at: midnight + 24 * HOUR, ...none, redeemed: 8 },
    { at: midnight + 48 * HOUR, ...none, redeemed: 0 },
  ])
  add(site, 5, 'redeemed', 50 * 48, 'quota')
  await written(app)
  const busy = await feedbackRates(app.ctx, { id: site.tenantId }, period)
  expect([busy.step, busy.points.length]).toEqual([HOUR, 48])
})

test('adds up all types beyond the twelve most frequent', async () => {
  const site = await makeSite(app.ctx)
  for (let n = 1; n <= 15; n++) add(site, 0, 'feedback_action', n, `legitimate action-${n}`)
  await written(app)
  const { byAction } = await rates({ id: site.tenantId, sites: [site.siteId] })
  expect(byAction).toHaveLength(13)
  expect(byAction[0]).toEqual({ name: 'action-15', ...none, legitimate: 15 })
  expect(byAction.at(-1)).toEqual({ name: null, ...none, legitimate: 1 + 2 + 3 })
})

test('counts only the given site and tenant', async () => {
  const [one, foreign] = [await makeSite(app.ctx), await makeSite(app.ctx)]
  const two = await makeSite(app.ctx, { tenantId: one.tenantId })
  for (const [site, n] of [
    [one, 1],
    [two, 2],
    [foreign, 100],
  ] as const) {
    add(site, 0, 'redeemed', 10 * n, 'quota')
    add(site, 0, 'feedback_type', n, 'confirmed_abuse order')
  }
  await written(app)
  expect((await rates({ id: one.tenantId })).bySite).toEqual([
    { id: two.siteId, name: 'Test', ...none, redeemed: 20, confirmed_abuse: 2 },
    { id: one.siteId, name: 'Test', ...none, redeemed: 10, confirmed_abuse: 1 },
  ])
  expect((await rates({ id: one.tenantId, sites: [one.siteId] })).totals.redeemed).toBe(10)
  expect((await rates({ id: one.tenantId, sites: [foreign.siteId] })).totals.redeemed).toBe(0)
})
