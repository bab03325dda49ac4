import { expect, test } from 'vitest'
import { newSecretKey } from '../sites/keys.ts'
import { readQuery } from './read.ts'

const UUID = '01a2b3c4-d5e6-7f80-9a0b-1c2d3e4f5061'
const HEX = UUID.replaceAll('-', '')

test.each([
  [`dec_${HEX}`, { shape: 'decision', id: UUID }],
  [` "req_${HEX}". `, { shape: 'request', id: UUID }],
  [UUID.toUpperCase(), { shape: 'uuid', id: UUID }],
  [HEX, { shape: 'uuid', id: UUID }],
  ['tg_site_0123456789abcdefABCD', { shape: 'sitekey', sitekey: 'tg_site_0123456789abcdefABCD' }],
  ['Ref. 89ABCDEF', { shape: 'reference', tail: '89abcdef', text: 'Ref. 89ABCDEF' }],
  ['ref: 89ab cdef', { shape: 'reference', tail: '89abcdef', text: 'ref: 89ab cdef' }],
  ['89abcdef', { shape: 'reference', tail: '89abcdef', text: '89abcdef' }],
  ['Mara@Example.com', { shape: 'email', email: 'mara@example.com' }],
  ['pennywheel', { shape: 'name', text: 'pennywheel' }],
  ['dec_123', { shape: 'name', text: 'dec_123' }],
  ['   ', undefined],
])('%s is recognised by its shape', (typed, read) => {
  expect(readQuery(typed)).toEqual(read)
})

test('recognises a secret key anywhere in the text and drops a mistyped one', () => {
  const secret = newSecretKey()
  expect(readQuery(`Authorization: Bearer ${secret}`)).toEqual({ shape: 'secret', secret })
  expect(readQuery(secret.slice(0, -1))).toEqual({ shape: 'secret', secret: undefined })
})
