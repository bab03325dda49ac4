import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { openScripted, type ScriptedService } from '../../testing/scripted.ts'
import {
  type Call,
  classOf,
  type ExpectedError,
  type Fields,
  type Outcome,
  readVectors,
} from '../../testing/vectors.ts'
import { Tollgate } from '../src/client.ts'
import * as sdk from '../src/index.ts'
import { time } from '../src/time.ts'

// Runs the vectors that all SDKs share. Their names are those of the wire; this SDK's are in camel case.

export const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

export const own = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [camel(name), value]))

const calls = readVectors('calls')
const errors = readVectors('errors')
const exported = new Map<string, unknown>(Object.entries(sdk))

export function callOf(name: string): Call {
  const call = calls[name]
  if (!call) throw new Error(`there is no call ${name}`)
  return call
}

/** The result of a call. */
export type Got = { value?: unknown; error?: unknown }

export type Run = {
  service: ScriptedService
  /** The waits between tries, in milliseconds. They advance the clock without waiting. */
  waits: number[]
  call(name: string, input: Fields): Promise<Got>
}

/** A client with the test key `pass` and a scripted service, for the tests of a file. */
export function useRun(): Run {
  const run = { waits: [] } as unknown as Run
  let clock = 0
  beforeAll(async () => {
    run.service = await openScripted()
    const client = new Tollgate({ url: run.service.url, ...sdk.testKeys.pass })
    run.call = (name, input) => {
      const method = client[camel(name) as 'verify'].bind(client) as (request: unknown) => Promise<unknown>
      return method(own(input)).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      )
    }
  })
  afterAll(() => run.service.close())
  beforeEach(() => {
    run.waits = []
    vi.spyOn(time, 'now').mockImplementation(() => clock)
    vi.spyOn(time, 'sleep').mockImplementation(async (ms) => {
      run.waits.push(ms)
      clock += ms
    })
  })
  afterEach(() => vi.restoreAllMocks())
  return run
}

/** The value that is the call's answer with these changes, or the error. */
export function expectOutcome(got: Got, call: Call, { value, error }: Outcome): void {
  if (error) expectError(got, error)
  else expect(got).toEqual({ value: own({ ...call.answer, ...value }) })
}

export function expectError({ error }: Got, expected: ExpectedError): void {
  const { field, request_id, retry_after, latest_event_id, status, says = '', ...rest } = expected
  const name = classOf(errors, expected)
  expect(error).toBeInstanceOf(exported.get(name))
  expect(error).toMatchObject({
    name,
    ...rest,
    message: expect.stringContaining(says),
    status: status ?? undefined,
    ...(field !== undefined && { field: field ?? undefined }),
    ...(request_id !== undefined && { requestId: request_id ?? undefined }),
    ...(retry_after !== undefined && { retryAfter: retry_after ?? undefined }),
    ...(latest_event_id !== undefined && { latestEventId: latest_event_id ?? undefined }),
  })
}
