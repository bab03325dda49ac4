import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DecayingCounter } from './decay.ts'
import { MAX_WORK, packReasons, type Signals, unpackReasons, workFor } from './work.ts'

const site = { baseWork: 1024 * 1024, workMode: 'adaptive', test: undefined } as const
const calm: Signals = { network: 1, subject: 1, siteNow: 0.1, siteUsual: 0.1 }

test('a quiet visitor gets the base difficulty', () => {
  expect(workFor(site, calm)).toEqual({
    work: site.baseWork,
    reasons: { network: 0, subject: 0, site: 0, fallback: 0, mode: 'adaptive', bounded: false },
  })
})

test('a busy network or subject raises its own difficulty', () => {
  expect(workFor(site, { ...calm, network: 8 })).toMatchObject({
    work: 2 * site.baseWork,
    reasons: { network: 1, site: 0 },
  })
  expect(workFor(site, { ...calm, subject: 9 })).toMatchObject({
    work: 4 * site.baseWork,
    reasons: { subject: 2, site: 0 },
  })
})

test('a surge raises the difficulty of a whole site only far above its usual rate, and at most fourfold', () => {
  expect(workFor(site, { ...calm, siteNow: 0.9, siteUsual: 0.001 }).work).toBe(site.baseWork)
  expect(workFor(site, { ...calm, siteNow: 40, siteUsual: 11 }).work).toBe(site.baseWork)
  expect(workFor(site, { ...calm, siteNow: 45, siteUsual: 11 }).work).toBe(2 * site.baseWork)
  expect(workFor(site, { ...calm, siteNow: 10_000, siteUsual: 1 }).work).toBe(4 * site.baseWork)
})

test('never exceeds what a slow phone can do in 20 s, and never decreases with more activity', () => {
  const signals = fc.record({
    network: fc.double({ min: 0, max: 1e6, noNaN: true }),
    subject: fc.double({ min: 0, max: 1e6, noNaN: true }),
    siteNow: fc.double({ min: 0, max: 1e6, noNaN: true }),
    siteUsual: fc.double({ min: 0, max: 1e6, noNaN: true }),
  })
  fc.assert(
    fc.property(signals, fc.integer({ min: 1, max: 2 ** 31 - 1 }), fc.nat({ max: 3 }), (signal, baseWork, fallback) => {
      const { work, reasons } = workFor({ ...site, baseWork }, signal, fallback)
      expect(work).toBeLessThanOrEqual(MAX_WORK)
      expect(MAX_WORK / 500_000).toBeLessThan(20)
      const busier = { ...signal, network: signal.network * 2 }
      expect(workFor({ ...site, baseWork }, busier, fallback).work).toBeGreaterThanOrEqual(work)
      expect(workFor({ ...site, baseWork }, signal, fallback)).toEqual({ work, reasons })
      expect(unpackReasons(packReasons(reasons))).toEqual(reasons)
    }),
  )
})

test('fixed mode uses the base difficulty, attack mode the maximum', () => {
  const busy = { network: 100, subject: 100, siteNow: 100, siteUsual: 1 }
  expect(workFor({ ...site, workMode: 'fixed' }, busy).work).toBe(site.baseWork)
  expect(workFor({ ...site, workMode: 'attack' }, calm).work).toBe(MAX_WORK)
})

test('a client that cannot solve the preferred kind gets a higher difficulty, in every mode but attack', () => {
  expect(workFor(site, calm, 3)).toMatchObject({ work: MAX_WORK, reasons: { fallback: 3, bounded: true } })
  expect(workFor({ ...site, workMode: 'fixed' }, calm, 2)).toMatchObject({ work: 4 * site.baseWork })
  expect(workFor({ ...site, workMode: 'attack' }, calm, 2).work).toBe(MAX_WORK)
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
