import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { makeSite } from '../../test/support/make.ts'
import { operate } from '../../test/support/operate.ts'
import { fuzzBodies } from '../fuzz/bodies.ts'
import { fuzzBytes } from '../fuzz/bytes.ts'
import type { Target } from '../fuzz/random.ts'

/** A longer run, by hand: FUZZ_COUNT=100000 FUZZ_SEED=7 npx vitest run --config assurance/vitest.config.ts fuzz */
const OPTIONS = {
  count: Number(process.env['FUZZ_COUNT'] ?? 1000),
  seed: Number(process.env['FUZZ_SEED'] ?? 20261120),
}
/** Limits that are never reached. */
const POLICY = {
  baseWork: 32,
  workMode: 'fixed',
  ratePerSecond: 100_000,
  rateBurst: 200_000,
  subjectLimit: 1_000_000,
} as const

let app: TestApp
let target: Target
beforeAll(async () => {
  app = await openTestApp({ TRUSTED_PROXIES: '127.0.0.0/8' })
  const make = () => makeSite(app.ctx, { quota: 1_000_000, policy: POLICY })
  target = { url: app.url, site: await make(), other: await make() }
})
afterAll(() => app.close())

test.each([
  ['bytes and headers', fuzzBytes],
  ['bodies', fuzzBodies],
] as const)(
  'mutated %s get only answers of the contract and never wrong charges',
  async (_what, fuzzed) => {
    const { answers, faults } = await fuzzed(target, OPTIONS)
    expect(faults).toEqual([])
    expect(answers.size).toBeGreaterThan(10)
    expect(await operate(app).mismatches()).toEqual([])
  },
  90 * OPTIONS.count,
)
