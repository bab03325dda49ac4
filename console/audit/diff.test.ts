import { expect, test } from 'vitest'
import { diff, isChanged } from './diff.ts'

test('each field of either side stands once, with what it was and is', () => {
  expect(diff({ name: 'Old', require2fa: false }, { name: 'New', require2fa: false, quota: 5 })).toEqual([
    { field: 'name', before: 'Old', after: 'New' },
    { field: 'require2fa', before: 'false', after: 'false' },
    { field: 'quota', before: undefined, after: '5' },
  ])
})

test('an event that tells nothing has no lines', () => {
  expect(diff(null, null)).toEqual([])
})

test('what is gone and what is new count as changed, what stays does not', () => {
  const lines = diff({ gone: 1, same: ['a'] }, { same: ['a'], new: null })
  expect(lines.map((line) => [line.field, isChanged(line)])).toEqual([
    ['gone', true],
    ['same', false],
    ['new', true],
  ])
})
