import { expect, test } from 'vitest'
import { readVectors } from '../../testing/vectors.ts'
import { hashSession, hashSubject } from './hash.ts'

const { accept, refuse } = readVectors('hashes')

const keyOf = ({ key, key_hex }: { key?: unknown; key_hex?: string }) =>
  (key_hex === undefined ? key : Buffer.from(key_hex, 'hex')) as string

test.each(accept)('a $kind of its value: $value', ({ kind, value, hash, ...key }) => {
  expect((kind === 'session' ? hashSession : hashSubject)(keyOf(key), value)).toBe(hash)
})

test.each(refuse)('refuses $name without repeating it in the message', ({ value, says = 'hash', ...key }) => {
  for (const hash of [hashSession, hashSubject]) {
    const make = () => hash(keyOf(key), value as string)
    expect(make).toThrow(TypeError)
    expect(make).toThrow(says)
    expect(make).not.toThrow('tg_secret_')
  }
})

test('a session and a subject of the same value have different hashes', () => {
  const key = 'a key of the shop alone'
  expect(hashSession(key, 'ada')).not.toBe(hashSubject(key, 'ada'))
})
