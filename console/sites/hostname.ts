import * as z from 'zod/mini'
import { HOSTNAME } from '../../server/contract/names.ts'

/** Whether the text is a hostname as sites list them. */
const isHostname = (text: string): boolean => HOSTNAME.test(text)

/**
 * The hostname that somebody meant who typed an address, a port, capitals or letters beyond ASCII (their Punycode);
 * null where none can be made out.
 */
export function hostnameIn(text: string): string | null {
  const typed = text.trim()
  // a wildcard means more than one hostname, which none stands for
  if (typed === '' || typed.includes('*')) return null
  try {
    const { hostname } = new URL(/^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`)
    const bare = hostname.replace(/\.$/, '')
    return isHostname(bare) ? bare : null
  } catch {
    return null
  }
}

/** What is wrong with the text as a hostname, and what to do; undefined for a hostname. */
export function faultOf(text: string): string | undefined {
  const typed = text.trim()
  if (isHostname(typed)) return undefined
  if (typed === '') return 'Enter the hostname of the page, for example shop.example.'
  if (typed.includes('*')) return 'Wildcards aren’t supported: list every hostname, such as www.shop.example.'
  const meant = hostnameIn(typed)
  if (meant === null) return 'Not a valid hostname. Example: shop.example or localhost.'
  return /[^ -~]/.test(typed)
    ? `Browsers send this name as Punycode: ${meant}.`
    : `Enter only the name, in lower case, without https://, port or path: ${meant}.`
}

/** A hostname as people type it. */
export const hostnameShape = z.string().check(
  z.trim(),
  z.superRefine((text, context) => {
    const message = faultOf(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  }),
)
