import type { Engine } from './engine.ts'
import { searchRounds } from './sha256.rounds.ts'

/** Round constants 0–19; those after that are literals in the rounds. */
const CONSTANTS = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc,
]
const INITIAL = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19]
const MESSAGE_BITS = 24 * 8

/** The engine in plain JavaScript: runs everywhere, about 6 MH/s on a desktop core. */
export function createJsEngine(): Engine {
  let table = new Int32Array(0)
  let goal = 0
  return {
    prepare: (seed, index, target) => {
      table = prepareTable(seed, index)
      goal = target ^ 0x80000000
    },
    search: (start, tries) => searchRounds(table, goal, start, tries),
  }
}

/**
 * All of SHA-256(seed ‖ uint32be(index) ‖ nonce) that does not depend on the nonce, in the order in which the rounds
 * read it: constant + word of rounds 6–19, the nonce-free part of words 20–35, the registers after round 5.
 * `seed` is 16 bytes.
 */
export function prepareTable(seed: Uint8Array, index: number): Int32Array<ArrayBuffer> {
  const words = nonceFreeWords(seed, index)
  return Int32Array.from([
    ...words.slice(6, 20).map((word, i) => word + (CONSTANTS[6 + i] ?? 0)),
    ...words.slice(20),
    ...registersAfterRound5(words),
  ])
}

/** Words 0–35 of the message schedule with every term left out that depends on word 5, the nonce. */
function nonceFreeWords(seed: Uint8Array, index: number): number[] {
  const bytes = new DataView(seed.buffer, seed.byteOffset, 16)
  const words = [0, 4, 8, 12].map((offset) => bytes.getInt32(offset))
  words.push(index, 0, 0x80000000 | 0, 0, 0, 0, 0, 0, 0, 0, 0, MESSAGE_BITS)
  const known = (t: number): number => (t < 20 ? (words[t] ?? 0) : 0)
  for (let t = 16; t < 36; t++) {
    const x = known(t - 2)
    const y = known(t - 15)
    const sigma1 = rotate(x, 17) ^ rotate(x, 19) ^ (x >>> 10)
    const sigma0 = rotate(y, 7) ^ rotate(y, 18) ^ (y >>> 3)
    words.push((sigma1 + known(t - 7) + sigma0 + known(t - 16)) | 0)
  }
  return words
}

/** With nonce 0: the nonce would only be added to registers a and e, and the rounds do that. */
function registersAfterRound5(words: readonly number[]): number[] {
  let registers = INITIAL
  for (let round = 0; round < 6; round++) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = registers
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const added = (h + sum1 + ((e & f) ^ (~e & g)) + (CONSTANTS[round] ?? 0) + (words[round] ?? 0)) | 0
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    registers = [(added + sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0, a, b, c, (d + added) | 0, e, f, g]
  }
  return registers
}

function rotate(x: number, by: number): number {
  return (x >>> by) | (x << (32 - by))
}
