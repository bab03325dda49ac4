import { expect, test } from 'vitest'
import { makeDecisions } from '../../test/support/decisions.ts'
import { makeIncident } from '../../test/support/incident.ts'
import { makeSite } from '../../test/support/make.ts'
import { callManaged, makeKey } from '../../test/support/manage.ts'
import { readPages } from '../../test/support/readPages.ts'
import { makeOwnedTenant } from '../../test/support/tenant.ts'
import { testApp } from '../../test/support/testApp.ts'
import { written } from '../../test/support/written.ts'
import type { Scope } from '../contract/scopes.ts'
import { countUsage } from '../ledger/usage/count.ts'

const app = testApp()

type Row = { id: string; site: { id: string }; decision_id?: string }

/** A tenant with three decisions at each of three sites, in turns, and a key for the first two sites. */
async function makeBound() {
  const { tenant, owner } = await makeOwnedTenant(app)
  const made = [await makeSite(app.ctx, { tenantId: tenant.id }), await makeSite(app.ctx, { tenantId: tenant.id })]
  const sites = made.map(({ siteId }) => siteId)
  const other = await makeSite(app.ctx, { tenantId: tenant.id })
  const mine: string[] = []
  for (const ago of [3, 2, 1])
    for (const site of [other, ...made]) {
      const ids = await makeDecisions(app, site, [{ ago }])
      if (site !== other) mine.push(...ids)
      const counted = { measure: 'redeemed', label: 'quota', n: 1, at: Date.now() } as const
      countUsage(app.ctx, { id: site.siteId, tenantId: tenant.id }, counted)
    }
  await written(app)
  const { key } = await makeKey(app, { tenantId: tenant.id, createdBy: owner.userId }, { sites })
  const now = Math.floor(Date.now() / 1000)
  const period = { from: now - 86_400, to: now + 60 }
  return { tenant, sites, mine, call: (name: string, input = {}) => callManaged(app, key, name, input), period }
}

test('lists have the rows of the sites of the key, on all pages', async () => {
  const { tenant, sites, mine, call, period } = await makeBound()
  for (const statement of [
    `insert into refusal (id, tenant_id, site_id, endpoint, code, reference)
     select id, tenant_id, site_id, '/intents', 'bad-field', '' from decision where tenant_id = $1`,
    `insert into captcha_grant (id, tenant_id, site_id, decision_id, expires_at, uses, uses_asked, ttl_asked)
     select id, tenant_id, site_id, id, now(), 1, 1, 60 from decision where tenant_id = $1`,
    `insert into feedback_event (site_id, event_id, tenant_id, decision_id, revision, outcome, business_type, occurred_at)
     select site_id, gen_random_uuid(), tenant_id, id, 1, 'unknown', 'order', now() from decision where tenant_id = $1`,
  ])
    await app.sql.query(statement, [tenant.id])
  for (const name of ['decisions.list', 'refusals.list', 'grants.list', 'feedback.list']) {
    const found = new Set<string>()
    const { ids, pages } = await readPages(async (cursor) => {
      const { body } = await call(name, { ...period, limit: 4, cursor })
      for (const { site } of body.rows as Row[]) found.add(site.id)
      return { rows: body.rows as Row[], nextCursor: body.next_cursor }
    })
    const uuids = ids.map((id) => id.replaceAll('-', '').slice(-32))
    expect({ name, pages, found, uuids: uuids.toSorted() }).toEqual({
      name,
      pages: 2,
      found: new Set(sites),
      uuids: mine.map((id) => id.replaceAll('-', '')).toSorted(),
    })
  }
})

test('traffic and the decisions next to one are those of the sites of the key', async () => {
  const { tenant, sites, mine, call, period } = await makeBound()
  const { body: usage } = await call('usage.series', period)
  expect(usage.totals.redeemed).toBe(6)
  const { body: bySite } = await call('usage.bySite', period)
  expect(bySite.sites.map(({ id }: Row) => id).toSorted()).toEqual(sites.toSorted())

  // a server of another site named the intent of this one
  const [first = '', , third = ''] = mine
  await app.sql.query(
    `insert into refusal (id, tenant_id, site_id, endpoint, code, reference, intent_id)
     select gen_random_uuid(), tenant_id, id, '/intents', 'bad-field', '', $2::uuid from site where tenant_id = $1`,
    [tenant.id, third],
  )
  const { body: trace } = await call('decisions.get', { id: third })
  expect(trace.refusals).toHaveLength(2)
  const { newer, older } = trace.neighbours
  const decisions = mine.map((id) => `dec_${id.replaceAll('-', '')}`)
  expect([decisions.indexOf(older), decisions.indexOf(newer)]).toEqual([1, 3])
  expect((await call('decisions.get', { id: first })).body.neighbours.older).toBeNull()
})

test('of an incident a key sees what its scopes allow, not all that the role of its creator does', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const { siteId } = await makeSite(app.ctx, { tenantId: tenant.id })
  const id = await makeIncident(app, { tenantId: tenant.id, siteId }, { endedAt: null, seenAt: new Date() })
  await owner.mutate('sites.pause', { tenant: tenant.slug, site: siteId })
  await owner.mutate('incidents.share', { tenant: tenant.slug, id })
  const at = { tenantId: tenant.id, createdBy: owner.userId }
  const seen = async (scopes: Scope[]) => {
    const { body } = await callManaged(app, (await makeKey(app, at, { scopes })).key, 'incidents.get', { id })
    return { link: body.share_token, by: body.changes.map(({ by }: { by: string | null }) => by) }
  }
  const { name } = await app.ctx.prisma.user.findUniqueOrThrow({ where: { id: owner.userId } })
  expect(await seen(['traffic:read'])).toEqual({ link: null, by: [null] })
  expect(await seen(['traffic:read', 'audit:read'])).toEqual({ link: null, by: [name] })
})
