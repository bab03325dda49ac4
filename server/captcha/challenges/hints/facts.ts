import type { IncomingHttpHeaders } from 'node:http'
import { HINTS, type Hint } from '../difficulty/hints.ts'

/** The header in which the component sends what it noticed, as names with commas between them. Absent: nothing. */
export const FACTS_HEADER = 'svc-captcha-facts'

/** What the component can say. It can only raise the difficulty of its own network, so false facts gain nothing. */
const FACTS: ReadonlySet<Hint> = new Set(['webdriver', 'idle', 'honeypot'])
const LONGEST = 100

/** The facts that the component sent. Unknown names are ignored, and so is what comes after 100 characters. */
export function hintsOfFacts(headers: IncomingHttpHeaders): Hint[] {
  const sent = headers[FACTS_HEADER]
  if (sent === undefined) return []
  const names = new Set(
    String(sent)
      .slice(0, LONGEST)
      .split(',')
      .map((name) => name.trim()),
  )
  return HINTS.filter((hint) => FACTS.has(hint) && names.has(hint))
}
