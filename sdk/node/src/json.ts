const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The value of an answer: one JSON document of valid UTF-8; `undefined` for anything else. */
export function parseJson(bytes: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(decoder.decode(bytes)) }
  } catch {
    return undefined
  }
}

/** The members of an object; empty for anything else. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {}
}
