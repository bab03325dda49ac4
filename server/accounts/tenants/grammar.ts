/** A tenant's name in URLs: lower-case letters and digits, and `-` inside; at most 40. */
export const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/
