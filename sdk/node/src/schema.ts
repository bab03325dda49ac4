/** The part of JSON Schema that the state file uses. */
export type Schema = {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly propertyNames?: Schema
  readonly additionalProperties?: Schema
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  /** What the value has to be. */
  readonly description?: string
}

export type Problem = { readonly path: readonly (string | number)[]; readonly message: string }

/** Where the value differs from the schema. A field that the schema does not have is a problem. */
export function* problemsOf(schema: Schema, value: unknown, path: Problem['path'] = []): Generator<Problem> {
  if (!fits(schema, value)) yield { path, message: `has to be ${expected(schema)}.` }
  else if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) yield* problemsOf(schema.items ?? {}, item, [...path, at])
  } else if (typeof value === 'object' && value !== null) {
    const { properties = {}, required = [], propertyNames = {}, additionalProperties } = schema
    for (const [name, item] of Object.entries(value)) {
      const own = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
      if (!own) yield { path: [...path, name], message: `is not a field. ${suggest(name, Object.keys(properties))}` }
      else if (!fits(propertyNames, name))
        yield { path: [...path, name], message: `has to be ${expected(propertyNames)}.` }
      else yield* problemsOf(own, item, [...path, name])
    }
    for (const name of required)
      if (!Object.hasOwn(value, name)) yield { path, message: `lacks ${name}, ${expected(properties[name] ?? {})}.` }
  }
}

const within = (value: number, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY) =>
  value >= least && value <= most

function fits(schema: Schema, value: unknown): boolean {
  if (schema.enum) return schema.enum.includes(value)
  if ('const' in schema) return value === schema.const
  switch (schema.type) {
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'array':
      return Array.isArray(value) && within(value.length, schema.minItems, schema.maxItems)
    case 'integer':
      return Number.isInteger(value) && within(Number(value), schema.minimum, schema.maximum)
    case 'boolean':
      return typeof value === 'boolean'
    case 'string':
      return (
        typeof value === 'string' &&
        within(Array.from(value).length, schema.minLength, schema.maxLength) &&
        new RegExp(schema.pattern ?? '').test(value)
      )
    case undefined:
    default:
      return true
  }
}

function expected(schema: Schema): string {
  if (schema.description) return schema.description
  if (schema.enum) return `one of ${schema.enum.join(', ')}`
  if ('const' in schema) return String(schema.const)
  const range = (least: number | undefined, most: number | undefined) =>
    [least !== undefined && `at least ${least}`, most !== undefined && `at most ${most}`].filter(Boolean).join(' and ')
  switch (schema.type) {
    case 'object':
      return 'a mapping of names to values'
    case 'array':
      return `a list of ${range(schema.minItems, schema.maxItems) || 'any number of'} items`
    case 'integer':
      return `a whole number, ${range(schema.minimum, schema.maximum)}`
    case 'boolean':
      return 'true or false'
    case 'string':
    case undefined:
    default:
      return `a text of ${range(schema.minLength, schema.maxLength) || 'any number of'} characters`
  }
}

/** A sorted copy. The oldest supported Node has no toSorted. */
export function sorted<Item>(items: readonly Item[], compare?: (a: Item, b: Item) => number): Item[] {
  const copy = [...items]
  copy.sort(compare)
  return copy
}

/** How many letters have to be added, removed or replaced (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [i, letter] of Array.from(one).entries()) {
    const next = [i + 1]
    for (let j = 0; j < other.length; j++)
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other[j] ? 0 : 1)))
    row = next
  }
  return row.at(-1) ?? 0
}

function suggest(name: string, names: readonly string[]): string {
  const [nearest] = sorted(names, (a, b) => distance(name, a) - distance(name, b))
  return nearest !== undefined && distance(name, nearest) <= Math.max(2, name.length / 3)
    ? `Did you mean ${nearest}?`
    : `The fields are ${names.join(', ')}.`
}
