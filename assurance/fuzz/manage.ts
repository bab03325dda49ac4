import { z } from 'zod'
import { STRANGE } from './bodies.ts'
import { fuzz, type Random, type Seen } from './random.ts'

type Schema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  minimum?: number
  maximum?: number
  minItems?: number
  pattern?: string
}
type Content = { content?: { 'application/json'?: { schema: Schema } } }
type Parameter = { in: 'path' | 'query' | 'header'; name: string; required?: boolean; schema: Schema }
type Operation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: Content
  responses: Record<string, Content>
}

/**
 * A server, the OpenAPI document of its management API, and keys of several tenants, scopes and sites. `spared`: ids that requests
 * do not name, such as those of the keys' creators, without whom the keys may do nothing.
 */
export type ManageTarget = {
  url: string
  document: { paths: Record<string, Record<string, Operation>> }
  keys: readonly string[]
  spared: readonly string[]
}

const UUID = '01890000-0000-7000-8000-000000000000'
const TEXTS = [
  'Shop',
  'shop',
  'shop.example',
  '203.0.113.0/24',
  '2001:db8::/32',
  'a@people.example',
  'checkout',
  UUID,
  '2026-11-01',
  'https://1.1.1.1/hooks',
]

/** Fields that are times, whatever their description allows. */
const TIMES = new Set(['from', 'to', 'occurred_at'])

/** What the id of a path is that of, which is also what its replies are: the last noun before the id. */
const nounOf = (path: string): string => /^.*?\/(\w+)(\/\{\w+\})?$/.exec(path)?.[1] ?? ''

/** Values by the name of the field that replies had them in, and ids by their noun, so that requests name what exists. */
class Known {
  readonly #values = new Map<string, string[]>()
  readonly #spared: readonly string[]
  constructor(spared: readonly string[]) {
    this.#spared = spared
  }
  keep(value: unknown, noun: string, name = noun): void {
    if (Array.isArray(value)) for (const item of value) this.keep(item, noun, name)
    else if (typeof value === 'object' && value !== null)
      for (const [field, item] of Object.entries(value)) {
        this.keep(item, noun, field)
        if (field === 'id' && (name === noun || name === 'rows')) this.keep(item, noun)
      }
    else if (typeof value === 'string' && !this.#spared.includes(value)) {
      const values = this.#values.get(name) ?? []
      values.push(value)
      this.#values.set(name, values.slice(-50))
    }
  }
  /** `noun`: of what an `id` is. */
  pick(name: string, random: Random, noun = ''): string {
    const ids = name === 'id' ? noun : `${name}s`
    const names = [ids, ids, ids, ids, name, name, 'id', 'name', 'next_cursor'].filter((each) => this.#values.has(each))
    return names.length > 0 && random.chance(0.85)
      ? random.pick(this.#values.get(random.pick(names)) ?? [])
      : `${random.pick(TEXTS)}${random.chance(0.3) ? random.below(100) : ''}`
  }
}

/** A value that the schema allows, or nearly. */
function valueOf(schema: Schema, name: string, known: Known, random: Random, noun?: string): unknown {
  if (schema.enum) return random.pick(schema.enum)
  if ('const' in schema) return schema.const
  if (schema.anyOf) return valueOf(random.pick(schema.anyOf), name, known, random, noun)
  switch ([schema.type].flat()[0] ?? 'string') {
    case 'object':
      return objectOf(schema, known, random)
    case 'array':
      return Array.from({ length: (schema.minItems ?? 0) + random.below(3) }, () =>
        valueOf(schema.items ?? {}, name, known, random),
      )
    case 'boolean':
      return random.chance(0.5)
    case 'integer':
    case 'number': {
      const { minimum = 0, maximum = 4_102_444_800 } = schema
      const seconds = Math.floor(Date.now() / 1000) - 86_400 + random.below(172_800)
      return random.chance(TIMES.has(name) ? 0.9 : 0.3) && seconds <= maximum
        ? Math.max(minimum, seconds)
        : minimum + random.below(Math.min(maximum - minimum + 1, 2 ** 40))
    }
    default:
      return known.pick(name, random, noun)
  }
}

const objectOf = ({ properties = {}, required = [] }: Schema, known: Known, random: Random): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name) || random.chance(0.5))
      .map(([name, schema]) => [name, valueOf(schema, name, known, random)]),
  )

/** The text of a body that is changed or no longer JSON. */
function broken(body: Record<string, unknown>, random: Random): string {
  const names = Object.keys(body)
  const name =
    names.length > 0 && random.chance(0.9)
      ? random.pick(names)
      : random.pick(['extra', '__proto__', 'tenant', 'constructor'])
  const strange = JSON.stringify({ ...body, [name]: random.pick(STRANGE) })
  const text = JSON.stringify(body)
  return random.pick([
    strange,
    strange,
    JSON.stringify({ ...body, [name]: { [name]: [body[name]] } }),
    text.slice(0, random.below(text.length)),
    text.replace('{', `{"x":${'['.repeat(random.below(3000))}`),
    text.replace('{', `{${JSON.stringify(name)}:1,`),
    `[${text}]`,
    `${text}${'x'.repeat(random.chance(0.1) ? 70_000 : 1)}`,
  ])
}

const address = (value: unknown): string => encodeURIComponent(Buffer.from(String(value)).toString())

/**
 * Calls every operation with inputs made from its description, of what exists and of what is broken, with keys of all kinds. A
 * reply must have a status that the operation describes, and be JSON: the described object, or an error with a reason and a sentence.
 */
export function fuzzManage(
  { url, document, keys, spared }: ManageTarget,
  options: { count: number; seed: number },
): Promise<Seen> {
  const known = new Known(spared)
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      ...operation,
      reply: z.fromJSONSchema(
        (operation.responses['200']?.content?.['application/json']?.schema ?? {}) as z.core.JSONSchema.JSONSchema,
      ),
    })),
  )
  return fuzz(options, async (random, note) => {
    const { path, method, operationId, parameters = [], requestBody, responses, reply } = random.pick(operations)
    const noun = nounOf(path)
    const isBroken = random.chance(0.4)
    const given = (kind: Parameter['in']) =>
      parameters
        .filter((parameter) => parameter.in === kind && (parameter.required || random.chance(0.3)))
        .map(({ name, schema }) => {
          const value =
            isBroken && random.chance(0.2) ? random.pick(STRANGE) : valueOf(schema, name, known, random, noun)
          return [name, address(value)] as const
        })
    const inPath = new Map(given('path'))
    const query = given('query')
    if (isBroken && random.chance(0.1))
      query.push([random.pick(['extra', 'limit', 'tenant']), address(random.pick(STRANGE))])
    const at = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => inPath.get(name) ?? '')
    const search = query.map(([name, value]) => `${name}=${value}`).join('&')
    const body = objectOf(requestBody?.content?.['application/json']?.schema ?? {}, known, random)
    const text = isBroken ? broken(body, random) : JSON.stringify(body)
    const type = isBroken && random.chance(0.05) ? 'text/plain' : 'application/json'
    const response = await fetch(`${url}/v1${at}?${search}`, {
      method,
      headers: {
        authorization: random.chance(0.97)
          ? `Bearer ${random.pick(keys)}`
          : random.pick(['Bearer x', 'Basic eDp4', `Bearer ${keys[0]}0`]),
        'content-type': type,
        ...(random.chance(0.2) && {
          'idempotency-key': random.pick(['a', 'b', `k${random.below(1000)}`, 'x y', 'k'.repeat(300)]),
        }),
      },
      ...(method !== 'GET' && { body: text }),
    })
    const { status } = response
    const answer = await response.text()
    const blame = (why: string) =>
      note.fault(
        `${why}: ${status} ${method} ${at.slice(0, 200)}?${search.slice(0, 300)} ${text.slice(0, 500)} → ${answer.slice(0, 300)}`,
      )
    let parsed: unknown
    try {
      parsed = JSON.parse(answer)
    } catch {
      return blame('no JSON')
    }
    const { error, message } = parsed as Record<string, unknown>
    note.answer(`${operationId} ${status} ${status === 200 ? '' : String(error)}`)
    if (status >= 500) return blame('a 5xx')
    // an address that was broken may be that of no operation
    const isElsewhere = isBroken && [400, 404, 405, 414].includes(status)
    if (!(String(status) in responses) && !isElsewhere) return blame('a status that is not described')
    if (status !== 200)
      return typeof error === 'string' && (isElsewhere || typeof message === 'string') ? undefined : blame('no error')
    const { success, error: difference } = reply.safeParse(parsed)
    if (!success) blame(`not as described, ${difference.message}`)
    known.keep(parsed, noun)
  })
}
