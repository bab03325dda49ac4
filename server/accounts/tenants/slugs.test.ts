import { expect, test } from 'vitest'
import { makeOwnedTenant } from '../../../test/support/tenant.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { admitOperator, type MemberCtx } from '../access.ts'
import { createTenant } from './create.ts'
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
