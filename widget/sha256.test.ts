import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { generateRounds } from './sha256.generate.ts'
import { createJsEngine } from './sha256.ts'

/** The contract's own words, by another implementation. */
function digestWord(seed: Uint8Array, index: number, nonce: number): number {
  const message = Buffer.alloc(24)
  message.set(seed)
  message.writeUInt32BE(index, 16)
  message.writeUInt32BE(nonce, 20)
  return createHash('sha256').update(message).digest().readUInt32BE(0)
}

const ALL = 0xffffffff

describe('the JavaScript engine', () => {
  const engine = createJsEngine()

  it('agrees with node:crypto about every single hash', () => {
    for (let i = 0; i < 300; i++) {
      const seed = randomBytes(16)
      const index = i * 7919
      const nonce = seed.readUInt32LE()
      const word = digestWord(seed, index, nonce)
      engine.prepare(seed, index, word)
      expect(engine.search(nonce, 1)).toBe(-1)
      engine.prepare(seed, index, Math.min(word + 1, ALL))
      expect(engine.search(nonce, 1)).toBe(nonce)
    }
  })

  it('finds the first solving nonce, as a plain search does', () => {
    for (let index = 0; index < 8; index++) {
      const seed = randomBytes(16)
      const target = 2 ** 32 / 500
      engine.prepare(seed, index, target)
      let first = 0
      while (digestWord(seed, index, first) >= target) first++
      expect(engine.search(0, first + 1)).toBe(first)
      expect(first === 0 ? -1 : engine.search(0, first)).toBe(-1)
    }
  })

  it('compares as unsigned, on both sides of 2^31', () => {
    const seed = new Uint8Array(16)
    const words = Array.from({ length: 64 }, (_, nonce) => digestWord(seed, 0, nonce))
    for (const target of [1, 0x7fffffff, 0x80000000, 0x80000001, ALL]) {
      engine.prepare(seed, 0, target)
      const found = words.map((_, nonce) => engine.search(nonce, 1) === nonce)
      expect(found).toEqual(words.map((word) => word < target))
    }
  })

  it('counts nonces beyond 2^31 and wraps after the last', () => {
    const seed = new Uint8Array(16).fill(7)
    const passes = (nonce: number) => digestWord(seed, 1, nonce) < 2 ** 31
    engine.prepare(seed, 1, 2 ** 31)
    for (const start of [0x7ffffff0, 0x80000000, 0xfffffffe, ALL]) {
      const expected = Array.from({ length: 64 }, (_, i) => (start + i) % 2 ** 32).find(passes)
      expect(engine.search(start, 64)).toBe(expected)
    }
  })

  it('reads a seed that is a part of a larger buffer', () => {
    const bytes = randomBytes(40)
    const seed = new Uint8Array(bytes.buffer, bytes.byteOffset + 5, 16)
    engine.prepare(seed, 3, digestWord(seed, 3, 9) + 1)
    expect(engine.search(9, 1)).toBe(9)
  })
})

it('the committed rounds are what the generator writes', () => {
  expect(readFileSync(new URL('sha256.rounds.ts', import.meta.url), 'utf8')).toBe(generateRounds())
})
