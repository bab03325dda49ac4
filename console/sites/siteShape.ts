import * as z from 'zod/mini'
import { HOSTNAME } from '../../server/contract/names.ts'

const isHostname = (text: string): boolean => HOSTNAME.test(text)

/**
 * The hostname in a text with a scheme, port, path, capitals or non-ASCII letters (as Punycode). Null if the text
 * contains none.
 */
export function suggestHostname(text: string): string | null {
  const typed = text.trim()
  // a wildcard stands for many hostnames, so there is no single one to suggest
  if (typed === '' || typed.includes('*')) return null
  try {
    const { hostname } = new URL(/^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`)
    const name = hostname.replace(/\.$/, '')
    return isHostname(name) ? name : null
  } catch {
    return null
  }
}

/** What is wrong with the text and what to enter instead; undefined for a valid hostname. */
export function hostnameError(text: string): string | undefined {
  const typed = text.trim()
  if (isHostname(typed)) return undefined
  if (typed === '') return 'Enter the hostname of the page, for example shop.example.'
  if (typed.includes('*')) return 'Wildcards aren’t supported: list every hostname, such as www.shop.example.'
  const suggested = suggestHostname(typed)
  if (suggested === null) return 'Not a valid hostname. Example: shop.example or localhost.'
  return /[^ -~]/.test(typed)
    ? `Browsers send this name as Punycode: ${suggested}.`
    : `Enter only the name, in lower case, without https://, port or path: ${suggested}.`
}

/** A hostname field of a form. */
export const hostnameShape = z.string().check(
  z.trim(),
  z.superRefine((text, context) => {
    const message = hostnameError(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  }),
)

/** The form of a new site. */
export const siteShape = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(120, 'At most 120 characters.')),
  hostname: hostnameShape,
})

/** Whether a site is found: each word is in its name or a hostname, or begins its site key, whose random letters match no words. */
export const isFound = (
  { name, hostnames, sitekey }: { name: string; hostnames: readonly string[]; sitekey: string },
  typed: string,
): boolean => {
  const text = [name, ...hostnames].join(' ').toLowerCase()
  const key = sitekey.toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word) || (word.startsWith('tg_') && key.startsWith(word)))
}
