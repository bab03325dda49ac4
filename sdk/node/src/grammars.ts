import { SECRET } from './secret.ts'

/** What a value that offends its grammar is read as. */
export const OFFENCE = Symbol('offence')

/** Reads an argument as it goes onto the wire; `undefined` where an optional one is absent. */
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

/** A moment as Unix seconds, or a `Date`, rounded down. */
export const moment: Grammar = (value) =>
  unixSeconds(value instanceof Date ? Math.floor(value.getTime() / 1000) : value)

const lowerUuid = text(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

/** Either case is taken; the wire and the answers have lower case. */
export const uuid: Grammar = (value) =>
  lowerUuid(typeof value === 'string' && /^[\x20-\x7e]*$/.test(value) ? value.toLowerCase() : value)

/** Whether the value, unchanged, is of the grammar. */
export const isOf = (grammar: Grammar, value: unknown): boolean => grammar(value) === value

/**
 * Whether the value has the form of a response token: what the field `svc-captcha-response` of a form holds once the
 * visitor is done. It says nothing about the token being valid; only `verify` does. Use it before you freeze a
 * submission: a form that was sent before the component was finished should be shown again, not kept.
 */
export function isResponseToken(value: unknown): value is string {
  return isOf(response, value)
}

/** Whether a text carries something that has the form of a secret key. */
export const carriesSecret = (value: unknown): boolean => typeof value === 'string' && SECRET.test(value)
