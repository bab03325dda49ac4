import { expect, test } from 'vitest'
import { isOwnPath } from './home.ts'

const ORIGIN = 'https://tollgate.example'

test.each(['/', '/o/acme/sites?create=true', '/invite/1#x'])('%s is a path of this origin', (next) => {
  expect(isOwnPath(next, ORIGIN)).toBe(true)
})

test.each([
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  '',
])('%j is not a path of this origin', (next) => {
  expect(isOwnPath(next, ORIGIN)).toBe(false)
})
