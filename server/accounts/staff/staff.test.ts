import { expect, test } from 'vitest'
import { makeSite } from '../../../test/support/make.ts'
import { readPages } from '../../../test/support/readPages.ts'
import { makeStaff } from '../../../test/support/staff.ts'
import { makeMember, makeOwnedTenant } from '../../../test/support/tenant.ts'
import { setUp, testApp } from '../../../test/support/testApp.ts'

const app = testApp()
const support = setUp(() => makeStaff(app, 'support'))
const lead = setUp(() => makeStaff(app, 'lead'))

const reason = 'Ticket 4711'
type Adjusted = { before: number; after: number; undo: string }

test('adds units with a reason that the tenant sees, and undoes that once by a counter-entry', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const add = (units: number, why = reason) =>
    support.mutate('staff.tenants.adjustBalance', { tenant: tenant.id, units, reason: why })
  expect((await add(100, '  ')).code).toBe('BAD_REQUEST')
  expect((await add(0)).code).toBe('BAD_REQUEST')
  const added = (await add(100)).data as Adjusted
  expect(added).toMatchObject({ before: 0, after: 100 })
  const undo = { tenant: tenant.id, entry: added.undo }
  const undone = await Promise.all([1, 2, 3].map(() => support.mutate('staff.tenants.undoBalance', undo)))
  expect(undone.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  const entries = await owner.query('usage.entries', { tenant: tenant.slug })
  expect(entries.data).toMatchObject({
    rows: [
      { units: -100, reason: `Undo of: ${reason}` },
      { units: 100, reason },
    ],
  })
  const audit = await owner.query('audit.list', { tenant: tenant.slug, action: 'balance.add' })
  expect(audit.data).toMatchObject({
    rows: [
      { actor: { kind: 'staff' }, before: { units: 100 }, after: { units: 0, undoes: added.undo } },
      { actor: { kind: 'staff' }, before: { units: 0 }, after: { units: 100, reason } },
    ],
  })
  const again = (await add(50)).data as Adjusted
  await add(-40)
  const spent = await support.mutate('staff.tenants.undoBalance', { tenant: tenant.id, entry: again.undo })
  expect(spent.code).toBe('CONFLICT')
  const foreign = { tenant: (await makeOwnedTenant(app)).tenant.id, entry: again.undo }
  expect((await support.mutate('staff.tenants.undoBalance', foreign)).code).toBe('NOT_FOUND')
})

test('undoes a change of the quota unless it has changed since', async () => {
  const { tenant } = await makeOwnedTenant(app)
  const set = async (units: number) =>
    (await support.mutate('staff.tenants.adjustQuota', { tenant: tenant.id, units, reason })).data as Adjusted
  const undo = (event: string) => support.mutate('staff.tenants.undoQuota', { tenant: tenant.id, event })
  const raised = await set(5000)
  expect(raised).toMatchObject({ before: 1000, after: 5000 })
  expect((await undo(raised.undo)).data).toMatchObject({ before: 5000, after: 1000 })
  const first = await set(6000)
  await set(7000)
  expect((await undo(first.undo)).code).toBe('CONFLICT')
  const rows = await app.rows('select included from quota_period where tenant_id = $1', [tenant.id])
  expect(rows).toEqual([{ included: '7000' }])
})

test('adjustments can be undone once, also after the audit has been pruned', async () => {
  const { tenant } = await makeOwnedTenant(app)
  const adjust = async (verb: string, units: number) =>
    (await support.mutate(`staff.tenants.${verb}`, { tenant: tenant.id, units, reason })).data as Adjusted
  const quota = await adjust('adjustQuota', 5000)
  const balance = await adjust('adjustBalance', 100)
  const undo = (verb: string, what: object) => support.mutate(`staff.tenants.${verb}`, { tenant: tenant.id, ...what })
  const prune = () => app.sql.query('delete from audit_event where tenant_id = $1', [tenant.id])
  await prune()
  expect((await undo('undoQuota', { event: quota.undo })).data).toMatchObject({ before: 5000, after: 1000 })
  expect((await undo('undoBalance', { entry: balance.undo })).data).toMatchObject({ before: 100, after: 0 })
  await prune()
  expect((await undo('undoBalance', { entry: balance.undo })).code).toBe('CONFLICT')
  const view = (await support.query('staff.tenants.get', { tenant: tenant.id })).data
  expect(view).toMatchObject({
    entries: [
      { units: -100, undone: false },
      { units: 100, undone: true, actor: { kind: 'staff' } },
    ],
    quotaChanges: [
      { before: 5000, after: 1000, undoable: true },
      { before: 1000, after: 5000, undoable: false, reason, actor: { kind: 'staff', email: support.email } },
    ],
  })
})

test('of an undo and a change of the quota at once the change stands, and of two undos one', async () => {
  const { tenant } = await makeOwnedTenant(app)
  const set = (units: number) => support.mutate('staff.tenants.adjustQuota', { tenant: tenant.id, units, reason })
  for (let round = 0; round < 8; round++) {
    const { undo } = (await set(5000 + round)).data as Adjusted
    const undoing = () => support.mutate('staff.tenants.undoQuota', { tenant: tenant.id, event: undo })
    await Promise.all([undoing(), set(9000 + round), undoing()])
    const rows = await app.rows('select monthly_quota::int as quota from tenant where id = $1', [tenant.id])
    expect(rows).toEqual([{ quota: 9000 + round }])
  }
  const { undo } = (await set(4000)).data as Adjusted
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => support.mutate('staff.tenants.undoQuota', { tenant: tenant.id, event: undo })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('previews a suspension, applies it immediately and lifts it', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const site = await makeSite(app.ctx, { tenantId: tenant.id })
  const id = { tenant: tenant.id }
  await app.client.intent(site)
  expect((await lead.query('staff.tenants.previewSuspension', id)).data).toEqual({
    sites: 1,
    openIntents: 1,
    hourly: 0,
    members: 1,
  })
  const suspend = (confirm: string) => lead.mutate('staff.tenants.suspend', { ...id, reason, confirm })
  expect((await suspend('other')).code).toBe('BAD_REQUEST')
  expect((await app.client.intent(site)).status).toBe(200)
  expect((await suspend(tenant.slug)).status).toBe(200)
  expect((await app.client.intent(site)).body).toEqual({ error: 'site-disabled' })
  expect((await suspend(tenant.slug)).code).toBe('CONFLICT')
  expect((await owner.query('tenants.get', { tenant: tenant.slug })).data).toMatchObject({
    suspended: { reason: expect.stringMatching(/./) },
  })
  expect((await lead.mutate('staff.tenants.restore', { ...id, reason: 'Paid' })).status).toBe(200)
  expect((await app.client.intent(site)).status).toBe(200)
  const audit = await owner.query('audit.list', { tenant: tenant.slug, action: 'tenant.' })
  expect(audit.data).toMatchObject({
    rows: [
      { action: 'tenant.restore', after: { reason: 'Paid' } },
      { action: 'tenant.suspend', after: { reason } },
      { action: 'tenant.create' },
    ],
  })
})

test('a view as a tenant lasts 30 minutes, shows what an admin sees, and appears in the tenant’s audit log', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  const read = async () => (await support.query('sites.list', { tenant: tenant.slug })).status
  const start = (why = reason) => support.mutate('staff.tenants.viewAs', { tenant: tenant.id, reason: why })
  expect(await read()).toBe(404)
  expect((await start('x')).code).toBe('BAD_REQUEST')
  const { endsAt } = (await start()).data as { endsAt: number }
  expect(Math.abs(endsAt - app.ctx.clock.now() / 1000 - 1800)).toBeLessThan(60)
  expect(await read()).toBe(200)
  expect((await support.query('session.me')).data).toMatchObject({
    tenants: [{ slug: tenant.slug, role: 'admin', viewEndsAt: endsAt }],
  })
  // neither other staff nor procedures for owners only
  expect((await lead.query('sites.list', { tenant: tenant.slug })).code).toBe('NOT_FOUND')
  const rename = await support.mutate('tenants.rename', { tenant: tenant.slug, name: 'Ours' })
  expect(rename).toMatchObject({ code: 'FORBIDDEN', reason: 'view-as-read-only' })
  const audit = await owner.query('audit.list', { tenant: tenant.slug, action: 'view_as' })
  expect(audit.data).toMatchObject({
    rows: [{ actor: { kind: 'staff', name: 'Tollgate support' }, action: 'view_as.start', after: { reason } }],
  })
  await app.sql.query(`update view_as set ends_at = now() where tenant_id = $1`, [tenant.id])
  expect(await read()).toBe(404)
  await start()
  expect(await read()).toBe(200)
  expect((await support.mutate('staff.tenants.endViewAs', { tenant: tenant.id })).status).toBe(200)
  expect(await read()).toBe(404)
})

test('ends a view when the person is no longer staff, and refuses one to a member', async () => {
  const { tenant } = await makeOwnedTenant(app)
  const leaver = await makeStaff(app, 'support')
  await leaver.mutate('staff.tenants.viewAs', { tenant: tenant.id, reason })
  expect((await leaver.query('sites.list', { tenant: tenant.slug })).status).toBe(200)
  await app.sql.query('update "user" set staff_level = null where id = $1', [leaver.userId])
  expect((await leaver.query('sites.list', { tenant: tenant.slug })).code).toBe('NOT_FOUND')
  const both = await makeMember(app, tenant, 'viewer')
  await app.sql.query(`update "user" set staff_level = 'support', two_factor_enabled = true where id = $1`, [
    both.userId,
  ])
  expect((await both.mutate('staff.tenants.viewAs', { tenant: tenant.id, reason })).code).toBe('CONFLICT')
})

test('the staff audit log contains changes by staff and none by members', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  await owner.mutate('tenants.rename', { tenant: tenant.slug, name: 'Harbour & Sons' })
  await support.mutate('staff.tenants.adjustBalance', { tenant: tenant.id, units: 5, reason })
  const list = async (query: object) =>
    (await lead.query('staff.audit', { tenant: tenant.id, ...query })).data as { rows: object[] }
  expect((await list({})).rows).toMatchObject([
    { action: 'balance.add', actor: { kind: 'staff', email: support.email }, tenant: { name: 'Harbour & Sons' } },
    { action: 'tenant.create', actor: { kind: 'operator' } },
  ])
  expect((await list({ actor: support.email })).rows).toHaveLength(1)
  expect((await list({ tenant: 'harbour & s', action: 'tenant' })).rows).toHaveLength(1)
  expect((await list({ actor: lead.email })).rows).toEqual([])
})

test('the staff audit log lists changes, and views and searches only on request', async () => {
  const { tenant } = await makeOwnedTenant(app)
  await support.mutate('staff.tenants.adjustBalance', { tenant: tenant.id, units: 5, reason })
  await support.query('staff.tenants.get', { tenant: tenant.id })
  const actions = async (query: object) => {
    const { data } = await lead.query('staff.audit', { tenant: tenant.id, ...query })
    return (data as { rows: { action: string }[] }).rows.map(({ action }) => action)
  }
  expect(await actions({})).toEqual(['balance.add', 'tenant.create'])
  expect(await actions({ kind: 'units' })).toEqual(['balance.add'])
  expect(await actions({ kind: 'tenants' })).toEqual(['tenant.create'])
  expect(await actions({ kind: 'reads' })).toEqual(['tenant.read'])
  expect(await actions({ kind: 'all' })).toEqual(expect.arrayContaining(['balance.add', 'tenant.read']))
  expect(await actions({ action: 'balance.add,tenant.suspend' })).toEqual(['balance.add'])
})

test('lists the tenants that need attention, from the counts only', async () => {
  const { tenant } = await makeOwnedTenant(app)
  const site = await makeSite(app.ctx, { tenantId: tenant.id })
  await app.sql.query(
    `insert into usage_hour (tenant_id, site_id, hour, measure, label, n)
     select $1, $2, date_trunc('hour', now(), 'UTC') - make_interval(hours => h), m::usage_measure, l, n
     from (values (1, 'redeemed', 'quota', 5), (170, 'redeemed', 'quota', 60),
       (2, 'intents', '', 30), (3, 'refused', '/intents bad-field nonce', 90)) v(h, m, l, n)`,
    [tenant.id, site.siteId],
  )
  const list = async (input: object) =>
    (await support.query('staff.tenants.list', input)).data as {
      rows: { id: string; anomalies: { code: string }[]; health: object }[]
      nextCursor: string | null
    }
  const { rows } = await list({ text: tenant.slug })
  expect(rows).toMatchObject([{ id: tenant.id, health: { redeemed: 5, redeemedBefore: 60, intents: 30, refused: 90 } }])
  expect(rows[0]?.anomalies.map(({ code }) => code)).toEqual(['traffic-fell', 'refusals'])
  const attention = await list({ attention: true, limit: 200 })
  expect(attention.rows.map(({ id }) => id)).toContain(tenant.id)
  expect(attention.rows.every(({ anomalies }) => anomalies.length > 0)).toBe(true)
  const { ids } = await readPages((cursor) => list({ limit: 2, cursor }))
  expect(ids).toEqual((await list({ limit: 200 })).rows.map(({ id }) => id))
  expect(new Set(ids).size).toBe(ids.length)
})

test('shows the usage of all tenants by day, tenant and site', async () => {
  const { tenant } = await makeOwnedTenant(app)
  const site = await makeSite(app.ctx, { tenantId: tenant.id })
  await app.sql.query(
    `insert into usage_day (tenant_id, site_id, day, measure, label, n)
     values ($1, $2, '2025-02-01', 'redeemed', 'quota', 30),
       ($1, $2, '2025-02-03', 'redeemed', 'balance', 12),
       ($1, $2, '2025-03-01', 'redeemed', 'quota', 9)`,
    [tenant.id, site.siteId],
  )
  const { data } = await support.query('staff.usage', { month: '2025-02' })
  const { byDay, ...rest } = data as { byDay: { at: number; units: number }[] }
  expect(rest).toEqual({
    month: '2025-02',
    units: { quota: 30, balance: 12 },
    tenants: 1,
    byTenant: [{ id: tenant.id, slug: tenant.slug, name: 'Test', quota: 30, balance: 12, included: null }],
    topSites: [
      { id: site.siteId, name: 'Test', units: 42, tenant: { id: tenant.id, slug: tenant.slug, name: 'Test' } },
    ],
  })
  expect(byDay).toHaveLength(28)
  expect(byDay.slice(0, 3).map(({ units }) => units)).toEqual([30, 0, 12])
})
