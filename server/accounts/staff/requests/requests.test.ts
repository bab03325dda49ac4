import { expect, test } from 'vitest'
import { type SignedIn } from '../../../../test/support/browser.ts'
import { makeStaff } from '../../../../test/support/staff.ts'
import { makeTenant } from '../../../../test/support/tenant.ts'
import { setUp, testApp } from '../../../../test/support/testApp.ts'

const app = testApp({ LEAD_UNITS_MAX: '5000' })
const asker = setUp(() => makeStaff(app, 'lead'))
const lead = setUp(() => makeStaff(app, 'lead'))
const third = setUp(() => makeStaff(app, 'lead'))

const balanceOf = async (id: string) =>
  Number((await app.ctx.prisma.balance.findUnique({ where: { tenantId: id } }))?.units ?? 0)

const quotaOf = async (id: string) =>
  Number((await app.ctx.prisma.tenant.findUniqueOrThrow({ where: { id } })).monthlyQuota)

/** Asks for units; returns the request's id. */
async function ask(tenant: string, units = 5001, kind: 'adjustBalance' | 'adjustQuota' = 'adjustBalance') {
  const { data } = await asker.mutate(`staff.tenants.${kind}`, { tenant, units, reason: 'Ticket 4711' })
  return (data as { requested: string }).requested
}

const approve = (who: SignedIn, id: string) => who.mutate('staff.requests.approve', { id })

test('a lead changes at most the configured number of units; more waits for another lead', async () => {
  const { id: tenant } = await makeTenant(app)
  const units = { tenant, units: 5000, reason: 'Ticket 4711' }
  expect((await asker.mutate('staff.tenants.adjustBalance', units)).data).toMatchObject({ after: 5000 })
  const id = await ask(tenant)
  expect(await balanceOf(tenant)).toBe(5000)
  expect((await lead.query('staff.requests.list')).data).toMatchObject({
    rows: [{ id, kind: 'balance', units: 5001, reason: 'Ticket 4711', own: false, decided: null }],
    most: 5000,
  })
  expect(await approve(asker, id)).toMatchObject({ reason: 'request-own' })
  expect((await approve(lead, id)).data).toMatchObject({ before: 5000, after: 10_001 })
  expect(await balanceOf(tenant)).toBe(10_001)
  expect(await approve(third, id)).toMatchObject({ reason: 'request-decided' })

  const quota = await ask(tenant, 9000, 'adjustQuota')
  expect(await quotaOf(tenant)).toBe(1000)
  expect((await approve(lead, quota)).status).toBe(200)
  expect(await quotaOf(tenant)).toBe(9000)
})

test('of many approvals at once, also against rejections, one decides', async () => {
  const { id: tenant } = await makeTenant(app)
  const id = await ask(tenant)
  const replies = await Promise.all(
    [lead, third, lead, third, lead, third].map((who, i) =>
      who.mutate(`staff.requests.${i === 5 ? 'reject' : 'approve'}`, { id }),
    ),
  )
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
  expect(await balanceOf(tenant)).toBe(replies[5]?.status === 200 ? 0 : 5001)
  const { rowCount } = await app.sql.query('select 1 from balance_entry where tenant_id = $1', [tenant])
  expect(rowCount).toBe(replies[5]?.status === 200 ? 0 : 1)
})

test('a rejected request changes nothing and cannot be approved; the asker may withdraw their own', async () => {
  const { id: tenant } = await makeTenant(app)
  for (const who of [lead, asker]) {
    const id = await ask(tenant)
    expect((await who.mutate('staff.requests.reject', { id })).status).toBe(200)
    expect(await approve(third, id)).toMatchObject({ reason: 'request-decided' })
  }
  expect(await balanceOf(tenant)).toBe(0)
  expect(await approve(lead, crypto.randomUUID())).toMatchObject({ reason: 'request-not-found' })
})

test('request, approval and rejection are in the audit, with both leads', async () => {
  const { id: tenant } = await makeTenant(app)
  const first = await ask(tenant)
  await approve(lead, first)
  await third.mutate('staff.requests.reject', { id: await ask(tenant) })
  const rows = await app.rows(
    `select action, actor_id, after->>'asked_by' as asked_by from audit_event
     where target = $1 and action like 'units.%' order by seq`,
    [tenant],
  )
  expect(rows).toEqual([
    { action: 'units.ask', actor_id: asker.userId, asked_by: null },
    { action: 'units.approve', actor_id: lead.userId, asked_by: asker.userId },
    { action: 'units.ask', actor_id: asker.userId, asked_by: null },
    { action: 'units.reject', actor_id: third.userId, asked_by: asker.userId },
  ])
})
