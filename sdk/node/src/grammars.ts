import { SECRET } from './secret.ts'

/** The result for a value that violates its grammar. */
export const OFFENCE = Symbol('offence')

/** Converts an argument for the wire; `undefined` if an optional one is absent. */
export type Grammar = (value: unknown) => unknown

const text =
  (pattern: RegExp): Grammar =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? value : OFFENCE

const integer =
  (least: number, most: number): Grammar =>
  (value) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most ? value : OFFENCE

/** The same grammar for an argument that may be absent. `null` is not absent. */
export const optional =
  (grammar: Grammar): Grammar =>
  (value) =>
    value === undefined ? undefined : grammar(value)

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'

/** `action`, `business_type`. */
export const name = text(/^[A-Za-z0-9_-]{1,64}$/)
/** `nonce`, `idempotency_key`. */
export const key = text(/^[A-Za-z0-9_-]{16,128}$/)
/** `session`, `subject`. */
export const hmac = text(/^[0-9a-f]{64}$/)
export const hostname = text(new RegExp(`^(?=.{1,253}$)${LABEL}(?:\\.${LABEL})*$`))
export const sitekey = text(/^tg_site_[0-9A-Za-z]{20}$/)
export const decisionId = text(/^dec_[A-Za-z0-9_-]{1,60}$/)
export const response = text(/^tgr_[A-Za-z0-9_-]{1,508}$/)
export const outcome = text(/^(?:confirmed_abuse|legitimate|unknown)$/)
export const ttl = integer(60, 3600)
export const uses = integer(1, 10)
export const unixSeconds = integer(0, Number.MAX_SAFE_INTEGER)

/** A time as Unix seconds, or a `Date`, rounded down. */
export const moment: Grammar = (value) =>
  unixSeconds(value instanceof Date ? Math.floor(value.getTime() / 1000) : value)

const lowerUuid = text(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

/** Accepts both cases; the wire and the answers use lower case. */
export const uuid: Grammar = (value) =>
  lowerUuid(typeof value === 'string' && /^[\x20-\x7e]*$/.test(value) ? value.toLowerCase() : value)

/** Whether the value matches the grammar without conversion. */
export const isOf = (grammar: Grammar, value: unknown): boolean => grammar(value) === value

/**
 * Whether the value has the form of a response token: the content of the field `svc-captcha-response` once the
 * challenge is solved. It does not check the token; only `verify` does. Use it before you freeze a
 * submission: a form that was sent before the component was finished should be shown again, not frozen.
 */
export function isResponseToken(value: unknown): value is string {
  return isOf(response, value)
}

/** Whether a text contains something in the form of a secret key. */
export const carriesSecret = (value: unknown): boolean => typeof value === 'string' && SECRET.test(value)
