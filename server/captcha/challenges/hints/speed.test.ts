import { expect, test } from 'vitest'
import { MAX_WORK } from '../difficulty/work.ts'
import * as hashwx from '../kinds/powHashwx.ts'
import * as sha256 from '../kinds/powSha256.ts'
import { FASTEST, isTooFast } from './noticed.ts'

/** The probability that a sum of `count` exponential variables, whose expected sum is 1, is below `share` (Erlang). */
function chanceBelow(count: number, share: number): number {
  const rate = count * share
  let term = Math.exp(-rate)
  let above = 0
  for (let i = 0; i < count; i++) {
    above += term
    term *= rate / (i + 1)
  }
  return 1 - above
}

/** What a browser with 32 cores computes in a millisecond: the component starts 8 workers, each half as fast again as the fastest measured. */
const BROWSER = 8 * 25_000
/** An RTX 5060 Ti (docs/attack-method.md). */
const GPU = 6_150_000
const KINDS = [
  { kind: 'pow-sha256', count: sha256.COUNT },
  { kind: 'pow-hashwx', count: hashwx.COUNT },
] as const

test('of a million solutions of the fastest browser, fewer than one is taken for faster than a browser', () => {
  // the distribution itself, where its values are known
  expect(chanceBelow(1, Math.LN2)).toBeCloseTo(0.5, 12)
  expect(chanceBelow(32, 1)).toBeCloseTo(0.5235, 3)
  // a solution is too fast if its work was done with this share of the expected hashes or fewer
  for (const { kind, count } of KINDS)
    expect([kind, chanceBelow(count, BROWSER / FASTEST[kind]) < 1e-6]).toEqual([kind, true])
})

test('a graphics card is noticed, even at twice the expected hashes', () => {
  expect(isTooFast('pow-sha256', MAX_WORK, (2 * MAX_WORK) / GPU)).toBe(true)
  expect(1 - chanceBelow(sha256.COUNT, 2)).toBeLessThan(1e-3)
})

test('time on the network counts for the client', () => {
  const computing = MAX_WORK / GPU
  expect(isTooFast('pow-sha256', MAX_WORK, computing + 10)).toBe(true)
  expect(isTooFast('pow-sha256', MAX_WORK, computing + 20)).toBe(false)
  expect(isTooFast('pow-sha256', MAX_WORK, MAX_WORK / BROWSER)).toBe(false)
})
