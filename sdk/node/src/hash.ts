import { createHmac } from 'node:crypto'
import { SECRET } from './secret.ts'

const LEAST_BYTES = 16

/**
 * What the service may know of a visitor's session: HMAC-SHA-256 of your session id, 64 hex digits.
 *
 * `key` is your own, at least 16 bytes (a text counts by its UTF-8), and stays the same for as long as sessions live.
 * Not a Tollgate secret: those are rotated, and every session would become another one.
 *
 * @throws TypeError if the key is short or a Tollgate secret, or the value is empty or no well-formed text
 */
export const hashSession = (key: string | Uint8Array, sessionId: string): string => hash(key, 'session', sessionId)

/**
 * What the service may know of whom an action is about: HMAC-SHA-256 of your account id, e-mail address or card number,
 * 64 hex digits. Bring the value into one form first: `Ada@example.com` and `ada@example.com` are two.
 *
 * @throws TypeError as `hashSession`
 */
export const hashSubject = (key: string | Uint8Array, subject: string): string => hash(key, 'subject', subject)

function hash(key: unknown, kind: string, value: unknown): string {
  return createHmac('sha256', readKey(key))
    .update(`${kind}:${readText('value', value)}`)
    .digest('hex')
}

function readKey(key: unknown): Uint8Array {
  const bytes = key instanceof Uint8Array ? key : Buffer.from(readText('key', key))
  if (bytes.length < LEAST_BYTES)
    throw new TypeError(`Tollgate: the key of a hash has to be at least ${LEAST_BYTES} bytes.`)
  if (SECRET.test(Buffer.from(bytes).toString('latin1'))) {
    throw new TypeError(
      'Tollgate: the key of a hash has to be your own, not a Tollgate secret: when you rotate that, every session and subject would become another one.',
    )
  }
  return bytes
}

/** Lone surrogates are encoded as one and the same character, so that different texts would have the same hash. */
function readText(what: string, text: unknown): string {
  if (typeof text === 'string' && text !== '' && !/\p{Surrogate}/u.test(text)) return text
  throw new TypeError(`Tollgate: the ${what} of a hash has to be a text that is not empty and has no lone surrogates.`)
}
