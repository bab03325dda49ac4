import { expect, test } from 'vitest'
import { may, type Permission, ROLES, type Role } from '../../server/contract/permissions.ts'
import { mayOpen, offeredPages } from './nav.ts'

test('a page is offered to the roles that may read it', () => {
  const opens = (role: Role, path: string) => mayOpen(path, (permission) => may(role, permission))
  for (const path of ['/o/shop/incidents/1', '/o/shop/decisions/1', '/o/shop/sites/1/integrate']) {
    expect(opens('viewer', path)).toBe(true)
    expect(opens('billing', path)).toBe(false)
  }
  expect(opens('billing', '/o/shop/sites/1')).toBe(true)
  expect(opens('billing', '/o/shop/usage')).toBe(true)
  expect(opens('developer', '/o/shop/usage')).toBe(false)
})

test('settings are offered to whom one of its pages is useful, and everyone may read them', () => {
  const offers = (may: (permission: Permission) => boolean) =>
    offeredPages(may).some(({ to }) => to === '/o/$tenant/settings')
  const offered = ROLES.filter((role) => offers((permission) => may(role, permission)))
  expect(offered).toEqual(['owner', 'admin'])
  // staff who view as an admin may read only
  expect(offers((permission) => permission.endsWith('.read') && may('admin', permission))).toBe(true)
  for (const role of ROLES) expect(mayOpen('/o/shop/settings', (permission) => may(role, permission))).toBe(true)
})
