import { expect, test } from 'vitest'
import { diffFields, isChanged } from './Diff.tsx'
import { fieldLabel, fieldText } from './fields.ts'

test('each field is listed once, with its old and new value', () => {
  expect(diffFields({ name: 'Old', require2fa: false }, { name: 'New', require2fa: false, quota: 5 })).toEqual([
    { field: 'name', before: 'Old', after: 'New' },
    { field: 'require2fa', before: false, after: false },
    { field: 'quota', before: undefined, after: 5 },
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

test('fields and values are in words', () => {
  const said = (action: string, values: object) =>
    Object.entries(values).map(([field, value]) => `${fieldLabel(action, field)}: ${fieldText(action, field, value)}`)
  expect(said('secret.rotate', { last4: 'ThNg', overlap: 86_400, ended: 1 })).toEqual([
    'Key: …ThNg',
    'Older secrets: end after 24 h',
    'Ended: 1 older secret',
  ])
  expect(said('key.create', { days: null, scopes: ['usage:read', 'sites:read'], sites: [] })).toEqual([
    'Expires after: never',
    'Scopes: usage:read, sites:read',
    'Sites: none',
  ])
  expect(said('session.revoke_others', { ended: 2 })).toEqual(['Ended: 2 sessions'])
  expect(said('usage.set_alerts', { percents: [80, 100] })).toEqual(['E-mail at: 80%, 100%'])
  expect(said('site.set_policy', { workMode: 'attack', baseWork: 500_000, grantMaxTtl: 3600 })).toEqual([
    'Mode: Permanent attack mode',
    'Base difficulty: 500,000',
    'Max lifetime: 1 h',
  ])
  expect(said('site.set_policy', { baseWork: 1_048_576 })).toEqual(['Base difficulty: Standard (1,048,576)'])
  expect(said('site.set_policy', { baseWork: 4_194_304 })).toEqual(['Base difficulty: Strict (4,194,304)'])
  expect(said('network.add', { verdict: 'dear' })).toEqual(['Effect: Difficulty ×4'])
  expect(said('view_as.start', { read_only: true, someField: { of: 1 } })).toEqual([
    'Read only: yes',
    'Some field: {"of":1}',
  ])
})
