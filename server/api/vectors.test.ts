import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { type Call, inputOf, readVectors } from '../../sdk/testing/vectors.ts'
import { testApp } from '../../test/support/testApp.ts'
import { isSecretKey } from '../accounts/sites/keys.ts'
import { TEST_BEHAVIOURS, testSitekey } from '../accounts/sites/testKeys/behaviour.ts'
import { testSecret } from '../accounts/sites/testKeys/ensure.ts'
import { ERRORS } from '../contract/mistakes/errors.ts'
import { ChallengeRequest } from '../contract/wire.ts'
import { codesOf, ENDPOINTS, PATHS } from './endpoints.ts'

// The SDKs are tested against sdk/vectors; this tests the vectors against the server.

const calls = readVectors('calls')
const secrets = readVectors('secrets')
const testKeys = readVectors('testKeys')

function endpointOf({ path }: Call) {
  const known = Object.entries(ENDPOINTS).find(([own]) => own === path)
  if (!known) throw new Error(`the server has no endpoint ${path}`)
  return known[1]
}

const schemaOf = (call: Call): Record<string, z.ZodType> => endpointOf(call).request.shape

/** Whether the server's schema accepts the value for `call.field`, or for a key in the client's options. */
function takes(target: string, value: unknown): boolean {
  const [call = '', field = ''] = target.split('.')
  if (target === 'client.secret') return typeof value === 'string' && isSecretKey(value)
  if (target === 'client.sitekey') return ChallengeRequest.shape.sitekey.safeParse(value).success
  const known = calls[call]
  const schema = known && schemaOf(known)[field]
  if (!schema) throw new Error(`the server has no field ${target}`)
  return schema.safeParse(value).success
}

describe.each(Object.entries(readVectors('grammars')))('the grammar %s', (_, { fields, accept, refuse }) => {
  test.each(fields)('is the same for %s', (field) => {
    expect(accept.filter((value) => !takes(field, value))).toEqual([])
    expect(refuse.filter((value) => takes(field, value))).toEqual([])
  })
})

test('every field of every call has a grammar', () => {
  const known = new Set(Object.values(readVectors('grammars')).flatMap(({ fields }) => fields))
  const revoke = ['revoke_grant.grant_id', 'revoke_grant.session']
  const all = Object.entries(calls).flatMap(([name, call]) =>
    Object.keys(schemaOf(call)).map((field) => `${name}.${field}`),
  )
  expect(all.filter((field) => !known.has(field))).toEqual(revoke)
})

test.each(Object.entries(calls))('the server accepts and returns the example of %s', (_, call) => {
  const { request, reply } = endpointOf(call)
  // a grant is revoked by its id or by its session
  const optional = call.path === '/grants/revoke' ? ['session'] : []
  expect(Object.keys(call.input)).toEqual(Object.keys(request.shape).filter((field) => !optional.includes(field)))
  expect(request.safeParse(call.input).success).toBe(true)
  expect(reply.safeParse(call.answer).success).toBe(true)
})

test('lists the errors that a backend can get', () => {
  const codes = new Set(PATHS.filter((path) => ENDPOINTS[path].caller === 'backend').flatMap(codesOf))
  const expected = [...codes, 'not-found' as const].map((code) => {
    const { status } = ERRORS[code]
    return `${status} ${code === 'bad-field' ? 'bad-request' : code} ${status === 429 || status === 503}`
  })
  const listed = readVectors('errors').flatMap(({ code, statuses, retryable }) =>
    statuses.map((status) => `${status} ${code} ${retryable}`),
  )
  expect(listed.toSorted()).toEqual(expected.toSorted())
})

test('the server’s checksum accepts and refuses the secrets as listed', () => {
  for (const { secret } of secrets.accept) expect(isSecretKey(secret)).toBe(true)
  const mistyped = secrets.refuse.filter(({ says }) => says === 'checksum')
  expect(mistyped.length).toBeGreaterThan(3)
  for (const { secret } of mistyped) {
    expect(secret).toMatch(/^tg_secret_[0-9A-Za-z]{49}$/)
    expect(isSecretKey(String(secret))).toBe(false)
  }
})

test('lists the server’s test keys', () => {
  const own = TEST_BEHAVIOURS.map((behaviour) => [
    behaviour.name.replace('TEST', ''),
    { sitekey: testSitekey(behaviour), secret: testSecret(behaviour) },
  ])
  expect(testKeys).toEqual(Object.fromEntries(own))
})

describe('the server gives the same answer to input that an SDK refuses locally', () => {
  const app = testApp()

  test.each(readVectors('arguments'))('$name', async ({ call, code, field, ...input }) => {
    const known = calls[call]
    if (!known || !testKeys['pass']) throw new Error(`there is no call ${call}`)
    const reply = await app.client.asSite(known.path, testKeys['pass'], inputOf(known, input))
    expect([reply.status, reply.body]).toEqual([422, { error: code, ...(field !== undefined && { field }) }])
  })
})
