import { describe, expect, test } from 'vitest'
import { inputOf, readVectors } from '../../testing/vectors.ts'
import { callOf, expectError, useRun } from '../testing/run.ts'

const run = useRun()

describe('refuses locally', () => {
  test.each(readVectors('arguments'))('$name', async ({ call: name, code, field, ...changes }) => {
    const call = callOf(name)
    run.service.script(call, ['ok'])
    expectError(await run.call(name, inputOf(call, changes)), {
      code,
      status: null,
      retryable: false,
      field: field ?? null,
      request_id: null,
    })
    expect(run.service.seen).toEqual([])
  })

  test('an argument that the call does not have, because a typo must not be an omission', async () => {
    const { session, ...others } = callOf('create_grant').input
    run.service.script(callOf('create_intent'), ['ok'])
    const { nonce, action, hostname } = callOf('create_intent').input
    expect(await run.call('create_intent', { nonce, action, hostname, sesion: session })).toMatchObject({
      error: { code: 'bad-request', field: 'sesion' },
    })
    expect(await run.call('create_grant', { ...others, session, hasOwnProperty: 1 })).toMatchObject({
      error: { code: 'bad-request', field: 'hasOwnProperty' },
    })
    expect(run.service.seen).toEqual([])
  })

  test.each([undefined, null, 'checkout', 5, [], () => {}])('arguments that are not an object: %j', async (given) => {
    const { Tollgate, testKeys } = await import('./index.ts')
    const client = new Tollgate({ url: run.service.url, ...testKeys.pass })
    await expect(client.verify(given as never)).rejects.toMatchObject({ code: 'bad-request', field: 'response' })
    await expect(client.createIntent(given as never)).rejects.toMatchObject({ code: 'bad-request', field: 'action' })
  })
})

describe('the grammar', () => {
  const targets = Object.entries(readVectors('grammars')).flatMap(([grammar, { fields, ...values }]) =>
    fields.filter((field) => !field.startsWith('client.')).map((target) => ({ grammar, target, ...values })),
  )

  test.each(targets)('$grammar is used for $target', async ({ target, accept, refuse }) => {
    const [name = '', field = ''] = target.split('.')
    const call = callOf(name)
    const tell = async (value: unknown) => ({ value, ...(await run.call(name, { ...call.input, [field]: value })) })
    run.service.script(call, [{ status: 409, body: '{"error":"response-invalid"}' }])
    const accepted = await Promise.all(accept.map(tell))
    expect(accepted).toEqual(accept.map((value) => ({ value, error: expect.objectContaining({ status: 409 }) })))
    run.service.script(call, ['ok'])
    const refused = await Promise.all(refuse.map(tell))
    expect(refused).toEqual(
      refuse.map((value) => ({
        value,
        error: expect.objectContaining({ code: 'bad-request', field, status: undefined }),
      })),
    )
    expect(run.service.seen).toEqual([])
  })
})

describe('the message states the rule', () => {
  const { local, service, fields } = readVectors('messages')

  test.each(local)('$name', async ({ call: name, field, says, ...changes }) => {
    const { error } = (await run.call(name, inputOf(callOf(name), changes))) as { error: Error }
    expect(error).toMatchObject({ code: 'bad-request', field, status: undefined, requestId: undefined })
    expect(error.message).toMatch(/^`[a-zA-Z]+`:? [^\n]*\. \(bad-request, field [a-z_]+, not sent\)$/)
    expect(error.message).toContain(says)
    // it may be visitor data
    const value = changes.input?.[field]
    const repeated = typeof value === 'string' && value.length > 5 && error.message.includes(value)
    expect(repeated).toBe(false)
  })

  test.each(service)('by the service: $name', async ({ call: name, field, says }) => {
    const call = callOf(name)
    run.service.script(call, [{ status: 422, body: JSON.stringify({ error: 'bad-request', field }) }])
    const { error } = (await run.call(name, call.input)) as { error: Error }
    expect(error).toMatchObject({ code: 'bad-request', field, status: 422 })
    expect(error.message).toContain(says)
  })

  test('every field of every call has a message', () => {
    const known = ['create_intent', 'verify', 'feedback', 'create_grant', 'revoke_grant'].flatMap((name) =>
      Object.keys(callOf(name).input),
    )
    expect(Object.keys(fields).toSorted()).toEqual([...new Set(known)].toSorted())
  })

  test('an unknown argument is reported as a possible misspelling', async () => {
    const { error } = (await run.call('verify', { ...callOf('verify').input, token: 'x' })) as { error: Error }
    expect(error.message).toBe(
      '`token` is not an argument of this call: check the spelling. (bad-request, field token, not sent)',
    )
  })
})

test('a time may be a Date, rounded down to seconds', async () => {
  const call = callOf('feedback')
  run.service.script(call, ['ok'])
  await run.call('feedback', { ...call.input, occurred_at: new Date(1_700_000_000_999) })
  expect(JSON.parse(run.service.seen[0]?.body ?? '')).toHaveProperty('occurred_at', 1_700_000_000)
  expect(await run.call('feedback', { ...call.input, occurred_at: new Date(Number.NaN) })).toMatchObject({
    error: { code: 'bad-request', field: 'occurred_at' },
  })
})
