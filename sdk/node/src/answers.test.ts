import { describe, expect, test } from 'vitest'
import { type Fields, inputOf, readVectors } from '../../testing/vectors.ts'
import { callOf, expectError, expectOutcome, useRun } from '../testing/run.ts'
import * as sdk from './index.ts'

const run = useRun()

/** The expected input on the wire: UUIDs in lower case. */
const onWire = (input: Fields): Fields =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, name.endsWith('_id') ? String(value).toLowerCase() : value]),
  )

describe('the outcome of an answer', () => {
  test.each(readVectors('answers'))('$name', async ({ call: name, input, without, expect: expected, ...answer }) => {
    const call = callOf(name)
    const asked = inputOf(call, { ...(input && { input }), ...(without && { without }) })
    run.service.script(call, [answer])
    expectOutcome(await run.call(name, asked), call, expected)
    const { seen, astray } = run.service
    expect(seen.length > 1).toBe(expected.error?.retryable ?? false)
    expect(astray).toBe(0)
    expect(seen[0]).toMatchObject({ path: call.path, authorization: `Bearer ${sdk.testKeys.pass.secret}` })
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual(onWire(asked))
  })
})

describe('every code has its class', () => {
  const errors = readVectors('errors')
  const answers = errors.flatMap(({ statuses, ...error }) => statuses.map((status) => ({ ...error, status })))

  test.each(answers)('$status $code', async ({ class: _class, says: _says, ...error }) => {
    const call = callOf('verify')
    run.service.script(call, [{ status: error.status, body: JSON.stringify({ error: error.code }) }])
    expectError(await run.call('verify', call.input), error)
    expect(run.service.seen.length > 1).toBe(error.retryable)
  })

  test('every class has a code', () => {
    const classes = Object.keys(sdk).filter((name) => /^(?!Tollgate|Webhook).*Error$/.test(name))
    expect(classes.toSorted()).toEqual([...new Set(errors.map((each) => each.class))].toSorted())
  })
})

test('results are frozen', async () => {
  run.service.script(callOf('verify'), ['ok'])
  const { value } = await run.call('verify', callOf('verify').input)
  expect(() => Object.assign(value as object, { assessment: 'failed' })).toThrow('read only')
})
