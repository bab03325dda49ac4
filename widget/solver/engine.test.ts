import { createHash, randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { compileHashwx } from '../../hashwx/compile.ts'
import { solvePuzzles } from '../../test/support/solver.ts'
import { compileSearch } from '../build/compile.ts'
import type { Engine } from './engine.ts'
import { createScriptEngine } from './script.ts'
import { CONSTANTS } from './table.ts'
import { createWasmEngine } from './wasm.ts'

/** The hash as the contract defines it, by another implementation. */
function digestWord(seed: string, index: number, nonce: number): number {
  const message = Buffer.alloc(24)
  message.write(seed, 'hex')
  message.writeUInt32BE(index, 16)
  message.writeUInt32BE(nonce, 20)
  return createHash('sha256').update(message).digest().readUInt32BE(0)
}

const ALL = 0xffffffff
const randomSeed = () => randomBytes(16).toString('hex')

const ENGINES: [string, () => Promise<Engine>][] = [
  ['in JavaScript', async () => createScriptEngine()],
  ['in WebAssembly', async () => createWasmEngine(await WebAssembly.compile(await compileSearch('scalar')))],
  ['in WebAssembly with vectors', async () => createWasmEngine(await WebAssembly.compile(await compileSearch('simd')))],
]

describe.each(ENGINES)('the engine %s', (_, create) => {
  let engine: Engine
  beforeAll(async () => {
    engine = await create()
  })

  it('computes the same hashes as node:crypto', () => {
    for (let i = 0; i < 300; i++) {
      const seed = randomSeed()
      const index = i * 7919
      const start = randomBytes(4).readUInt32LE()
      const words = [0, 1, 2, 3].map((lane) => digestWord(seed, index, (start + lane) % 2 ** 32))
      const least = Math.min(...words)
      engine.prepare(seed, index, least)
      expect(engine.search(start, 4)).toBe(-1)
      engine.prepare(seed, index, least + 1)
      expect(engine.search(start, 4)).toBe((start + words.indexOf(least)) % 2 ** 32)
    }
  })

  it('finds the first solving nonce', () => {
    for (let index = 0; index < 8; index++) {
      const seed = randomSeed()
      const target = 2 ** 32 / 500
      engine.prepare(seed, index, target)
      let first = 0
      while (digestWord(seed, index, first) >= target) first++
      const fours = first - (first % 4)
      expect(engine.search(0, fours + 4)).toBe(first)
      expect(engine.search(0, fours)).toBe(-1)
    }
  })

  it('compares as unsigned, on both sides of 2^31', () => {
    const seed = '00'.repeat(16)
    const words = Array.from({ length: 64 }, (_, nonce) => digestWord(seed, 0, nonce))
    for (const target of [1, 0x7fffffff, 0x80000000, 0x80000001, ALL]) {
      engine.prepare(seed, 0, target)
      for (let start = 0; start < 64; start += 4) {
        const expected = words.findIndex((word, nonce) => nonce >= start && nonce < start + 4 && word < target)
        expect(engine.search(start, 4)).toBe(expected)
      }
    }
  })

  it('counts nonces beyond 2^31 and wraps after the last', () => {
    const seed = '07'.repeat(16)
    const passes = (nonce: number) => digestWord(seed, 1, nonce) < 2 ** 31
    engine.prepare(seed, 1, 2 ** 31)
    for (const start of [0x7ffffff0, 0x80000000, 0xfffffffe, ALL]) {
      const expected = Array.from({ length: 64 }, (_, i) => (start + i) % 2 ** 32).find(passes)
      expect(engine.search(start, 64)).toBe(expected)
    }
  })

  it('reads the whole seed, to its last bit', () => {
    const seed = 'f'.repeat(31)
    const words = ['e', 'f'].map((digit) => digestWord(seed + digit, 3, 9))
    const [first = 0, second = 0] = words
    engine.prepare(`${seed}${first < second ? 'e' : 'f'}`, 3, Math.max(first, second))
    expect(engine.search(9, 4)).toBe(9)
  })
})

it('the computed round constants are those of FIPS 180-4', () => {
  const published = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
    0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
    0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
    0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  ]
  expect(CONSTANTS.slice(0, 63).map((value) => value >>> 0)).toEqual(published)
  // The last constant includes H[0] and a flipped sign bit.
  expect(((CONSTANTS[63] ?? 0) - 0x6a09e667 - 0x80000000) >>> 0).toBe(0xc67178f2)
})

describe('the engine for HashWX', () => {
  it('solves the puzzles of a challenge as the reference does, with one program or several', async () => {
    for (const span of [2 ** 18, 40]) {
      const engine = await createWasmEngine(await WebAssembly.compile(await compileHashwx('emitter')))
      const seed = randomBytes(32)
      const [target, count] = [2 ** 28, 8]
      const solution = Buffer.alloc(count * 4)
      for (let index = 0; index < count; index++) {
        await engine.prepare(seed.toString('hex'), index, target, span)
        solution.writeUInt32BE(engine.search(0, 4096), index * 4)
      }
      expect(solution.toString('base64url')).toBe(solvePuzzles({ seed: seed.toString('hex'), count, target, span }))
    }
  })

  it('returns nonces as unsigned, wraps after the last, and returns -1 if there is none', async () => {
    const engine = await createWasmEngine(await WebAssembly.compile(await compileHashwx('emitter')))
    await engine.prepare('5a'.repeat(32), 1, ALL, 1000)
    expect(engine.search(0xfffffffe, 4)).toBe(0xfffffffe)
    await engine.prepare('5a'.repeat(32), 1, 1, 1000)
    expect(engine.search(0xfffffffe, 64)).toBe(-1)
    await engine.prepare('5a'.repeat(32), 1, 2 ** 29, 1000)
    let first = -1
    for (let start = 0; first < 0; start++) first = engine.search(start, 1)
    expect(engine.search(0xffffffff - 3, first + 5)).toSatisfy((nonce) => nonce === first || nonce > 0xffffffff - 4)
  })
})
