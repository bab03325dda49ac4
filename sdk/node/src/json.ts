const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The value of an answer; `undefined` if there is none. */
type Parsed = { readonly value: unknown } | undefined

/**
 * One JSON document of valid UTF-8 without duplicate names in its outermost object; undefined for anything else.
 * JSON.parse alone keeps the last of two equal names, so a proxy could read a different answer.
 */
export function parseJson(bytes: Uint8Array): Parsed {
  try {
    const text = decoder.decode(bytes)
    const value: unknown = JSON.parse(text)
    return namesTwice(text) ? undefined : { value }
  } catch {
    return undefined
  }
}

/** Whether a valid document's outermost object has a duplicate name. */
function namesTwice(text: string): boolean {
  const names = new Set<unknown>()
  let depth = 0
  // a string followed by a colon is a name
  for (const [token, bracket, name] of text.matchAll(/([{}[\]])|("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"/g)) {
    if (bracket !== undefined) depth += '{['.includes(token) ? 1 : -1
    else if (name !== undefined && depth === 1) {
      const known = names.size
      if (names.add(JSON.parse(name)).size === known) return true
    }
  }
  return false
}

/** The members of an object; empty for anything else. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {}
}
