import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createInstance,
  encodePrograms,
  generateWords,
  hashNonce,
  type Instruction,
  round,
  SOURCE_ORDERS,
} from './hashwx.ts'

type Vectors = {
  round: { in: string[]; outHex: string[] }
  generator: { firstOutputsHex: string[] }
  sourceOrdersSha256: string
  sets: { seed: string; programsSha256: string; vectors: { nonce: string; hash: string }[] }[]
}
const vectors = JSON.parse(readFileSync('sdk/vectors/hashwx.json', 'utf8')) as Vectors

const hex = (value: bigint) => value.toString(16).padStart(16, '0')
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')

test('the round and the generator give the published words', () => {
  expect(round([1n, 2n, 3n, 4n]).map(hex)).toEqual(vectors.round.outHex)
  const words = generateWords(0n, 0n, 0n)
  expect(Array.from({ length: 8 }, () => hex(words.next().value))).toEqual(vectors.generator.firstOutputsHex)
})

test('there are 625 orders of sources, and no instruction reads its own destination', () => {
  expect(SOURCE_ORDERS).toHaveLength(625)
  expect(sha256(SOURCE_ORDERS.flat().join(''))).toBe(vectors.sourceOrdersSha256)
  expect(SOURCE_ORDERS.every((order) => order.every((digit, i) => i === 0 || digit !== i))).toBe(true)
})

test.each(vectors.sets)('the programs and hashes of seed $seed are the published ones', (set) => {
  const instance = createInstance(Buffer.from(set.seed, 'hex'))
  expect(sha256(encodePrograms(instance))).toBe(set.programsSha256)
  for (const { nonce, hash } of set.vectors) expect(hex(hashNonce(instance, BigInt(nonce)))).toBe(hash)
})

const ANY = {
  seed: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  nonce: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
}

function isValid(program: Instruction[]): boolean {
  const destinations = new Set(program.map(({ to }) => to))
  return (
    destinations.size === 8 &&
    program.every(({ code, to, from, n }, slot) => {
      if (to < 0 || to > 7 || from === to) return false
      if (slot === 0) return code === 3 && (from === 8 || from === 9) && n >= 1 && n <= 63
      if (from < 0 || from > 7) return false
      if (slot % 2 === 0) return code >= 0 && code <= 2 && [1, 9, 33].includes(n)
      return code >= 4 && code <= 12 && n >= 1 && n <= (code < 7 ? 63 : 3)
    })
  )
}

test('any 32 bytes give valid programs, and any nonce a hash', () => {
  fc.assert(
    fc.property(ANY.seed, ANY.nonce, (seed, nonce) => {
      const instance = createInstance(Buffer.from(seed))
      const hash = hashNonce(instance, nonce)
      return instance.programs.length === 32 && instance.programs.every(isValid) && hash >= 0n && hash < 2n ** 64n
    }),
    { numRuns: 300 },
  )
})
