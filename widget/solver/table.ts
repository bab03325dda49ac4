/** The part of a puzzle's SHA-256 that does not depend on the nonce, in the layout that the searches read. */

/** Positions in the table, in words. */
export const TABLE = {
  /** Constants of the rounds 6–63; those of 6–19 with the round's message word added. */
  constants: 0,
  /** The nonce-free part of the message words 20–35. */
  words: 58,
  /** The eight registers after round 5 with nonce 0. The nonce is only added to the first and the fifth. */
  registers: 74,
  /** The target: a digest whose first word is below it solves. Both are signed, with flipped sign bits. */
  goal: 82,
  length: 83,
} as const

/** The round whose inputs are the first to depend on the nonce, and the first word that does (beside the nonce). */
export const FIRST_ROUND = 6
export const FIRST_WORD = 20
export const NONCE_WORD = 5

type Registers = [a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number]

const FLIP = 0x80000000
const MESSAGE_BITS = 24 * 8

/** FIPS 180-4: SHA-256's numbers are the first 32 bits of the fractional parts of the first primes' roots. */
const PRIMES = firstPrimes(64)
const INITIAL = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime))) as Registers
/** Round 63 results in the digest's first word, so its constant includes the other summands of that word. */
export const CONSTANTS = PRIMES.map((prime, round) => fraction(Math.cbrt(prime)) + (round < 63 ? 0 : INITIAL[0] + FLIP))

/**
 * Writes the table of puzzle `index`: the message is the seed (32 hex digits) ‖ uint32be(index) ‖ uint32be(nonce), and
 * digests whose first word is below `target` solve it.
 */
export function writeTable(table: Int32Array, seed: string, index: number, target: number): void {
  const words = nonceFreeWords(seed, index)
  // Without the words from 20, which the search completes.
  const known = words.slice(FIRST_ROUND, FIRST_WORD)
  table.set(CONSTANTS.slice(FIRST_ROUND).map((constant, i) => constant + (known[i] ?? 0)))
  table.set(words.slice(FIRST_WORD), TABLE.words)
  table.set(registersAfterRound5(words), TABLE.registers)
  table[TABLE.goal] = target ^ FLIP
}

/** The 32-bit words of a text in hex. */
export function seedWords(seed: string): number[] {
  return (seed.match(/.{8}/g) as string[]).map((digits) => Number(`0x${digits}`))
}

/** Words 0–35 of the message schedule, without the terms that depend on word 5, the nonce. */
function nonceFreeWords(seed: string, index: number): number[] {
  const words = seedWords(seed)
  words.push(index, 0, FLIP, 0, 0, 0, 0, 0, 0, 0, 0, MESSAGE_BITS)
  const known = (t: number): number => (t < FIRST_WORD ? (words[t] as number) : 0)
  for (let t = 16; t < 36; t++) {
    const x = known(t - 2)
    const y = known(t - 15)
    const sigma1 = rotate(x, 17) ^ rotate(x, 19) ^ (x >>> 10)
    const sigma0 = rotate(y, 7) ^ rotate(y, 18) ^ (y >>> 3)
    words.push((sigma1 + known(t - 7) + sigma0 + known(t - 16)) | 0)
  }
  return words
}

function registersAfterRound5(words: readonly number[]): Registers {
  let registers = INITIAL
  for (let round = 0; round < FIRST_ROUND; round++) {
    const [a, b, c, d, e, f, g, h] = registers
    const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const added = (h + sum1 + ((e & f) ^ (~e & g)) + (CONSTANTS[round] as number) + (words[round] as number)) | 0
    const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    registers = [(added + sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0, a, b, c, (d + added) | 0, e, f, g]
  }
  return registers
}

function rotate(x: number, by: number): number {
  return (x >>> by) | (x << (32 - by))
}

function fraction(root: number): number {
  return ((root % 1) * 2 ** 32) | 0
}

function firstPrimes(count: number): number[] {
  const primes: number[] = []
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime)) primes.push(n)
  return primes
}
