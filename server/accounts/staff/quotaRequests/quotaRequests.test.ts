import { expect, test } from 'vitest'
import { makeStaff } from '../../../../test/support/staff.ts'
import { makeOwnedTenant } from '../../../../test/support/tenant.ts'
import { setUp, testApp } from '../../../../test/support/testApp.ts'
import type { QuotaRequestRow } from '../../plans/requests/read.ts'
import type { StaffQuotaRequest } from './list.ts'

const app = testApp({ LEAD_UNITS_MAX: '60000', SUPPORT_UNITS_MAX: '20000' })
const support = setUp(() => makeStaff(app, 'support'))
const lead = setUp(() => makeStaff(app, 'lead'))
const other = setUp(() => makeStaff(app, 'lead'))

/** A tenant with a quota of 1000 whose owner asks for so many units a month. */
async function ask(units = 10_000) {
  const { tenant, owner } = await makeOwnedTenant(app)
  const send = () => owner.mutate('usage.requestUnits', { tenant: tenant.slug, units, reason: 'Christmas sale' })
  const { id } = (await send()).data as QuotaRequestRow
  return {
    id,
    owner,
    tenant,
    again: send,
    answer: { id, units, answer: 'As requested' },
    read: async () => (await owner.query('usage.request', { tenant: tenant.slug })).data as QuotaRequestRow,
    quota: async () =>
      Number((await app.ctx.prisma.tenant.findUniqueOrThrow({ where: { id: tenant.id } })).monthlyQuota),
    audit: () =>
      app.rows(
        "select action, before, after from audit_event where tenant_id = $1 and action like '%\\_units' order by seq",
        [tenant.id],
      ),
  }
}

const rowOf = async (id: string) =>
  ((await support.query('staff.quotaRequests.list')).data as StaffQuotaRequest[]).find((row) => row.id === id)

test('staff see what a tenant asks for, and approve it with another number; the tenant sees the answer', async () => {
  const { id, owner, tenant, again, answer, read, quota, audit } = await ask(30_000)
  expect(await rowOf(id)).toMatchObject({ tenant: { id: tenant.id }, units: 30_000, now: 1000, state: 'waiting' })
  expect((await support.query('staff.tenants.list', { attention: true })).data).toMatchObject({
    rows: expect.arrayContaining([
      expect.objectContaining({ id: tenant.id, anomalies: [{ code: 'units-requested', value: 30_000 }] }),
    ]),
  })
  // more than support may set
  expect(await support.mutate('staff.quotaRequests.approve', answer)).toMatchObject({ reason: 'units-need-lead' })
  expect((await read()).state).toBe('waiting')
  const approved = await support.mutate('staff.quotaRequests.approve', { ...answer, units: 20_000 })
  expect(approved.data).toMatchObject({ before: 1000, after: 20_000 })
  expect(await quota()).toBe(20_000)
  expect(await read()).toMatchObject({ state: 'approved', answer: { text: 'As requested', granted: 20_000 } })
  expect(await rowOf(id)).toMatchObject({ state: 'approved', answer: { by: 'Pat Person' } })
  const email = (await app.emails()).find(({ to }) => to === owner.email)
  expect(email?.text).toContain('has 20,000 units a month from now on')
  expect(email?.text).toContain(`/o/${tenant.slug}/usage`)
  expect(await audit()).toEqual([
    { action: 'tenant.request_units', before: null, after: { units: 30_000, reason: 'Christmas sale' } },
    {
      action: 'tenant.approve_units',
      before: { units: 30_000 },
      after: { units: 20_000, answer: 'As requested' },
    },
  ])
  expect((await again()).status).toBe(200)
})

test('a declined request changes nothing, and the tenant reads why', async () => {
  const { id, owner, read, quota, audit } = await ask()
  expect(await support.mutate('staff.quotaRequests.decline', { id, answer: ' ' })).toMatchObject({
    reason: 'reason-invalid',
  })
  const answer = 'Pay the last invoice first'
  expect((await support.mutate('staff.quotaRequests.decline', { id, answer })).status).toBe(200)
  expect(await quota()).toBe(1000)
  expect(await read()).toMatchObject({ state: 'declined', answer: { text: answer, granted: null } })
  expect((await app.emails()).find(({ to }) => to === owner.email)?.text).toContain(`The answer: “${answer}”`)
  expect((await audit()).at(-1)).toEqual({
    action: 'tenant.decline_units',
    before: { units: 10_000 },
    after: { answer },
  })
  expect(await lead.mutate('staff.quotaRequests.decline', { id, answer })).toMatchObject({ reason: 'request-decided' })
})

test('of many answers at once exactly one counts, and it is the one that the tenant sees', async () => {
  for (let round = 0; round < 4; round++) {
    const { id, answer, read, quota, audit } = await ask()
    const replies = await Promise.all(
      [support, lead, other, support, lead, other].map((who, i) =>
        i % 2 === 0
          ? who.mutate('staff.quotaRequests.approve', { ...answer, units: 10_000 + i })
          : who.mutate('staff.quotaRequests.decline', { id, answer: `No ${i}` }),
      ),
    )
    const winner = replies.findIndex(({ status }) => status === 200)
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    // or support has given as much as it may in a day
    for (const reply of replies.filter(({ status }) => status !== 200))
      expect(['request-decided', 'units-need-lead']).toContain(reply.reason)
    const approved = winner % 2 === 0
    expect(await quota()).toBe(approved ? 10_000 + winner : 1000)
    expect(await read()).toMatchObject({
      state: approved ? 'approved' : 'declined',
      answer: { text: approved ? 'As requested' : `No ${winner}` },
    })
    expect(await audit()).toHaveLength(2)
  }
})

test('an approval of many units waits for a second lead, and the tenant’s request with it', async () => {
  const { id, again, answer, read, quota } = await ask(70_000)
  const { requested } = (await lead.mutate('staff.quotaRequests.approve', answer)).data as { requested: string }
  expect(await read()).toMatchObject({ state: 'waiting', answer: null })
  expect(await rowOf(id)).toMatchObject({ state: 'waiting', needsLead: true })
  expect(await again()).toMatchObject({ code: 'CONFLICT', reason: 'units-requested' })
  for (const reply of [
    await other.mutate('staff.quotaRequests.approve', answer),
    await other.mutate('staff.quotaRequests.decline', { id, answer: 'Not now' }),
  ])
    expect(reply).toMatchObject({ reason: 'request-needs-lead' })
  // rejected: it waits for an answer again
  await other.mutate('staff.requests.reject', { id: requested })
  expect(await rowOf(id)).toMatchObject({ state: 'waiting', needsLead: false, granted: null })
  const second = (await lead.mutate('staff.quotaRequests.approve', answer)).data as { requested: string }
  expect((await other.mutate('staff.requests.approve', { id: second.requested })).status).toBe(200)
  expect(await quota()).toBe(70_000)
  expect(await read()).toMatchObject({ state: 'approved', answer: { text: 'As requested', granted: 70_000 } })
})
