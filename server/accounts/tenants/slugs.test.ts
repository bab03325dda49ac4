import { expect, test } from 'vitest'
import { makeOwnedTenant } from '../../../test/support/tenant.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { admitOperator, type MemberCtx } from '../access.ts'
import { createTenant, slugOf } from './create.ts'
import { deleteTenant } from './delete.ts'
import { updateTenant } from './update.ts'

const app = testApp()

const operator = () => admitOperator(app.ctx, 'test')
const create = (slug: string) => createTenant(operator(), { name: 'Other', slug, quota: 1 })
const taken = (slug: string) => `The slug "${slug}" is taken.`

/** A new tenant's owner. */
async function owner(): Promise<MemberCtx> {
  const { tenant, owner: person } = await makeOwnedTenant(app)
  const row = await app.ctx.prisma.tenant.findUniqueOrThrow({ where: { id: tenant.id } })
  const user = await app.ctx.prisma.user.findUniqueOrThrow({ where: { id: person.userId } })
  return { ...operator(), tenant: row, user, role: 'owner' } as unknown as MemberCtx
}

test('a slug that a tenant gave up is held for 90 days, except for that tenant', async () => {
  const [one, two] = [await owner(), await owner()]
  const { slug } = one.tenant
  await updateTenant(one, { slug: `${slug}-new` })
  await expect(create(slug)).rejects.toThrow(taken(slug))
  await expect(updateTenant(two, { slug })).rejects.toThrow(taken(slug))
  await updateTenant(one, { slug })
  await updateTenant(one, { slug: `${slug}-new` })
  await app.sql.query("update slug_hold set until = until - interval '89 days' where slug = $1", [slug])
  await expect(create(slug)).rejects.toThrow(taken(slug))
  await app.sql.query("update slug_hold set until = until - interval '1 day' where slug = $1", [slug])
  expect(await create(slug)).toMatchObject({ slug })
})

test("a deleted tenant's slug is held, and a slug made from a name gets a suffix", async () => {
  const gone = await owner()
  const { slug } = gone.tenant
  await deleteTenant(gone, { confirm: slug })
  await expect(create(slug)).rejects.toThrow(taken(slug))
  const other = await createTenant(operator(), { name: slug, quota: 1 })
  expect(other.slug).not.toBe(slug)
  expect(other.slug.startsWith(slug.slice(0, 33))).toBe(true)
})

test.each([
  ['Café Zoë & Söhne', 'cafe-zoe-sohne'],
  ['Nora’s Bakery', 'noras-bakery'],
  ['  -- ', 'tenant'],
  ['a'.repeat(60), 'a'.repeat(40)],
])('makes a slug from the name %j', (name, slug) => {
  expect(slugOf(name, 'tenant')).toBe(slug)
})

test('gives tenants of one name that are created at once different slugs', async () => {
  for (const name of ['Harbor', 'Quarry', 'Orchard', 'Foundry']) {
    const made = await Promise.all(Array.from({ length: 8 }, () => createTenant(operator(), { name, quota: 1 })))
    const slugs = made.map(({ slug }) => slug)
    expect(new Set(slugs).size).toBe(8)
    expect(slugs.filter((slug) => slug === slugOf(name, 'tenant'))).toHaveLength(1)
  }
})

test('gives a slug that was asked for to one of those who ask at once, and refuses the others', async () => {
  const asked = await Promise.allSettled(
    Array.from({ length: 4 }, () => createTenant(operator(), { name: 'Quay', slug: 'quay', quota: 1 })),
  )
  const refused = asked.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []))
  expect(refused).toEqual(Array.from({ length: 3 }, () => expect.stringContaining('The slug "quay" is taken.')))
})
