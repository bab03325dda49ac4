import type { z } from 'zod'
import { Refusal } from '../kit/refusal.ts'

type Shape = Record<string, z.ZodType>

/** What a field must be besides well formed, by its name: on the site's list; there, or not there, beside another. */
type Demands = Record<string, (value: unknown, others: ReadonlyMap<string, unknown>) => boolean>

/**
 * The request's fields, exactly as the schema wants them. Throws `bad-field` with the first offender: known fields in
 * the schema's order, then unknown ones; of a body that is no object the first required field.
 */
export function readFields<S extends Shape>(
  schema: z.ZodObject<S>,
  body: unknown,
  demands: Demands = {},
): z.output<z.ZodObject<S>> {
  const names = Object.keys(schema.shape)
  if (!isObject(body)) throw new Refusal('bad-field', { field: names[0] ?? '' })
  const parsed = schema.safeParse(body)
  const offended = new Set(parsed.error?.issues.map((issue) => String(issue.path[0])))
  const values = new Map(Object.entries(body))
  const field =
    names.find((name) => offended.has(name) || demands[name]?.(values.get(name), values) === false) ??
    firstUnknown(schema, body)
  if (field !== undefined || !parsed.success) throw new Refusal('bad-field', { field: (field ?? '').slice(0, 64) })
  return parsed.data
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** zod passes over an own `__proto__`; nothing unknown may pass here. */
const firstUnknown = (schema: z.ZodObject, body: object): string | undefined =>
  Object.keys(body).find((name) => !Object.hasOwn(schema.shape, name))
