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
