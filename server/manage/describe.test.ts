import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SCOPE_NAMES } from '../contract/scopes.ts'
import { describeManage } from './describe.ts'
import { OPERATIONS } from './operations.ts'
import { REPLIES } from './replies.ts'

type Described = {
  operationId: string
  description?: string
  parameters?: { name: string }[]
  requestBody?: object
  responses: object
}
const document = describeManage({ url: 'https://tollgate.example', version: '1.2.3' }) as {
  servers: { url: string }[]
  paths: Record<string, Record<string, Described>>
}

/** The names of all fields in a schema. */
const namesIn = (schema: unknown): string[] =>
  schema !== null && typeof schema === 'object'
    ? Object.entries(schema).flatMap(([name, value]: [string, unknown]) => [
        ...(name === 'properties' ? Object.keys(value as object) : []),
        ...namesIn(value),
      ])
    : []

test('the document has every operation with its fields, in snake case', () => {
  expect(document.servers).toEqual([{ url: 'https://tollgate.example/v1' }])
  const described = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  expect(described.map(({ operationId }) => operationId).toSorted()).toEqual(
    OPERATIONS.map(({ name }) => name).toSorted(),
  )
  expect(namesIn(described).filter((name) => /[A-Z]/.test(name))).toEqual([])
  expect(document.paths['/sites/{site}/policy']?.['put']?.requestBody).toMatchObject({
    content: {
      'application/json': { schema: { properties: { policy: { properties: { base_work: { type: 'integer' } } } } } },
    },
  })
  expect(document.paths['/decisions']?.['get']?.parameters?.map(({ name }) => name)).toContain('cursor')
  expect(document.paths['/decisions']?.['get']?.description).toBe(
    'Needs the scope `traffic:read`. With a key for some sites, these sites alone.',
  )
  expect(document.paths['/members']?.['get']?.description).toBe(
    'Needs the scope `members:read`. Needs a key for all sites.',
  )
  expect(document.paths['/sites/{site}/policy']?.['get']?.description).toBe(
    'Needs the scope `sites:read` or `settings:write`.',
  )
  expect(document.paths['/sites']?.['post']?.parameters?.map(({ name }) => name)).toEqual(['Idempotency-Key'])
})

test('the guide lists every scope', () => {
  const guide = readFileSync('docs/manage.md', 'utf8')
  expect(SCOPE_NAMES.filter((scope) => !guide.includes(`\`${scope}\``))).toEqual([])
})

test('every reply is described', () => {
  expect(Object.keys(REPLIES).toSorted()).toEqual(OPERATIONS.map(({ name }) => name).toSorted())
})
