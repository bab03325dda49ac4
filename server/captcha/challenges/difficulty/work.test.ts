import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HINTS, LATE_HINTS } from '../../../contract/hints.ts'
import { DecayingCounter } from '../networks/decay.ts'
import { packReasons, unpackReasons } from './reasons.ts'
import { MAX_WORK, MOST_WORK, policyAt, policyOf, type Signals, workAgain, workFor } from './work.ts'

const site = { baseWork: 1024 * 1024, workMode: 'adaptive', test: undefined } as const
const calm: Signals = {
  network: { doublings: 0, tier: 0 },
  subject: 1,
  siteNow: 0.1,
  siteUsual: 0.1,
  feedback: 0,
  list: null,
  hints: [],
}
const sha256 = { kind: 'pow-sha256', fallback: 0 } as const
const busy = (doublings: number) => ({ ...calm, network: { doublings, tier: 2 } })

test('a quiet visitor gets the base difficulty', () => {
  expect(workFor(site, calm, sha256)).toEqual({
    work: site.baseWork,
    minAge: 0,
    reasons: unpackReasons(0),
  })
})

test('a busy network or subject raises its own difficulty', () => {
  expect(workFor(site, busy(1), sha256)).toMatchObject({
    work: 2 * site.baseWork,
    reasons: { network: 1, tier: 2, site: 0 },
  })
  expect(workFor(site, { ...calm, subject: 9 }, sha256)).toMatchObject({
    work: 4 * site.baseWork,
    reasons: { subject: 2, site: 0 },
  })
})

test('a surge raises the difficulty of a whole site only far above its usual rate, and at most fourfold', () => {
  expect(workFor(site, { ...calm, siteNow: 0.9, siteUsual: 0.001 }, sha256).work).toBe(site.baseWork)
  expect(workFor(site, { ...calm, siteNow: 40, siteUsual: 11 }, sha256).work).toBe(site.baseWork)
  expect(workFor(site, { ...calm, siteNow: 45, siteUsual: 11 }, sha256).work).toBe(2 * site.baseWork)
  expect(workFor(site, { ...calm, siteNow: 10_000, siteUsual: 1 }, sha256).work).toBe(4 * site.baseWork)
})

const anySignals: fc.Arbitrary<Signals> = fc.record({
  network: fc.record({ doublings: fc.nat({ max: 3 }), tier: fc.nat({ max: 4 }) }),
  subject: fc.double({ min: 0, max: 1e6, noNaN: true }),
  siteNow: fc.double({ min: 0, max: 1e6, noNaN: true }),
  siteUsual: fc.double({ min: 0, max: 1e6, noNaN: true }),
  feedback: fc.nat({ max: 2 }),
  list: fc.constantFrom(null, 'allow', 'dear'),
  hints: fc.subarray([...HINTS]),
})
const anyNoticed = fc.subarray([...LATE_HINTS])
const anyChoice = fc.record({ kind: fc.constantFrom('pow-sha256', 'pow-hashwx'), fallback: fc.constantFrom(0, 3) })

test('never exceeds what a slow phone can do in 20 s, or in 40 s in place of another kind, and never decreases with more activity', () => {
  fc.assert(
    fc.property(
      anySignals,
      fc.integer({ min: 1, max: 2 ** 31 - 1 }),
      anyChoice,
      anyNoticed,
      (signal, baseWork, choice, noticed) => {
        const difficulty = workFor({ ...site, baseWork }, signal, choice)
        const { work, reasons } = difficulty
        expect(work).toBeLessThanOrEqual(choice.fallback > 0 ? MOST_WORK : MAX_WORK)
        expect([MAX_WORK / 500_000 < 20, MOST_WORK / 500_000 < 40]).toEqual([true, true])
        const busier = { ...signal, subject: signal.subject * 2, feedback: 2, hints: HINTS }
        expect(workFor({ ...site, baseWork }, busier, choice).work).toBeGreaterThanOrEqual(work)
        expect(workFor({ ...site, baseWork }, signal, choice)).toEqual(difficulty)
        const solved = { ...reasons, noticed }
        const bits = packReasons(solved)
        expect(unpackReasons(bits)).toEqual(solved)
        // the column is a signed integer
        expect(bits).toBeLessThan(2 ** 31)
      },
    ),
  )
})

test('a raised challenge must be as old as what exceeds the standard difficulty takes on a slow phone', () => {
  const minAge = (policy: Partial<typeof site> | { workMode: 'attack' | 'fixed' }, doublings: number) =>
    workFor({ ...site, ...policy }, busy(doublings), sha256).minAge
  // 1, 3 and 5 million hashes above the standard difficulty, at 0.5 MH/s
  expect([0, 1, 2, 3].map((doublings) => minAge({}, doublings))).toEqual([0, 2, 6, 10])
  expect([minAge({ workMode: 'fixed' }, 3), minAge({ workMode: 'attack' }, 0)]).toEqual([0, 10])
  const strict = { baseWork: 4 * site.baseWork }
  expect([0, 1, 3].map((doublings) => minAge(strict, doublings))).toEqual([0, 10, 10])
  fc.assert(
    fc.property(anySignals, fc.integer({ min: 1, max: 2 ** 31 - 1 }), anyChoice, (signal, baseWork, choice) => {
      const { work, minAge } = workFor({ ...site, baseWork }, signal, choice)
      expect(minAge).toBeLessThanOrEqual(work / 500_000)
    }),
  )
})

test('a higher base lowers neither the difficulty nor the minimum age', () => {
  const base = fc.integer({ min: 1, max: 2 ** 31 - 1 })
  fc.assert(
    fc.property(anySignals, base, base, anyChoice, (signal, one, other, choice) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)].map((baseWork) =>
        workFor({ ...site, baseWork }, signal, choice),
      )
      expect(high?.work).toBeGreaterThanOrEqual(low?.work ?? Number.NaN)
      expect(high?.minAge).toBeGreaterThanOrEqual(low?.minAge ?? Number.NaN)
    }),
  )
})

test('what was recorded tells what any other policy would have asked', () => {
  const anyMode = fc.constantFrom('adaptive', 'fixed', 'attack')
  fc.assert(
    fc.property(
      anySignals,
      anyChoice,
      anyMode,
      anyMode,
      fc.nat(1e7),
      fc.nat(1e7),
      (signals, choice, one, other, a, b) => {
        const recorded = workFor({ ...site, workMode: one, baseWork: a }, signals, choice).reasons
        const draft = { ...site, workMode: other, baseWork: b }
        expect(workAgain(draft, unpackReasons(packReasons(recorded)))).toEqual(workFor(draft, signals, choice))
      },
    ),
  )
})

test('an action has its own base difficulty and mode, all others those of the site', () => {
  const own = { baseWork: 2048, workMode: 'fixed' } as const
  const facts = { ...site, actions: [{ action: 'signup', ...own }] }
  expect(policyOf(facts, 'signup')).toEqual({ ...own, test: undefined })
  expect(policyOf(facts, 'checkout')).toEqual(site)
  const testKey = { work: 64 } as NonNullable<Parameters<typeof policyOf>[0]['test']>
  expect(workFor(policyOf({ ...facts, test: testKey }, 'signup'), busy(3), sha256).work).toBe(64)
})

test('a time in attack mode overrides the mode of every action until its end, except for a test key', () => {
  const own = { baseWork: 2048, workMode: 'fixed' } as const
  const facts = { ...site, actions: [{ action: 'signup', ...own }], attackUntil: 1000 }
  for (const action of ['signup', 'checkout']) {
    expect(workFor(policyAt(facts, action, 999), calm, sha256)).toMatchObject({
      work: MAX_WORK,
      reasons: { mode: 'attack' },
    })
    expect(policyAt(facts, action, 1000)).toEqual(policyOf(facts, action))
  }
  const testKey = { work: 64 } as NonNullable<Parameters<typeof policyOf>[0]['test']>
  expect(workFor(policyAt({ ...facts, test: testKey }, 'signup', 999), calm, sha256).work).toBe(64)
})

test('an allowed network pays no price for being busy, a dear one always pays', () => {
  expect(workFor(site, { ...busy(3), list: 'allow' }, sha256).work).toBe(site.baseWork)
  expect(workFor(site, { ...calm, list: 'dear' }, sha256).work).toBe(4 * site.baseWork)
})

test('hints raise the difficulty eightfold at most', () => {
  expect(workFor(site, { ...calm, hints: ['headers'] }, sha256).work).toBe(2 * site.baseWork)
  const cheap = { ...site, baseWork: 1024 }
  expect(workFor(cheap, { ...calm, hints: HINTS }, sha256).work).toBe(8 * cheap.baseWork)
})

test('fixed mode uses the base difficulty, attack mode the maximum and more for busy networks; both record the signals', () => {
  const fixed = workFor({ ...site, workMode: 'fixed' }, { ...busy(3), list: 'dear', hints: HINTS }, sha256)
  expect(fixed).toMatchObject({ work: site.baseWork, reasons: { network: 3, list: 'dear', mode: 'fixed' } })
  const attack = (doublings: number) =>
    workFor({ ...site, workMode: 'attack' }, busy(doublings), sha256).work / MAX_WORK
  expect([0, 1, 2, 3].map(attack)).toEqual([1, 1.5, 2.5, 3])
})

test('SHA-256 in place of the preferred kind costs twelve times as much beyond the budget, and what it cannot carry is limited', () => {
  const without = { ...sha256, fallback: 3 }
  expect(workFor(site, calm, without)).toMatchObject({
    work: 12 * site.baseWork,
    minAge: 23,
    reasons: { fallback: 3, bounded: false },
  })
  expect(workFor({ ...site, workMode: 'fixed' }, calm, without).work).toBe(12 * site.baseWork)
  for (const dear of [workFor(site, busy(1), without), workFor({ ...site, workMode: 'attack' }, calm, without)])
    expect(dear).toMatchObject({ work: MOST_WORK, reasons: { bounded: true } })
})

test('the weight decays with time', () => {
  const counter = new DecayingCounter({ halfLife: 1000, maxKeys: 10 })
  for (let i = 0; i < 16; i++) counter.count('a', 0)
  expect(counter.count('a', 0)).toBe(17)
  expect(counter.count('a', 4000)).toBeCloseTo(17 / 16 + 1)
  expect(counter.count('b', 4000)).toBe(1)
})

test('measures a steady rate correctly from the first minutes on', () => {
  const counter = new DecayingCounter({ halfLife: 3_600_000, maxKeys: 10 })
  let weight = 0
  for (let second = 0; second <= 120; second++) weight = counter.count('a', second * 1000)
  expect(counter.rate('a', weight, 120_000)).toBeCloseTo(1, 1)
})
