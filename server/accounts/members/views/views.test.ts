import { expect, test } from 'vitest'
import type { SignedIn } from '../../../../test/support/browser.ts'
import { makeMember, makeTenant } from '../../../../test/support/tenant.ts'
import { setUp, testApp } from '../../../../test/support/testApp.ts'

const app = testApp()
const tenant = setUp(() => makeTenant(app))

const save = (person: SignedIn, name: string, search: object = { slow: 5000, action: 'login' }) =>
  person.mutate('views.save', { tenant: tenant.slug, page: 'decisions', name, search })
const list = async (person: SignedIn) =>
  (await person.query('views.list', { tenant: tenant.slug, page: 'decisions' })).data as { name: string }[]

test('saves a view for its member only and replaces a view of the same name', async () => {
  const [person, colleague] = [await makeMember(app, tenant, 'viewer'), await makeMember(app, tenant, 'viewer')]
  await save(person, ' Slow ')
  expect(await list(person)).toMatchObject([{ name: 'Slow', search: { slow: 5000, action: 'login' } }])
  await save(person, 'Slow', { device: 'mobile' })
  expect(await list(person)).toMatchObject([{ name: 'Slow', search: { device: 'mobile' } }])
  expect(await list(colleague)).toEqual([])
  const gone = { tenant: tenant.slug, page: 'decisions', name: 'Slow' }
  expect((await colleague.mutate('views.delete', gone)).code).toBe('NOT_FOUND')
  expect((await person.mutate('views.delete', gone)).status).toBe(200)
  expect(await list(person)).toEqual([])
})

test('allows 20 views, each of which can still be replaced', async () => {
  const person = await makeMember(app, tenant, 'developer')
  for (let n = 1; n <= 20; n++) expect((await save(person, `View ${n}`)).status).toBe(200)
  expect((await save(person, 'One more')).code).toBe('CONFLICT')
  expect((await save(person, 'View 7', {})).status).toBe(200)
  expect(await list(person)).toHaveLength(20)
})

test('refuses a filter that does not fit into a URL', async () => {
  const person = await makeMember(app, tenant, 'developer')
  const long = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`p${i}`, 1]))
  for (const search of [{ a: null }, { a: { b: 1 } }, { a: 'x'.repeat(254) }, long])
    expect((await save(person, 'Odd', search)).code).toBe('BAD_REQUEST')
  expect((await save(person, ' ')).code).toBe('BAD_REQUEST')
})
