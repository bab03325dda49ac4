import { expect, test } from 'vitest'
import { isSameContent, readFields, readOne } from './fields.ts'

const order = { product: 'lamp', quantity: '3', name: ' Ada ', email: 'ada@example.com', address: '1 Road\r\nTown' }

test('a complete order is trimmed and priced by the shop, whatever total was sent', () => {
  const { payload, faults } = readFields('checkout', new URLSearchParams({ ...order, total: '1' }))
  expect(faults).toEqual({})
  expect(payload).toEqual({ ...order, name: 'Ada', address: '1 Road\nTown', total: '18600' })
})

test.each([
  ['product', 'helmet'],
  ['quantity', '0'],
  ['quantity', '1e3'],
  ['name', 'a\u0000b'],
  ['name', 'x'.repeat(81)],
  ['email', 'ada@example'],
  ['email', 'ada @example.com'],
  ['address', '1\n2\n3\n4\n5\n6\n7'],
  ['address', 'x'.repeat(301)],
])('a wrong %s is found and what was typed is kept: %j', (field, value) => {
  const { payload, faults } = readFields('checkout', new URLSearchParams({ ...order, [field]: value }))
  expect(Object.keys(faults)).toEqual([field])
  expect(payload[field]).toBe(value)
})

test('two payloads are the same if the visitor’s own fields are', () => {
  const { payload } = readFields('checkout', new URLSearchParams(order))
  const again = readFields('checkout', new URLSearchParams({ ...order, name: 'Ada ', address: '1 Road\nTown' }))
  expect(isSameContent('checkout', payload, { ...again.payload, total: '1' })).toBe(true)
  for (const field of Object.keys(order)) {
    expect([field, isSameContent('checkout', payload, { ...payload, [field]: 'x' })]).toEqual([field, false])
  }
})

test('a field that was sent twice counts as missing', () => {
  expect(readOne(new URLSearchParams('a=1&a=2'), 'a')).toBe('')
})
