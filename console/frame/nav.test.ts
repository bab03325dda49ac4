import { expect, test } from 'vitest'
import { may, type Role } from '../../server/contract/permissions.ts'
import { mayOpen } from './nav.ts'

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
