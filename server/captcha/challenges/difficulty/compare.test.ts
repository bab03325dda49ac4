import { expect, test } from 'vitest'
import { LEVELS, type SiteDifficulty } from '../../../contract/sitePolicy.ts'
import type { SampledDecision } from '../../../ledger/decisions/sample.ts'
import { compare } from './compare.ts'
import { packReasons, unpackReasons } from './reasons.ts'

const MILLION = 1_048_576
const policy: SiteDifficulty = { baseWork: MILLION, workMode: 'adaptive', challengeKind: 'sha256', actions: [] }

/** A decision whose challenge took `seconds` at the policy's base difficulty. */
const solved = (
  seconds: number,
  { action = 'login', mobile = false, network = 0, weight = 1 } = {},
): SampledDecision => ({
  action,
  weight,
  challenge: {
    mobile,
    ms: seconds * 1000 * 2 ** network,
    work: MILLION * 2 ** network,
    reasons: packReasons({ ...unpackReasons(0), network }),
  },
})

test('the same policy asks the same', () => {
  const { all } = compare([solved(1), solved(2, { network: 2 })], policy, policy)
  expect(all.computers?.draft).toEqual(all.computers?.now)
  expect(all.computers?.now.waits.p95).toBeCloseTo(8, 0)
  expect(all.computers?.now.raised).toBe(0.5)
  expect(all.phones).toBeNull()
})

test('waits follow the work that another policy asks, signals of fixed mode included', () => {
  const sample = [solved(1), solved(1, { network: 3 })]
  const fixed = compare(sample, policy, { ...policy, workMode: 'fixed' }).all.computers
  expect(fixed?.draft.waits.p95).toBeCloseTo(1, 0)
  expect([fixed?.now.raised, fixed?.draft.raised]).toEqual([0.5, 0])
  const doubled = compare(sample, policy, { ...policy, baseWork: 2 * MILLION }).all.computers
  expect((doubled?.draft.waits.p50 ?? 0) / (doubled?.now.waits.p50 ?? 1)).toBeCloseTo(2, 0)
})

test('a fast device waits for the minimum age: the time that a slow phone needs for what was raised', () => {
  const sample = [solved(0.01), solved(0.01, { network: 2 })]
  const { now, draft } = compare(sample, policy, { ...policy, workMode: 'attack' }).all.computers ?? {}
  // 4 million instead of 1, and 6 million or 2.5 times as many instead of 1, at 0.5 million a second
  expect([now?.waits.p50, now?.waits.p95].map((seconds) => Math.round(seconds ?? 0))).toEqual([0, 6])
  expect(draft?.waits.p50).toBeGreaterThan(9.5)
  expect(draft?.waits.p50).toBeLessThan(10.5)
  expect(draft?.waits.p95).toBeGreaterThan(27.5)
  expect(draft?.waits.p95).toBeLessThan(30.5)
})

test('no visitor waits less at a higher level, not even a fast device whose challenge was raised', () => {
  const { easy, standard, strict } = LEVELS
  for (const network of [0, 1, 2, 3])
    for (const seconds of [0.01, 2])
      for (const [lower, higher] of [
        [easy, standard],
        [standard, strict],
      ] as const) {
        const [now, draft] = [lower, higher].map(({ baseWork }) => ({ ...policy, baseWork })) as [
          SiteDifficulty,
          SiteDifficulty,
        ]
        const { computers } = compare([solved(seconds, { network })], now, draft).all
        expect(computers?.draft.waits.p50).toBeGreaterThanOrEqual(computers?.now.waits.p50 ?? Number.NaN)
      }
})

test('a policy of an action changes that action only; the most frequent is first', () => {
  const sample = [solved(1, { action: 'signup', mobile: true }), solved(1, { weight: 3 }), solved(1, { mobile: true })]
  const draft: SiteDifficulty = { ...policy, actions: [{ action: 'signup', baseWork: 4 * MILLION, workMode: 'fixed' }] }
  const { actions, all } = compare(sample, policy, draft)
  expect(actions.map(({ action }) => action)).toEqual(['login', 'signup'])
  expect(actions[0]?.phones?.draft).toEqual(actions[0]?.phones?.now)
  expect(actions[1]?.phones?.draft.waits.p50).toBeCloseTo(4, 0)
  expect([all.phones?.share, all.computers?.share]).toEqual([0.4, 0.6])
})

test('skipped challenges wait for nothing, and an empty sample has no groups', () => {
  expect(compare([{ action: 'login', challenge: null, weight: 5 }], policy, policy)).toEqual({
    sampled: 0,
    challenges: 0,
    all: { action: null, phones: null, computers: null },
    actions: [],
  })
})

test('weights count, not rows: a busy hour outweighs quiet ones', () => {
  const { all, challenges } = compare([solved(1, { weight: 30.4 }), solved(9), solved(9)], policy, policy)
  expect(challenges).toBe(32)
  expect(all.computers?.now.waits.p50).toBeCloseTo(1, 0)
})
