import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { COUNT, solves, targetFor } from '../../../../server/captcha/challenges/kinds/powSha256.ts'
import { compileNative } from './native.ts'

const native = compileNative()
afterAll(() => native?.close())

test.skipIf(native === undefined)('the service accepts the solutions of every native engine', async () => {
  const puzzle = { seed: randomBytes(16), count: COUNT, target: targetFor(COUNT * 5000) }
  expect(native?.engines).toContain('scalar')
  for (const engine of native?.engines ?? []) {
    const solution = await native?.solve(engine, puzzle)
    expect([engine, solution && solves(puzzle, solution)]).toEqual([engine, true])
  }
})
