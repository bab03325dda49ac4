import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { operate } from '../../test/support/operate.ts'
import { makeTarget, type Target } from '../bench/fuzz/target.ts'
import { fuzzSchema } from '../bench/fuzz-schema.ts'
import { fuzzSocket } from '../bench/fuzz-socket.ts'

/** A short run of both fuzzers; the long ones are run manually (the headers of assurance/bench/fuzz-*.ts). */
const OPTIONS = { count: 2000, seed: 20261120, seconds: 120 }

let app: TestApp
let target: Target
beforeAll(async () => {
  app = await openTestApp({ TRUSTED_PROXIES: '127.0.0.0/8' })
  target = await makeTarget(app.ctx, app.url)
})
afterAll(() => app.close())

test.each([
  ['bytes and headers', fuzzSocket],
  ['bodies', fuzzSchema],
] as const)(
  'mutated %s get only answers of the contract and never wrong charges',
  async (_what, fuzz) => {
    const { tally, done } = await fuzz(target, OPTIONS)
    expect(tally.faults).toEqual([])
    expect(done).toBe(OPTIONS.count)
    expect(tally.answers.size).toBeGreaterThan(10)
    expect(await operate(app).mismatches()).toEqual([])
  },
  180_000,
)
