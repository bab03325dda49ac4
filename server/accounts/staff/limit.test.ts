import { expect, test } from 'vitest'
import { makeStaff } from '../../../test/support/staff.ts'
import { makeTenant } from '../../../test/support/tenant.ts'
import { testApp } from '../../../test/support/testApp.ts'

const app = testApp({ SUPPORT_UNITS_MAX: '5000', LEAD_UNITS_MAX: '20000' })

type Kind = 'adjustBalance' | 'adjustQuota' | 'undoBalance' | 'undoQuota'

const MOST = { support: 5000, lead: 20_000 }

async function start(level: 'support' | 'lead') {
  const { id: tenant } = await makeTenant(app)
  const person = await makeStaff(app, level)
  const call = (kind: Kind, input: object, of = tenant) =>
    person.mutate(`staff.tenants.${kind}`, { tenant: of, reason: 'Ticket 4711', ...input })
  const { monthlyQuota } = await app.ctx.prisma.tenant.findUniqueOrThrow({ where: { id: tenant } })
  return { tenant, person, call, quota: Number(monthlyQuota) }
}

const balanceOf = async (id: string) =>
  Number((await app.ctx.prisma.balance.findUnique({ where: { tenantId: id } }))?.units ?? 0)

test.each(['adjustBalance', 'adjustQuota'] as const)(
  'support makes no %s of more than the configured units',
  async (kind) => {
    const support = await start('support')
    expect(await support.call(kind, { units: MOST.support + 1 })).toMatchObject({ reason: 'units-need-lead' })
    expect((await support.call(kind, { units: MOST.support })).status).toBe(200)
    expect((await (await start('lead')).call(kind, { units: MOST.support + 1 })).status).toBe(200)
  },
)

test('what support gives in pieces counts together, as quota and balance and to all tenants, for 24 hours', async () => {
  const { tenant, person, call, quota } = await start('support')
  const other = await makeTenant(app)
  expect((await call('adjustBalance', { units: 2000 })).status).toBe(200)
  expect((await call('adjustQuota', { units: quota + 2000 })).status).toBe(200)
  const over = { reason: 'units-need-lead' }
  expect(await call('adjustBalance', { units: 1001 })).toMatchObject(over)
  expect(await call('adjustBalance', { units: 1001 }, other.id)).toMatchObject(over)
  expect(await call('adjustQuota', { units: quota + 3001 })).toMatchObject(over)
  expect((await call('adjustBalance', { units: 1000 }, other.id)).status).toBe(200)
  // taking units away is no gift, and does not make room for one
  expect((await call('adjustBalance', { units: -2000 })).status).toBe(200)
  expect(await call('adjustBalance', { units: 1 })).toMatchObject(over)
  for (const table of ['balance_entry', 'quota_change'])
    await app.sql.query(`update ${table} set created_at = created_at - interval '25 h' where actor_id = $1`, [
      person.userId,
    ])
  expect((await call('adjustBalance', { units: MOST.support })).status).toBe(200)
  expect(await balanceOf(tenant)).toBe(MOST.support)
})

test('an undo makes room again, and counts with the units that it gives', async () => {
  const { tenant, call } = await start('support')
  const undoOf = async (kind: Kind, input: object) => (await call(kind, input)).data as { undo: string }
  const gift = await undoOf('adjustBalance', { units: MOST.support })
  expect((await call('undoBalance', { entry: gift.undo })).status).toBe(200)
  expect((await call('adjustBalance', { units: MOST.support })).status).toBe(200)
  expect((await call('adjustBalance', { units: -MOST.support })).status).toBe(200)

  const lead = await start('lead')
  const asLead = async (kind: Kind, input: object) =>
    (await lead.call(kind, input, tenant)).data as { undo: string; requested?: string }
  await asLead('adjustQuota', { units: 15_000 })
  const lower = await asLead('adjustQuota', { units: 1000 })
  expect(await call('undoQuota', { event: lower.undo })).toMatchObject({ reason: 'units-need-lead' })
  await lead.call('adjustBalance', { units: 6000 }, tenant)
  const removal = await asLead('adjustBalance', { units: -6000 })
  expect(await call('undoBalance', { entry: removal.undo })).toMatchObject({ reason: 'units-need-lead' })
  // the lead gave 14,000 and 6,000 today
  expect(await lead.call('undoQuota', { event: lower.undo }, tenant)).toMatchObject({
    reason: 'undo-needs-second-lead',
  })
  expect((await asLead('adjustQuota', { units: 1001 })).requested).toBeDefined()
})

test.each([
  ['support', 2000, 4000],
  ['lead', 9000, 18_000],
] as const)('of twelve gifts of a %s at once no more are made than the bound allows', async (level, units, most) => {
  const { tenant, call } = await start(level)
  await Promise.all(Array.from({ length: 12 }, () => call('adjustBalance', { units })))
  expect(await balanceOf(tenant)).toBeLessThanOrEqual(most)
  // what a busy machine refused with 503 is made now
  while ((await balanceOf(tenant)) < most) await call('adjustBalance', { units })
  await call('adjustBalance', { units })
  expect(await balanceOf(tenant)).toBe(most)
})

test('a change that another lead approved does not count as given by the approver', async () => {
  const [asker, approver] = [await start('lead'), await start('lead')]
  const { data } = await asker.call('adjustBalance', { units: MOST.lead + 1 })
  const { requested: id } = data as { requested: string }
  expect((await approver.person.mutate('staff.requests.approve', { id })).status).toBe(200)
  expect(await balanceOf(asker.tenant)).toBe(MOST.lead + 1)
  expect((await approver.call('adjustBalance', { units: MOST.lead })).data).toMatchObject({ after: MOST.lead })
})

test('a member of staff who reads a tenant is in its audit log, once an hour', async () => {
  const { id: tenant } = await makeTenant(app)
  const support = await makeStaff(app, 'support')
  const reads = () =>
    app.rows("select actor_type from audit_event where tenant_id = $1 and action = 'tenant.read'", [tenant])
  for (let i = 0; i < 2; i++) await support.query('staff.tenants.get', { tenant })
  expect(await reads()).toEqual([{ actor_type: 'staff' }])
  await app.sql.query("update audit_event set created_at = now() - interval '61 min' where tenant_id = $1", [tenant])
  await support.query('staff.tenants.get', { tenant })
  expect(await reads()).toHaveLength(2)
})
