import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createInstance, hashNonce, programSeed } from '../../../../test/support/hashwx.ts'
import { solvePuzzles } from '../../../../test/support/solver.ts'
import { CHECKED, COUNT, chooseChecked, SPAN, solves, targetFor } from './powHashwx.ts'

const KEY = Buffer.alloc(32, 7)
/** Reproducible seeds. */
const seedOf = (n: number) => createHmac('sha256', 'seed').update(String(n)).digest()
const easy = (seed: Buffer) => ({ seed, count: COUNT, target: 2 ** 31, span: SPAN })

const solve = (puzzles: ReturnType<typeof easy>) =>
  Buffer.from(solvePuzzles({ ...puzzles, seed: puzzles.seed.toString('hex') }), 'base64url')

/** The solution with wrong nonces for these puzzles. */
function spoil(puzzles: ReturnType<typeof easy>, solution: Buffer, indices: number[], first = 0): Buffer {
  const spoiled = Buffer.from(solution)
  const instance = createInstance(programSeed(puzzles.seed, 0))
  for (const index of indices) {
    let nonce = BigInt(first)
    while (hashNonce(instance, BigInt(index) * 2n ** 32n + nonce) >> 32n < puzzles.target) nonce++
    spoiled.writeUInt32BE(Number(nonce), index * 4)
  }
  return spoiled
}

/** The probability that none of `unsolved` puzzles is among the verified ones. */
function passes(unsolved: number): number {
  let probability = 1
  for (let i = 0; i < CHECKED; i++) probability *= Math.max(0, COUNT - unsolved - i) / (COUNT - i)
  return probability
}

describe('a solution of pow-hashwx', () => {
  test('passes if all puzzles are solved, with several programs too', () => {
    for (let n = 0; n < 20; n++) {
      const puzzles = { ...easy(seedOf(n)), span: n % 2 === 0 ? SPAN : 4 }
      expect(solves(puzzles, solve(puzzles), KEY)).toBe(true)
      expect(solves(puzzles, solve(puzzles), randomBytes(32))).toBe(true)
    }
  })

  test('fails if it has another length or is of another challenge', () => {
    const puzzles = easy(seedOf(0))
    const solution = solve(puzzles)
    expect(solves(puzzles, solution.subarray(4), KEY)).toBe(false)
    expect(solves(puzzles, Buffer.concat([solution, Buffer.alloc(4)]), KEY)).toBe(false)
    expect(solves({ ...easy(seedOf(1)), target: 2 ** 20 }, solution, KEY)).toBe(false)
  })

  test('fails exactly if a verified puzzle is wrong', () => {
    for (let n = 0; n < 20; n++) {
      const puzzles = easy(seedOf(n))
      const solution = solve(puzzles)
      const checked = chooseChecked(puzzles, KEY)
      for (let index = 0; index < COUNT; index++)
        expect(solves(puzzles, spoil(puzzles, solution, [index]), KEY)).toBe(!checked.includes(index))
    }
  })
})

describe('leaving out work', () => {
  test('costs more per pass than honest work, whatever the share', () => {
    for (let unsolved = 1; unsolved < COUNT; unsolved++) {
      const share = unsolved / COUNT
      const costPerPass = (1 - share) / passes(unsolved)
      expect(costPerPass).toBeGreaterThan((1 - share) ** (1 - CHECKED))
      expect(costPerPass).toBeGreaterThan(1)
    }
  })

  test('passes as rarely as computed', () => {
    const challenges = 400
    for (const unsolved of [1, 4, 8]) {
      let passed = 0
      for (let n = 0; n < challenges; n++) {
        const left = chooseChecked(easy(seedOf(n)), KEY)
        // puzzles 0 … unsolved − 1: the client does not know which are verified, so any choice is as good
        if (left.every((index) => index >= unsolved)) passed++
      }
      const expected = challenges * passes(unsolved)
      expect(Math.abs(passed - expected)).toBeLessThan(4 * Math.sqrt(expected))
    }
  })

  test('gets one verdict per challenge, however many variants of a solution are sent', () => {
    for (let n = 0; n < 10; n++) {
      const puzzles = easy(seedOf(n))
      const solution = solve(puzzles)
      const verdicts = Array.from({ length: 10 }, (_, variant) =>
        solves(puzzles, spoil(puzzles, solution, [1, 6, 11], variant * 1000), KEY),
      )
      expect(new Set(verdicts).size).toBe(1)
    }
  })
})

describe('the verified puzzles', () => {
  test('are different ones, each equally often, and follow from challenge and key', () => {
    const counts = Array.from({ length: COUNT }, () => 0)
    for (let n = 0; n < 3200; n++) {
      const chosen = chooseChecked(easy(seedOf(n)), KEY)
      expect(new Set(chosen).size).toBe(CHECKED)
      for (const index of chosen) counts[index] = (counts[index] ?? 0) + 1
    }
    for (const count of counts) expect(Math.abs(count - 600)).toBeLessThan(100)
    expect(chooseChecked(easy(seedOf(1)), KEY)).toEqual(chooseChecked(easy(seedOf(1)), KEY))
    const keys = new Set(Array.from({ length: 50 }, () => chooseChecked(easy(seedOf(1)), randomBytes(32)).join()))
    expect(keys.size).toBeGreaterThan(10)
  })
})

test('the target stands for the difficulty in hashes of SHA-256', () => {
  expect((COUNT * 2 ** 32) / targetFor(2 ** 20)).toBe(2 ** 16)
  expect(targetFor(32)).toBe(2 ** 32 - 1)
})
