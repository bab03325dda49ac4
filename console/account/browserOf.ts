/** Browsers and systems by what they write into their user agent; the first that fits, since most name others too. */
const BROWSERS = { Edge: /Edg\//, Opera: /OPR\//, Firefox: /Firefox\//, Chrome: /Chrome\//, Safari: /Safari\// }
const SYSTEMS = { Android: /Android/, iOS: /iPhone|iPad/, Windows: /Windows/, macOS: /Mac OS/, Linux: /Linux/ }

/** A user agent as people say it: `Firefox on Linux`. Only for recognising one's own; it proves nothing. */
export function browserOf(userAgent: string): string {
  const browser = find(BROWSERS, userAgent)
  const system = find(SYSTEMS, userAgent)
  return [browser ?? 'A browser', system && `on ${system}`].filter(Boolean).join(' ')
}

const find = (names: Readonly<Record<string, RegExp>>, text: string): string | undefined =>
  Object.entries(names).find(([, pattern]) => pattern.test(text))?.[0]
