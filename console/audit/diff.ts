/** One field of an event: its old and new value, undefined if absent. */
export type Line = { field: string; before: string | undefined; after: string | undefined }

/** The fields of both sides in their order, those of `before` first. */
export function diff(before: unknown, after: unknown): Line[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  return [...new Set([...was.keys(), ...is.keys()])].map((field) => ({
    field,
    before: was.get(field),
    after: is.get(field),
  }))
}

/** Whether the field changed. */
export const isChanged = ({ before, after }: Line): boolean => before !== after

function fieldsOf(side: unknown): Map<string, string> {
  if (typeof side !== 'object' || side === null) return new Map()
  return new Map(Object.entries(side).map(([field, value]) => [field, wordOf(value)]))
}

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
