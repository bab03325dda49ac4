import { z } from 'zod'

/** The names of the management API are those of the procedures in snake case: converted here, and nowhere else. */

export const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
export const toCamel = (name: string): string =>
  name.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase())

/** The value with every name in it converted; names that are data, such as hostnames, have no capitals and no underscores. */
export function rename(value: unknown, convert: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, convert))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [convert(name), rename(item, convert)]))
}

export type Json = { [name: string]: unknown }

/** The JSON Schema with the names of fields in snake case. */
function renamed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(renamed)
  if (schema === null || typeof schema !== 'object') return schema
  return Object.fromEntries(
    Object.entries(schema as Json).map(([name, value]) => {
      if (name === 'required') return [name, (value as string[]).map(toSnake)]
      if (name !== 'properties') return [name, renamed(value)]
      return [
        name,
        Object.fromEntries(Object.entries(value as Json).map(([field, each]) => [toSnake(field), renamed(each)])),
      ]
    }),
  )
}

export const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return renamed(rest) as Json
}
