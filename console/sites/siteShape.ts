import * as z from 'zod/mini'
import { browserHostname, isHostname } from '../../server/contract/names.ts'
import { nameShape } from '../ui/form/text.ts'
import { searchable } from '../ui/text/format.ts'

/**
 * The hostname in a text with a scheme, port, path, capitals or non-ASCII letters (as Punycode). Null if the text
 * contains none.
 */
export function readHostname(text: string): string | null {
  const typed = text.trim()
  // a wildcard stands for many hostnames, so there is no single one to suggest
  if (typed === '' || typed.includes('*')) return null
  const name = hostOf(typed)
  return name !== undefined && isHostname(name) && isComplete(name) ? name : null
}

/** The host of a text with or without a scheme; undefined if browsers open no page there. */
const hostOf = (typed: string): string | undefined =>
  browserHostname(typed.replace(/^[a-z][a-z\d+.-]*:\/\//i, ''))?.replace(/\.$/, '')

/** Whether it is more than one word, which is rather a mistake than a host; the API accepts those too. */
const isComplete = (name: string): boolean => name.includes('.') || name === 'localhost'

/** Why a text has no hostname in it, and what to enter. */
export function hostnameError(text: string): string {
  const typed = text.trim()
  const name = hostOf(typed)
  if (name !== undefined && isHostname(name) && !isComplete(name))
    return 'A hostname has a dot, except localhost. Example: shop.example.'
  if (isHostname(typed)) return `No browser can open a page at ${typed}. Check the spelling.`
  if (typed === '') return 'Enter the hostname of the page, for example shop.example.'
  if (typed.includes('*')) return 'Wildcards aren’t supported: list every hostname, such as www.shop.example.'
  return 'Not a valid hostname. Example: shop.example or localhost.'
}

/** A hostname field of a form: what is pasted from an address bar becomes its hostname. */
export const hostnameShape = z.pipe(
  z.string(),
  z.transform((text, context) => {
    const hostname = readHostname(text)
    if (hostname !== null) return hostname
    context.issues.push({ code: 'custom', message: hostnameError(text), input: text })
    return z.NEVER
  }),
)

/** The form of a new site. */
export const siteShape = z.object({
  name: nameShape(),
  hostname: hostnameShape,
})

/** Whether a site is found: each word is in its name or a hostname, or begins its site key, whose random letters match no words. */
export const isFound = (
  { name, hostnames, sitekey }: { name: string; hostnames: readonly string[]; sitekey: string },
  typed: string,
): boolean => {
  const text = searchable([name, ...hostnames].join(' '))
  const key = searchable(sitekey)
  return searchable(typed)
    .split(/\s+/)
    .every((word) => text.includes(word) || (word.startsWith('tg_') && key.startsWith(word)))
}
