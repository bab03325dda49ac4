import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKeyring } from '../../kit/crypto/keyring.ts'
import type { Fields } from './fields.ts'
import { open, seal } from './seal.ts'

const one = { id: 'k1', key: Buffer.alloc(32, 1) }
const two = { id: 'k2', key: Buffer.alloc(32, 2) }
const ring = createKeyring([one])
const fields = fc.array(
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  { maxLength: 8 },
)

const bytesOf = (opened: Fields | undefined) =>
  opened && Array.from({ length: opened.count }, (_, i) => opened.bytes(i))

test('opens a seal unchanged, for its purpose only', () => {
  fc.assert(
    fc.property(fields, (parts) => {
      const text = seal(ring, 'token', parts)
      expect(text).toMatch(/^[A-Za-z0-9_-]+$/)
      expect(bytesOf(open(ring, 'token', text))).toEqual(parts)
      expect(open(ring, 'challenge', text)).toBeUndefined()
    }),
  )
})

test('no byte can move from one field into the next', () => {
  const apart = seal(ring, 'token', [Buffer.from('ab'), Buffer.from('c')])
  const moved = seal(ring, 'token', [Buffer.from('a'), Buffer.from('bc')])
  expect(apart.slice(-43)).not.toBe(moved.slice(-43))
})

test('does not open a seal that is altered, shortened, lengthened or encoded differently', () => {
  fc.assert(
    fc.property(fields, fc.nat(), fc.integer({ min: 1, max: 255 }), (parts, position, flip) => {
      const text = seal(ring, 'token', parts)
      const bytes = Buffer.from(text, 'base64url')
      const at = position % bytes.length
      bytes[at] = (bytes[at] ?? 0) ^ flip
      expect(open(ring, 'token', bytes.toString('base64url'))).toBeUndefined()
      for (const wrong of [
        text.slice(1),
        text.slice(0, -1),
        `${text}A`,
        `${text}=`,
        ` ${text}`,
        text.slice(0, position % text.length),
      ]) {
        expect(open(ring, 'token', wrong)).toBeUndefined()
      }
    }),
  )
})

test('does not open arbitrary text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(open(ring, 'token', text)).toBeUndefined()
    }),
  )
})

test('after a rotation, seals with the new key and opens with both, until the old key is removed', () => {
  const old = seal(ring, 'token', [Buffer.from('x')])
  const rotated = createKeyring([two, one])
  expect(bytesOf(open(rotated, 'token', old))).toEqual([Buffer.from('x')])
  expect(bytesOf(open(createKeyring([two]), 'token', seal(rotated, 'token', [Buffer.from('y')])))).toEqual([
    Buffer.from('y'),
  ])
  expect(open(createKeyring([two]), 'token', old)).toBeUndefined()
})

test('does not open another deployment’s seal with the same key id', () => {
  expect(
    open(createKeyring([{ id: 'k1', key: Buffer.alloc(32, 9) }]), 'token', seal(ring, 'token', [])),
  ).toBeUndefined()
})
