import { expect, test } from 'vitest'
import { makePerson } from '../../test/support/browser.ts'
import { makeSite } from '../../test/support/make.ts'
import { makeStaff } from '../../test/support/staff.ts'
import { makeOwnedTenant } from '../../test/support/tenant.ts'
import { testApp } from '../../test/support/testApp.ts'

const app = testApp({ SITES_PER_TENANT: '3' })

type Bounded = {
  /** The call of the number `i`. */
  call: (i: number) => Promise<{ status: number }>
  /** What counts, before and after. */
  count: () => Promise<number>
  most: number
}

/** How many rows of a table have the value in the column. */
const counted =
  (table: string, column: string, value: string, where = 'true') =>
  async () =>
    (
      await app.rows<{ n: number }>(`select count(*)::int as n from ${table} where ${column} = $1 and ${where}`, [
        value,
      ])
    )[0]?.n ?? 0

async function ofTenant() {
  const made = await makeOwnedTenant(app)
  const { siteId } = await makeSite(app.ctx, { tenantId: made.tenant.id })
  return { ...made, slug: made.tenant.slug, siteId }
}

const CASES: Record<string, () => Promise<Bounded>> = {
  'sites of a tenant': async () => {
    const { owner, slug, tenant } = await ofTenant()
    return {
      call: (i) => owner.mutate('sites.create', { tenant: slug, name: `Site ${i}`, hostnames: ['shop.example'] }),
      count: counted('site', 'tenant_id', tenant.id),
      most: 3,
    }
  },
  'hostnames of a site': async () => {
    const { owner, slug, tenant, siteId } = await ofTenant()
    const present = await counted('hostname', 'site_id', siteId)()
    await app.ctx.prisma.hostname.createMany({
      data: Array.from({ length: 198 - present }, (_, i) => ({
        siteId,
        tenantId: tenant.id,
        hostname: `h${i}.example`,
      })),
    })
    return {
      call: (i) => owner.mutate('hostnames.add', { tenant: slug, site: siteId, hostname: `at-once-${i}.example` }),
      count: counted('hostname', 'site_id', siteId),
      most: 200,
    }
  },
  'open invitations to an address': async () => {
    const { owner, slug, tenant } = await ofTenant()
    return {
      call: () => owner.mutate('members.invite', { tenant: slug, email: 'one@people.example', role: 'viewer' }),
      count: counted('invitation', 'tenant_id', tenant.id, 'revoked_at is null'),
      most: 1,
    }
  },
  'tenants that a person owns': async () => {
    const person = await makePerson(app)
    for (let i = 0; i < 8; i++) await person.mutate('tenants.create', { name: `Before ${i}` })
    return {
      call: (i) => person.mutate('tenants.create', { name: `At once ${i}` }),
      count: counted('member', 'user_id', person.userId),
      most: 10,
    }
  },
  'active views of a member of staff as a tenant': async () => {
    const { slug } = await ofTenant()
    const staff = await makeStaff(app, 'support')
    return {
      call: () => staff.mutate('staff.tenants.viewAs', { tenant: slug, reason: 'Ticket 4711' }),
      count: counted('view_as', 'user_id', staff.userId, 'ended_at is null'),
      most: 1,
    }
  },
  'requests for units of a tenant that wait': async () => {
    const { owner, slug, tenant } = await ofTenant()
    return {
      call: () => owner.mutate('usage.requestUnits', { tenant: slug, units: 5000, reason: 'A sale' }),
      count: counted('quota_request', 'tenant_id', tenant.id, "state = 'waiting'"),
      most: 1,
    }
  },
}

test.each(Object.entries(CASES))('%s: twelve calls at once stay within the bound', async (_, start) => {
  const { call, count, most } = await start()
  const before = await count()
  const replies = await Promise.all(Array.from({ length: 12 }, (_, i) => call(i)))
  const succeeded = replies.filter(({ status }) => status === 200).length
  expect(await count()).toBeLessThanOrEqual(most)
  expect(succeeded).toBeGreaterThan(0)
  expect(await count()).toBeGreaterThan(Math.min(before, most - 1))
})
