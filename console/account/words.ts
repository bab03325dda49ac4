/** Patterns in user agents. The first match counts, because most user agents name other browsers too. */
const BROWSERS = { Edge: /Edg\//, Opera: /OPR\//, Firefox: /Firefox\//, Chrome: /Chrome\//, Safari: /Safari\// }
const SYSTEMS = { Android: /Android/, iOS: /iPhone|iPad/, Windows: /Windows/, macOS: /Mac OS/, Linux: /Linux/ }

/** A readable name for a user agent: `Firefox on Linux`. Not suitable as proof of anything. */
export function browserOf(userAgent: string): string {
  const browser = find(BROWSERS, userAgent)
  const system = find(SYSTEMS, userAgent)
  return [browser ?? 'A browser', system && `on ${system}`].filter(Boolean).join(' ')
}

const find = (names: Readonly<Record<string, RegExp>>, text: string): string | undefined =>
  Object.entries(names).find(([, pattern]) => pattern.test(text))?.[0]
