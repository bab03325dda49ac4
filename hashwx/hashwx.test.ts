import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { createInstance, hashNonce, programSeed } from '../test/support/hashwx.ts'
import { compileHashwx } from './compile.ts'

type Emitter = {
  memory: { buffer: ArrayBuffer }
  emit: (index: number, target: number, span: number) => number
}
type Emitted = {
  hash: (nonce: bigint) => bigint
  search: (index: number, start: number, tries: number, target: number) => number
}
type Verifier = {
  memory: { buffer: ArrayBuffer }
  prepare: () => void
  hash: (nonce: bigint) => bigint
  hashWord: (high: number, low: number) => number
}
type Vectors = { sets: { seed: string; programsSha256: string; vectors: { nonce: string; hash: string }[] }[] }

const vectors = JSON.parse(readFileSync('sdk/vectors/hashwx.json', 'utf8')) as Vectors
/** Addresses in a module's memory: assembly/layout.ts. */
const [SEED, PROGRAMS, OUTPUT] = [40, 3072, 8192]
const CASES = Array.from({ length: 40 }, () => randomBytes(32))

const nonces = (count: number) => Array.from({ length: count }, () => randomBytes(8).readBigUInt64LE())
const unsigned = (value: bigint) => BigInt.asUintN(64, value)

const load = (bytes: Uint8Array): object => new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports

let emitter: Emitter
let verifier: Verifier
beforeAll(async () => {
  emitter = load(await compileHashwx('emitter')) as Emitter
  verifier = load(await compileHashwx('verifier')) as Verifier
})

/** The module of a challenge's program. */
function emit(challenge: Buffer, program: number): Emitted {
  const memory = new Uint8Array(emitter.memory.buffer)
  memory.set(Buffer.from(challenge).swap32())
  // puzzles of 2^31 expected hashes each, and as many per program
  const end = emitter.emit(program, 2, 2 ** 31)
  return load(memory.slice(OUTPUT, end)) as Emitted
}

function prepare(seed: Buffer): void {
  new Uint8Array(verifier.memory.buffer).set(seed, SEED)
  verifier.prepare()
}

describe('the verifier', () => {
  test('gives the published programs and hashes', () => {
    for (const { seed, programsSha256, vectors: all } of vectors.sets) {
      prepare(Buffer.from(seed, 'hex'))
      const programs = new Uint8Array(verifier.memory.buffer, PROGRAMS, 1024)
      expect(createHash('sha256').update(programs).digest('hex')).toBe(programsSha256)
      for (const { nonce, hash } of all) expect(unsigned(verifier.hash(BigInt(nonce)))).toBe(BigInt(`0x${hash}`))
    }
  })

  test('computes the same hashes as the reference', () => {
    for (const seed of CASES) {
      prepare(seed)
      const instance = createInstance(seed)
      for (const nonce of nonces(50)) {
        const hash = hashNonce(instance, nonce)
        expect(unsigned(verifier.hash(nonce))).toBe(hash)
        expect(verifier.hashWord(Number(nonce >> 32n), Number(nonce & 0xffffffffn)) >>> 0).toBe(Number(hash >> 32n))
      }
    }
  })
})

describe('the emitted module', () => {
  test('computes the same hashes as the reference', () => {
    for (const challenge of CASES) {
      const program = randomBytes(4).readUInt32LE()
      const { hash } = emit(challenge, program)
      const instance = createInstance(programSeed(challenge, program))
      for (const nonce of nonces(50)) expect(unsigned(hash(nonce))).toBe(hashNonce(instance, nonce))
    }
  })

  test('finds the first nonce below the target, compared as unsigned', () => {
    const challenge = randomBytes(32)
    const { search } = emit(challenge, 3)
    const instance = createInstance(programSeed(challenge, 3))
    const index = 0x8000000f
    const word = (n: number) => Number(hashNonce(instance, (BigInt(index) << 32n) | BigInt(n)) >> 32n)
    const starts = [0, 5, 0x7ffffffa, 0xfffffff8]
    for (const start of starts) {
      const words = Array.from({ length: 40 }, (_, i) => word((start + i) % 2 ** 32))
      for (const target of [1, 2 ** 28, 0x7fffffff, 0x80000000, 0xffffffff]) {
        const first = words.findIndex((found) => found < target)
        expect(search(index, start, words.length, target)).toBe(first < 0 ? -1 : (start + first) % 2 ** 32)
        const before = first > 0 ? search(index, start, first, target) : -1
        expect(before).toBe(-1)
      }
    }
  })

  test('is of the program of a puzzle, and is not emitted again for the next puzzle of the same program', () => {
    const seeds = new Uint8Array(emitter.memory.buffer, 0, 32)
    for (const [target, span] of [
      [2 ** 20, 2 ** 18],
      [2 ** 12, 2 ** 18],
      [0xffffffff, 5],
      [1, 0xffffffff],
    ] as const) {
      seeds.set(randomBytes(32))
      let previous: bigint | undefined
      emitter.emit(0xffffffff, 1, 1)
      for (let index = 0; index < 16; index++) {
        const program = (BigInt(index) * 2n ** 32n) / (BigInt(target) * BigInt(span))
        expect(emitter.emit(index, target, span) > 0).toBe(program !== previous)
        previous = program
        const seed = Buffer.from(emitter.memory.buffer, SEED, 32)
        const challenge = Buffer.from(emitter.memory.buffer.slice(0, 32)).swap32()
        expect(seed.equals(programSeed(challenge, Number(program)))).toBe(true)
      }
    }
  })

  test('is emitted again for another program, with nothing of the previous one', () => {
    const [one, two] = [randomBytes(32), randomBytes(32)]
    const before = emit(one, 0).hash(1n)
    expect(emit(two, 1).hash(1n)).not.toBe(before)
    expect(emit(one, 2).hash(1n)).not.toBe(before)
    expect(emit(one, 0).hash(1n)).toBe(before)
  })
})
