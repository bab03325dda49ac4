import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createBrowser, makePerson, PASSWORD } from '../../test/support/browser.ts'
import { testApp } from '../../test/support/testApp.ts'
import { authOf } from '../accounts/sessions/auth.ts'
import { checkFields, OPEN, type OpenPath } from './authBodies.ts'

const app = testApp()
let surface: Endpoint[]
beforeAll(async () => {
  surface = await surfaceOf()
})

type Endpoint = { name: string; routes: string[]; fields: string[] }
type Schema = { type?: string; properties?: Record<string, Schema>; items?: Schema; [key: string]: unknown }

/** The paths of all fields that a JSON Schema names; `*` stands for fields of any name. */
function fieldsOf(schema: Schema, prefix = ''): string[] {
  const { properties = {}, items, additionalProperties } = schema
  const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (schema[key] ?? []) as Schema[])
  const any = typeof additionalProperties === 'object' || (schema.type === undefined && parts.length === 0)
  return [
    ...Object.entries(properties).flatMap(([name, inner]) => [prefix + name, ...fieldsOf(inner, `${prefix}${name}.`)]),
    ...(items ? fieldsOf(items, prefix) : []),
    ...parts.flatMap((part) => fieldsOf(part, prefix)),
    ...(any ? [`${prefix}*`] : []),
  ]
}

/** Every endpoint of better-auth with our options and plugins: how it can be called, and the fields that it takes. */
async function surfaceOf(): Promise<Endpoint[]> {
  const { api } = await authOf(app.ctx)
  type Options = { method?: string | string[]; body?: z.ZodType; query?: z.ZodType }
  return Object.entries(api as unknown as Record<string, { path?: string; options: Options }>)
    .map(([name, { path, options }]) => {
      const fields = [options.body, options.query].flatMap((schema) =>
        schema ? fieldsOf(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as Schema) : [],
      )
      // endpoints without a path are only for code
      const routes = path === undefined ? [] : [options.method ?? []].flat().map((method) => `${method} ${path}`)
      return { name, routes, fields: [...new Set(fields)].toSorted() }
    })
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

const routesOpen = Object.keys(OPEN) as OpenPath[]

const isOpen = (route: string): route is OpenPath => route in OPEN

test('better-auth has the endpoints and fields that were reviewed', async () => {
  const lines = surface.flatMap(({ name, routes, fields }) =>
    (routes.length === 0 ? [`(code only) ${name}`] : routes).map((route) =>
      [isOpen(route) ? 'open  ' : 'closed', route, fields.join(' ')].join(' ').trim(),
    ),
  )
  // after an upgrade: review what was added, then update the list with `npx vitest run -u`
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(fileURLToPath(new URL('authSurface.txt', import.meta.url)))
  const missing = routesOpen.filter((route) => !surface.some(({ routes }) => routes.includes(route)))
  // ours asks for a password before better-auth's GET
  expect(missing).toEqual(['POST /passkey/generate-register-options'])
})

test('an endpoint that is not open does not exist', async () => {
  const person = await makePerson(app)
  const closed = surface.flatMap(({ routes }) => routes).filter((route) => !isOpen(route))
  expect(closed).toContain('POST /delete-user')
  for (const route of closed) {
    const [method = '', path] = route.split(' ')
    const reply = await person.send(method, `/auth${path}`, method === 'POST' ? { password: PASSWORD } : undefined)
    expect([route, reply.status]).toEqual([route, 404])
  }
})

/** For every open endpoint, values that its schema accepts. */
const EXAMPLES: Record<OpenPath, Record<string, unknown>> = {
  'GET /verify-email': { token: 'a.b.c' },
  'GET /passkey/generate-authenticate-options': {},
  'GET /passkey/list-user-passkeys': {},
  'POST /sign-up/email': { name: 'Ada', email: 'ada@people.example', password: PASSWORD },
  'POST /sign-in/email': { email: 'ada@people.example', password: PASSWORD },
  'POST /sign-out': {},
  'POST /send-verification-email': { email: 'ada@people.example' },
  'POST /request-password-reset': { email: 'ada@people.example' },
  'POST /reset-password': { newPassword: PASSWORD, token: 'x' },
  'POST /change-password': { currentPassword: PASSWORD, newPassword: PASSWORD, revokeOtherSessions: true },
  'POST /update-user': { name: 'Ada' },
  'POST /two-factor/enable': { password: PASSWORD, code: '123456' },
  'POST /two-factor/disable': { password: PASSWORD, code: '123456' },
  'POST /two-factor/generate-backup-codes': { password: PASSWORD, code: '123456' },
  'POST /two-factor/verify-totp': { code: '000000' },
  'POST /two-factor/verify-backup-code': { code: 'aaaaa-bbbbb' },
  'POST /passkey/generate-register-options': { password: PASSWORD, code: '000000' },
  'POST /passkey/verify-registration': {
    name: 'Phone',
    response: {
      id: 'AA',
      rawId: 'AA',
      type: 'public-key',
      authenticatorAttachment: 'platform',
      response: {
        clientDataJSON: 'AA',
        attestationObject: 'AA',
        authenticatorData: 'AA',
        transports: ['internal'],
        publicKeyAlgorithm: -7,
        publicKey: 'AA',
      },
    },
  },
  'POST /passkey/verify-authentication': {
    response: {
      id: 'AA',
      rawId: 'AA',
      type: 'public-key',
      response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA', userHandle: 'AA' },
    },
  },
  'POST /passkey/update-passkey': { id: '018f4e6a-7b2c-7d3e-8f40-112233445566', name: 'Phone' },
  'POST /passkey/delete-passkey': { id: '018f4e6a-7b2c-7d3e-8f40-112233445566', password: PASSWORD, code: '000000' },
}

/** Every value inside, with the path to it. */
function leaves(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path]
  const inner = Object.entries(value).flatMap(([name, part]) => leaves(part, [...path, name]))
  return path.length === 0 ? inner : [path, ...inner]
}

/** A copy with another value at the path. */
function withValue(value: unknown, [name, ...rest]: string[], other: unknown): unknown {
  if (name === undefined) return other
  const fields = value as Record<string, unknown>
  return { ...fields, [name]: withValue(fields[name], rest, other) }
}

test.each(routesOpen)('%s refuses every other type in every field', (route) => {
  const example = EXAMPLES[route]
  expect(checkFields(route, example)).toEqual({ fields: example })
  for (const path of leaves(example)) {
    const others = [
      1e300,
      null,
      [1],
      ['x', {}],
      { set: 'x' },
      { _ref: 'credentialID', _container: 'Passkey' },
      'a\0b',
      '\ud800',
    ]
    for (const other of others)
      expect(
        checkFields(route, withValue(example, path, other)),
        `${path.join('.')}: ${JSON.stringify(other)}`,
      ).toEqual({ wrong: expect.stringMatching(path[0] ?? '') })
  }
})

test.each(routesOpen)('%s refuses the fields of better-auth that the console does not send', async (route) => {
  const [method = '', path] = route.split(' ')
  const { fields = [] } = surface.find(({ routes }) => routes.includes(route)) ?? {}
  const unwanted = ['trustDevice', 'callbackURL', 'createSession', 'image', 'role', 'staffLevel', 'emailVerified']
  const known = Object.keys(EXAMPLES[route])
  const top = fields.filter((field) => !field.includes('.') && field !== '*' && !known.includes(field))
  const browser = createBrowser(app)
  for (const field of new Set([...top, ...unwanted])) {
    const reply =
      method === 'GET'
        ? await browser.get(
            `/auth${path}?${new URLSearchParams({ ...(EXAMPLES[route] as Record<string, string>), [field]: 'true' }).toString()}`,
          )
        : await browser.post(`/auth${path}`, { ...EXAMPLES[route], [field]: true })
    expect([reply.status, reply.body]).toEqual([400, { error: 'bad-request', field }])
  }
})

test('what a browser reports of extensions is accepted and not passed on', () => {
  const example = EXAMPLES['POST /passkey/verify-registration']
  const response = { ...(example['response'] as object), clientExtensionResults: { credProps: { rk: true } } }
  expect(checkFields('POST /passkey/verify-registration', { ...example, response })).toEqual({
    fields: { ...example, response: { ...response, clientExtensionResults: {} } },
  })
})

test('an update operator of the database in a name is refused, and changes nothing', async () => {
  const person = await makePerson(app)
  for (const name of [{ set: 'x'.repeat(20_000) }, { connect: {} }, 1, null, []]) {
    const reply = await person.post('/auth/update-user', { name })
    expect([reply.status, reply.body]).toEqual([400, { error: 'bad-request', field: 'name' }])
  }
  expect((await person.query('session.me')).data).toMatchObject({ user: { name: 'Pat Person' } })
})

test('a passkey is not looked up by an expression of the database', async () => {
  const browser = createBrowser(app)
  await browser.get('/auth/passkey/generate-authenticate-options')
  const response = { id: { _ref: 'credentialID', _container: 'Passkey' } }
  const reply = await browser.post('/auth/passkey/verify-authentication', { response })
  expect([reply.status, reply.body]).toEqual([400, { error: 'bad-request', field: 'response.id' }])
})
