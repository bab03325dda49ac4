import { randomBytes } from 'node:crypto'
import { hashSession } from '@tollgate/node'

const COOKIE = 'pennywheel'
const COOKIE_VALUE = /^[A-Za-z0-9_-]{43}$/

/**
 * The visitor's session as Tollgate may know it: a keyed hash of our cookie, 64 lower-case hex digits.
 * Tollgate can tell that two forms belong together, and learns nothing that would open the session.
 */
export function readSession(cookieHeader: string | undefined, key: string): string | undefined {
  for (const pair of (cookieHeader ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === COOKIE && value !== undefined && COOKIE_VALUE.test(value)) return hashSession(key, value)
  }
  return undefined
}

/** Draws a new session: its HMAC, and the Set-Cookie header value that gives it to the browser. */
export function startSession(key: string): { session: string; setCookie: string } {
  const cookie = randomBytes(32).toString('base64url')
  // Behind TLS, name it __Host-… and add Secure. This shop also runs on plain http://localhost.
  return { session: hashSession(key, cookie), setCookie: `${COOKIE}=${cookie}; Path=/; HttpOnly; SameSite=Lax` }
}
