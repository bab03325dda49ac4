import { expect, test } from 'vitest'
import { testApp } from '../../../test/support/testApp.ts'
import { admitOperator } from '../access.ts'
import { createTenant, slugOf } from './create.ts'

const app = testApp()

test.each([
  ['Café Zoë & Söhne', 'cafe-zoe-sohne'],
  ['Nora’s Bakery', 'noras-bakery'],
  ['  -- ', 'tenant'],
  ['a'.repeat(60), 'a'.repeat(40)],
])('makes a slug from the name %j', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})

test('gives tenants of one name that are created at once different slugs', async () => {
  const operator = admitOperator(app.ctx, 'test')
  for (const name of ['Harbor', 'Quarry', 'Orchard', 'Foundry']) {
    const made = await Promise.all(Array.from({ length: 8 }, () => createTenant(operator, { name, quota: 1 })))
    const slugs = made.map(({ slug }) => slug)
    expect(new Set(slugs).size).toBe(8)
    expect(slugs.filter((slug) => slug === slugOf(name))).toHaveLength(1)
  }
})

test('gives a slug that was asked for to one of those who ask at once, and refuses the others', async () => {
  const operator = admitOperator(app.ctx, 'test')
  const asked = await Promise.allSettled(
    Array.from({ length: 4 }, () => createTenant(operator, { name: 'Quay', slug: 'quay', quota: 1 })),
  )
  const refused = asked.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []))
  expect(refused).toEqual(Array.from({ length: 3 }, () => expect.stringContaining('The slug "quay" is taken.')))
})
