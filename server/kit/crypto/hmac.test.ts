import { createHmac as nodeHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHmac } from './hmac.ts'

const bytes = (maxLength: number) => fc.uint8Array({ maxLength })

test('computes what Node.js computes, for any key and message', () => {
  fc.assert(
    fc.property(bytes(64), bytes(20), bytes(300), (key, label, message) => {
      const own = createHmac(Buffer.from(key))
      const expected = nodeHmac('sha256', key).update(label).update(message).digest('binary')
      expect(own(label, message)).toBe(expected)
      expect(own(label, message)).toBe(expected)
    }),
  )
})

test('refuses a key that HMAC would have to hash first', () => {
  expect(() => createHmac(Buffer.alloc(65))).toThrow('longer than 64 bytes')
})
