import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { assertDocumented } from '../../../test/support/contract.ts'
import { ERRORS, type ErrorCode } from '../../contract/mistakes/errors.ts'
import { codesOf, ENDPOINTS, PATHS } from '../endpoints.ts'
import { describeApi } from './describe.ts'
import { EXAMPLES } from './examples.ts'

/** Any part of the document. */
type Json = { [name: string]: Json }

const document = JSON.parse(JSON.stringify(describeApi({ url: 'http://localhost:3000', version: '1.0.0' }))) as Json

/** The value at a path of the document, following references. */
function at(...path: (string | number)[]): Json {
  const value = path.reduce<Json>((inner, name) => inner[name] ?? {}, document)
  const ref: unknown = value['$ref']
  return typeof ref === 'string' ? at(...ref.slice(2).split('/')) : value
}

/** Every object of the document, with its path. */
function* objects(value: unknown, way = '#'): Generator<[string, Json]> {
  if (typeof value !== 'object' || value === null) return
  yield [way, value as Json]
  for (const [name, inner] of Object.entries(value)) yield* objects(inner, `${way}/${name}`)
}

/** Whether the document's schema accepts the value, ignoring conditions between fields, which zod does not support. */
function takes(schema: Json | undefined, value: object): boolean {
  const rest = { ...schema }
  if (rest['properties']) delete rest['oneOf']
  return z.fromJSONSchema(rest).safeParse(value).success
}

const operations = Object.entries(document['paths'] ?? {}).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

test('the document names its licence', () => {
  expect(at('info', 'license', 'identifier')).toBe('Apache-2.0')
})

test('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
})

test('every reference resolves', () => {
  const references = [...objects(document)].flatMap(([way, { $ref }]) =>
    typeof $ref === 'string' ? [[way, $ref]] : [],
  )
  expect(references.length).toBeGreaterThan(100)
  const broken = references.filter(([, ref]) => Object.keys(at(...String(ref).slice(2).split('/'))).length === 0)
  expect(broken).toEqual([])
})

test('every operation has a unique id, a summary, a description and a known tag', () => {
  const ids = operations.map(({ operation }) => operation['operationId'])
  expect(new Set(ids).size).toBe(operations.length)
  const tags = Object.values(document['tags'] ?? {}).map((tag) => tag['name'])
  for (const { operation } of operations) {
    expect(operation).toMatchObject({ summary: expect.any(String), description: expect.any(String) })
    expect(tags).toEqual(expect.arrayContaining(Object.values(operation['tags'] ?? {})))
  }
})

test('every object of the API refuses unknown fields', () => {
  const schemas = [...objects(document['components']?.['schemas'])].filter(
    ([, inner]) => 'type' in inner && 'properties' in inner,
  )
  expect(schemas.length).toBeGreaterThan(14)
  expect(schemas.filter(([, schema]) => !isFalse(schema['additionalProperties'])).map(([way]) => way)).toEqual([])
})

const isFalse = (value: unknown): boolean => value === false

describe.each(PATHS)('%s', (path) => {
  const { request, reply, caller } = ENDPOINTS[path]
  const post = at('paths', path, 'post')

  test('declares exactly 200 and the statuses of its codes', () => {
    const statuses = new Set(['200', ...codesOf(path).map((code) => String(ERRORS[code].status))])
    expect(new Set(Object.keys(post['responses'] ?? {}))).toEqual(statuses)
  })

  test.each(codesOf(path))('shows %s with its body and what to do', (code) => {
    const { status, remedy } = ERRORS[code]
    const response = at('paths', path, 'post', 'responses', status)
    const content = response['content']?.['application/json']
    const body = {
      error: code === 'bad-field' ? 'bad-request' : code,
      ...(code === 'bad-field' && { field: 'hostname' }),
    }
    expect(response['description']).toContain(remedy)
    expect(content?.['examples']?.[code]).toEqual({ value: body })
    expect(takes(content?.['schema'], body)).toBe(true)
    assertDocumented(path, answer(status, body))
  })

  test('has examples that both zod and the document’s schemas accept', () => {
    const example = EXAMPLES[path]
    expect(request.parse(example.request)).toEqual(example.request)
    const schema = at('paths', path, 'post', 'requestBody', 'content', 'application/json', 'schema')
    expect(takes(schema, example.request)).toBe(true)
    const replySchema = at('paths', path, 'post', 'responses', 200, 'content', 'application/json', 'schema')
    for (const value of Object.values(example.replies)) {
      expect(reply.parse(value)).toEqual(value)
      expect(takes(replySchema, value)).toBe(true)
      assertDocumented(path, answer(200, value, path === '/feedback' ? LATEST : {}))
    }
  })

  test('declares Tollgate-Latest-Event for 200 and 409 of /feedback only', () => {
    const headersOf = (status: string) => at('paths', path, 'post', 'responses', status)['headers'] ?? {}
    const declared = Object.keys(post['responses'] ?? {}).filter(
      (status) => 'Tollgate-Latest-Event' in headersOf(status),
    )
    expect(declared).toEqual(path === '/feedback' ? ['200', '409'] : [])
  })

  test('declares the caller’s authentication', () => {
    expect(post['security']).toEqual(caller === 'backend' ? [{ secretKey: [] }] : [])
    expect('parameters' in post).toBe(caller === 'component')
  })
})

const LATEST = { 'tollgate-latest-event': '7d0f4a52-93c1-4e8b-b6a7-2f5e8d1c0b94' }

const answer = (status: number, body: object, headers: Record<string, string> = {}) => ({
  status,
  text: JSON.stringify(body),
  headers: new Headers({
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': `req_${'0'.repeat(32)}`,
    'cache-control': 'no-store',
    ...(status === 401 ? { 'www-authenticate': 'Bearer', 'tollgate-authorization': 'missing' } : {}),
    ...(status === 405 ? { allow: 'POST' } : {}),
    ...(status === 429 || status === 503 ? { 'retry-after': '1' } : {}),
    ...headers,
  }),
})

test.each([
  ['a status that the path has not', '/grants/revoke', answer(402, { error: 'quota-exceeded' })],
  ['a code of another path', '/intents', answer(409, { error: 'challenge-expired' })],
  ['a code under another status', '/intents', answer(403, { error: 'nonce-conflict' })],
  ['one field too many', '/grants/revoke', answer(200, { revoked: 1, extra: 1 })],
  ['a field where there is none', '/intents', answer(400, { error: 'bad-request', field: 'x' })],
  ['no field where there is one', '/intents', answer(422, { error: 'bad-request' })],
  ['another content type', '/grants/revoke', answer(200, { revoked: 1 }, { 'content-type': 'text/plain' })],
  ['a reply that may be stored', '/grants/revoke', answer(200, { revoked: 1 }, { 'cache-control': 'public' })],
  ['no time to retry after', '/intents', answer(503, { error: 'unavailable' }, { 'retry-after': '0' })],
  ['the latest event where there is none', '/grants/revoke', answer(200, { revoked: 1 }, LATEST)],
  ['feedback without the latest event', '/feedback', answer(200, EXAMPLES['/feedback'].replies['recorded'] ?? {})],
  ['success on an unknown path', '/intent', answer(200, { revoked: 1 })],
])('a test’s reply with %s is refused', (_what, path, reply) => {
  expect(() => assertDocumented(path, reply)).toThrow(/does not declare/)
})

test('every code of the catalogue belongs to a path or to unknown paths', () => {
  const answered = new Set<ErrorCode>(PATHS.flatMap(codesOf))
  expect(Object.keys(ERRORS).filter((code) => !answered.has(code as ErrorCode))).toEqual(['not-found'])
})
