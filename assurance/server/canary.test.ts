import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { OPEN } from '../../server/admin/authBodies.ts'
import { appRouter } from '../../server/admin/index.ts'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { createBrowser, PASSWORD, type SignedIn } from '../../test/support/browser.ts'
import { makeSite } from '../../test/support/make.ts'
import { makeStaff } from '../../test/support/staff.ts'
import { type MadeMember, makeOwnedTenant } from '../../test/support/tenant.ts'

let app: TestApp
let person: MadeMember
let lead: SignedIn
let values: Record<string, unknown>
beforeAll(async () => {
  app = await openTestApp({ LOG_LEVEL: 'debug' })
  const { tenant, owner } = await makeOwnedTenant(app)
  person = owner
  lead = await makeStaff(app, 'lead')
  const { siteId } = await makeSite(app.ctx)
  await app.sql.query('update site set tenant_id = $1 where id = $2', [tenant.id, siteId])
  values = { tenant: tenant.slug, site: siteId, email: owner.email, password: PASSWORD }
})
afterAll(() => app.close())

type Schema = { [key: string]: unknown; properties?: Record<string, Schema>; anyOf?: Schema[]; enum?: unknown[] }

/** A value that the schema accepts, as far as its type says. */
function sample(schema: Schema, name = ''): unknown {
  if (name in values) return values[name]
  const { type, properties, format, anyOf, enum: words, minimum, items, pattern } = schema
  if (anyOf?.[0]) return sample(anyOf[0])
  if (words) return words[0]
  if ('const' in schema) return schema['const']
  if (properties) return Object.fromEntries(Object.entries(properties).map(([key, inner]) => [key, sample(inner, key)]))
  if (type === 'object') return {}
  if (type === 'array') return [sample(items as Schema)]
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return Math.max(1, Number(minimum ?? 1))
  if (format === 'uuid') return '018f4e6a-7b2c-7d3e-8f40-112233445566'
  return String(pattern).includes('-01$') ? '2026-11-01' : 'abc'
}

/** The paths of all fields, the outer before the inner. */
const pathsOf = ({ properties = {} }: Schema): string[][] =>
  Object.entries(properties).flatMap(([name, inner]) => [[name], ...pathsOf(inner).map((path) => [name, ...path])])

function withValue(value: unknown, [name, ...rest]: string[], other: unknown): unknown {
  if (name === undefined) return other
  const fields = Object(value) as Record<string, unknown>
  return { ...fields, [name]: withValue(fields[name], rest, other) }
}

const CANARY = 'c4n4ry'
const NUMBER = 2_718_281_828_459_045

/** In every field: as a string, number, array and object, and as what a database or a parser of dates refuses. */
const VARIANTS: unknown[] = [
  CANARY,
  `${CANARY}\0`,
  `${CANARY}\ud800`,
  `${CANARY}"'\\%_`.repeat(2000),
  NUMBER,
  1e300,
  -1,
  [CANARY, NUMBER],
  { set: CANARY },
  { connect: { timeout: CANARY } },
  null,
]

const asSchema = (schema: z.ZodType) => z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }) as Schema

/** The inputs to send: one for each field and variant, and the variants themselves. */
function inputsFor(schema: Schema): unknown[] {
  const whole = sample(schema)
  return [
    ...VARIANTS,
    ...pathsOf(schema).flatMap((path) => VARIANTS.map((variant) => withValue(whole, path, variant))),
    ...[CANARY, '__proto__', 'constructor'].map((name) => withValue(whole, [name], CANARY)),
  ]
}

/** Neither the log nor what others are shown has the canary, and nothing failed. */
async function expectClean(failed: string[]) {
  expect(failed).toEqual([])
  const { owner, tenant } = await makeOwnedTenant(app)
  const others = [await owner.query('session.me'), await owner.query('sites.list', { tenant: tenant.slug })]
  expect(JSON.stringify(others.map(({ status }) => status))).toBe('[200,200]')
  for (const text of [app.logged.join(''), JSON.stringify(others)]) {
    expect(text).not.toContain(CANARY)
    expect(text).not.toContain(String(NUMBER))
    expect(text).not.toContain('internal error')
  }
}

/** How often a call is made that a busy machine answers with `unavailable`. */
const TRIES = 3

/** The reply of a call, made again while the service is overloaded: that says nothing about its input. */
async function settled<Reply extends { status: number }>(call: () => Promise<Reply>): Promise<Reply> {
  let reply = await call()
  for (let tries = 1; reply.status === 503 && tries < TRIES; tries++) reply = await call()
  return reply
}

const isGet = (route: string) => route.startsWith('GET')

test('no field of /auth reaches the log or fails, whatever its type', async () => {
  const failed: string[] = []
  for (const [route, schema] of Object.entries(OPEN)) {
    const path = `/auth${route.split(' ')[1]}`
    for (const input of inputsFor(asSchema(schema))) {
      // signed out as well: a body may end the session
      for (const browser of [createBrowser(app), { ...person, ...createBrowser(app) }]) {
        const query = new URLSearchParams(
          Object.entries(Object(input) as object).map(([name, value]) => [name, String(value)] as [string, string]),
        )
        const reply = await settled(() =>
          isGet(route) ? browser.get(`${path}?${query.toString()}`) : browser.post(path, input),
        )
        if (reply.status >= 500) failed.push(`${route} ${reply.status} ${JSON.stringify(input).slice(0, 200)}`)
      }
    }
  }
  await expectClean(failed)
}, 600_000)

type Procedure = { _def: { type: string; inputs: z.ZodType[] } }
const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, Procedure>)

test('no input of a procedure reaches the log or fails, whatever its type', async () => {
  const failed: string[] = []
  for (const [name, { _def }] of procedures) {
    // without an input, and refused here because no job runs in this process
    if (_def.type === 'subscription' || name === 'staff.system.reconcile') continue
    const properties = Object.assign({}, ..._def.inputs.map((input) => asSchema(input).properties ?? {})) as object
    for (const input of inputsFor({ type: 'object', properties: properties as Record<string, Schema> })) {
      const caller = name.startsWith('staff') || name.startsWith('system') ? lead : person
      const reply = await settled<{ status: number }>(() =>
        _def.type === 'query' ? caller.query(name, input) : caller.mutate(name, input),
      )
      if (reply.status >= 500) failed.push(`${name} ${reply.status} ${JSON.stringify(input).slice(0, 200)}`)
    }
  }
  for (const query of ['?input=c4n4ry', '?batch=1&input=c4n4ry', '?batch=1&input={"0":"c4n4ry"}'])
    if ((await person.get(`/trpc/tenants.get${query}`)).status >= 500) failed.push(query)
  await expectClean(failed)
}, 600_000)
