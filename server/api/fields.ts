import type { z } from 'zod'
import type { Named } from '../captcha/refusals/note.ts'
import { AppError } from '../kit/error.ts'

/** What a body names, which may have any other fault. */
export function namedIn(body: unknown): Named {
  if (!isObject(body)) return {}
  const textOf = (name: keyof Named): string | undefined => {
    const value: unknown = Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined
    return typeof value === 'string' ? value : undefined
  }
  return {
    sitekey: textOf('sitekey'),
    intent_id: textOf('intent_id'),
    decision_id: textOf('decision_id'),
    hostname: textOf('hostname'),
    action: textOf('action'),
  }
}

type Shape = Record<string, z.ZodType>

/** Rules beyond the grammar, by field: on the site's list; required or forbidden together with another field. */
type Demands = Record<string, (value: unknown, others: ReadonlyMap<string, unknown>) => boolean>

/**
 * The request's fields, exactly as the schema defines them. Throws `bad-field` with the first invalid field: known fields in
 * the schema's order, then unknown ones. For a body that is not an object, the first required field.
 */
export function readFields<S extends Shape>(
  schema: z.ZodObject<S>,
  body: unknown,
  demands: Demands = {},
): z.output<z.ZodObject<S>> {
  if (!isObject(body)) throw new AppError('bad-field', { field: Object.keys(schema.shape)[0] ?? '' })
  const parsed = schema.safeParse(body)
  if (parsed.success && firstUnknown(schema, body) === undefined && meets(demands, body)) return parsed.data
  const offended = new Set(parsed.error?.issues.map((issue) => String(issue.path[0])))
  const values = new Map(Object.entries(body))
  const field =
    Object.keys(schema.shape).find(
      (name) => offended.has(name) || demands[name]?.(values.get(name), values) === false,
    ) ?? firstUnknown(schema, body)
  throw new AppError('bad-field', { field: (field ?? '').slice(0, 64) })
}

function meets(demands: Demands, body: object): boolean {
  const demanded = Object.entries(demands)
  if (demanded.length === 0) return true
  const values = new Map(Object.entries(body))
  return demanded.every(([name, holds]) => holds(values.get(name), values))
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** zod ignores an own `__proto__`, but every unknown field must be refused. */
const firstUnknown = (schema: z.ZodObject, body: object): string | undefined =>
  Object.keys(body).find((name) => !Object.hasOwn(schema.shape, name))
