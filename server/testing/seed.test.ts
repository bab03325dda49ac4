import { afterAll, beforeAll, expect, test } from 'vitest'
import { seed } from '../../prisma/seed.ts'
import { admitOperator } from '../accounts/access.ts'
import { openTestApp, type TestApp } from './app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

test('seeding again finds everything and adds nothing', async () => {
  const operator = admitOperator(app.ctx, 'test')
  const counts = async () =>
    (
      await app.sql.query(
        `select (select count(*) from tenant) as tenants, (select count(*) from site) as sites, (select count(*) from member) as members,
          (select count(*) from "user") as people, (select count(*) from audit_event) as changes`,
      )
    ).rows
  const first = await seed(operator)
  const before = await counts()
  const again = await seed(operator)
  expect(await counts()).toEqual(before)
  expect(again.secret).toBeUndefined()
  expect(again.site.id).toBe(first.site.id)
  expect(again.people.map(({ role }) => role)).toEqual([
    'owner',
    'admin',
    'developer',
    'billing',
    'viewer',
    'staff lead',
  ])
})
