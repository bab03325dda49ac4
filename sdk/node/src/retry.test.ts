import { expect, test } from 'vitest'
import { readVectors } from '../../testing/vectors.ts'
import { callOf, expectOutcome, useRun } from '../testing/run.ts'

const run = useRun()

test.each(readVectors('retries'))('$name', async ({ call: name, answers, expect: expected }) => {
  const call = callOf(name)
  run.service.script(call, answers)
  expectOutcome(await run.call(name, call.input), call, expected)
  expect(run.service.seen).toHaveLength(expected.tries)
  expect(new Set(run.service.seen.map(({ body }) => body)).size).toBe(1)
  expect(run.service.astray).toBe(0)
  // at most 100 ms are added to each
  expect(run.waits.map((wait, n) => wait - (expected.waits[n] ?? 0)).filter((more) => more < 0 || more > 100)).toEqual(
    [],
  )
  expect(run.waits).toHaveLength(expected.waits.length)
})
