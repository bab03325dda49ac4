const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'

/** The contract's hostname: dot-separated labels in lower-case ASCII; no scheme, port, wildcard or trailing dot. */
export const HOSTNAME = new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*$`)

export const isHostname = (text: string): boolean => HOSTNAME.test(text)
/** A merchant's name for an action, such as `checkout`. */
export const ACTION = /^[A-Za-z0-9_-]{1,64}$/

/** The action of verifications that a member makes in the console. Because of its dot, no caller of the API can send it. */
export const PLAYGROUND_ACTION = 'console.playground'

/** A tenant's name in URLs: lower-case letters and digits, and `-` inside; at most 40. */
export const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/

const ANY_CASE = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'

/**
 * An e-mail address as HTML defines it for `<input type="email">`: at most 64 characters before the `@`, and a domain of
 * ASCII labels. It has no quotes, comments, lists or groups, so that every program reads the same recipient.
 */
export const EMAIL = new RegExp(`^(?=.{3,254}$)[A-Za-z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@${ANY_CASE}(?:\\.${ANY_CASE})*$`)

/** Whether PostgreSQL can store the text: it has no NUL and no lone surrogate. */
export const isStorable = (text: string): boolean => !/[\0\p{Cs}]/u.test(text)

/**
 * Whether the text can be a name: 1 to 120 characters without spaces around them, none of them a control character, a line
 * break or an invisible one, which could reverse or hide what a reader sees.
 */
export const isName = (text: string): boolean =>
  text.length >= 1 && text.length <= 120 && text.trim() === text && !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text)
