import { expect, test } from 'vitest'
import { diffFields, isChanged } from './Diff.tsx'

test('each field is listed once, with its old and new value', () => {
  expect(diffFields({ name: 'Old', require2fa: false }, { name: 'New', require2fa: false, quota: 5 })).toEqual([
    { field: 'name', before: 'Old', after: 'New' },
    { field: 'require2fa', before: 'false', after: 'false' },
    { field: 'quota', before: undefined, after: '5' },
  ])
})

test('an event without values has no fields', () => {
  expect(diffFields(null, null)).toEqual([])
})

test('removed and added fields count as changed, equal fields do not', () => {
  const lines = diffFields({ gone: 1, same: ['a'] }, { same: ['a'], new: null })
  expect(lines.map((line) => [line.field, isChanged(line)])).toEqual([
    ['gone', true],
    ['same', false],
    ['new', true],
  ])
})
