const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'

/** The contract's hostname: dot-separated labels in lower-case ASCII; no scheme, port, wildcard or trailing dot. */
export const HOSTNAME = new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*$`)

export const isHostname = (text: string): boolean => HOSTNAME.test(text)
/** A tenant's name in URLs: lower-case letters and digits, and `-` inside; at most 40. */
export const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/
