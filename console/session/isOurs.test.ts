import { expect, test } from 'vitest'
import { isOurs } from './isOurs.ts'

const OURS = 'https://tollgate.example'

test.each(['/', '/o/acme/sites?create=true', '/invite/1#x'])('after signing in, %s is gone to', (next) => {
  expect(isOurs(next, OURS)).toBe(true)
})

test.each([
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  '',
])('after signing in, %j leads nowhere else', (next) => {
  expect(isOurs(next, OURS)).toBe(false)
})
