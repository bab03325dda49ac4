import { createHmac } from 'node:crypto'
import { SECRET } from './secret.ts'

const LEAST_BYTES = 16

/**
 * The keyed hash of a visitor's session for the service: HMAC-SHA-256 of your session id, 64 hex digits.
 *
 * `key` is your own, at least 16 bytes (a string counts in UTF-8), and must stay the same for the lifetime of sessions.
 * Not a Tollgate secret: those are rotated, and every hash would change.
 *
 * @throws TypeError if the key is short or a Tollgate secret, or the value is empty or not well-formed text
 */
export const hashSession = (key: string | Uint8Array, sessionId: string): string => hash(key, 'session', sessionId)

/**
 * The keyed hash of the subject of an action for the service: HMAC-SHA-256 of your account id, e-mail address or card number,
 * 64 hex digits. Normalise the value first: `Ada@example.com` and `ada@example.com` have different hashes.
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

/** All lone surrogates are encoded as the same character, so different texts would have the same hash. */
function readText(what: string, text: unknown): string {
  if (typeof text === 'string' && text !== '' && !/\p{Surrogate}/u.test(text)) return text
  throw new TypeError(`Tollgate: the ${what} of a hash has to be a text that is not empty and has no lone surrogates.`)
}
