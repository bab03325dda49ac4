import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Config } from '../../kit/config/config.ts'
import type { Keyring } from '../../kit/crypto/keyring.ts'

/*
 * A browser that has signed in to an account gets a cookie that says so. The cookie grants no access. It only gives the
 * browser its own limit of sign-in attempts (limits.ts), so that password guessing elsewhere does not lock the person out.
 */

const DAYS = 180

const cookieName = ({ publicUrl }: Pick<Config, 'publicUrl'>): string =>
  publicUrl.startsWith('https:') ? '__Host-tollgate.known' : 'tollgate.known'

const markOf = (key: Buffer, email: string): Buffer =>
  createHmac('sha256', key).update(`tollgate known browser 1\n${email}`).digest()

/** The cookie, as a value of Set-Cookie. */
export function knownBrowserCookie({ config, keyring }: { config: Config; keyring: Keyring }, email: string): string {
  const secure = config.publicUrl.startsWith('https:') ? '; Secure' : ''
  const mark = markOf(keyring.current.key, email).toString('base64url')
  return `${cookieName(config)}=${mark}; Max-Age=${DAYS * 86_400}; Path=/; HttpOnly; SameSite=Lax${secure}`
}

/** Whether the cookies say that the browser has signed in to this account, under any of the deployment's keys. */
export function isKnownBrowser(
  { config, keyring }: { config: Config; keyring: Keyring },
  cookies: string | undefined,
  email: string,
): boolean {
  const prefix = `${cookieName(config)}=`
  const value = cookies?.split('; ').find((pair) => pair.startsWith(prefix))
  if (value === undefined) return false
  const mark = Buffer.from(value.slice(prefix.length), 'base64url')
  return [...keyring.byId.values()].some(({ key }) => {
    const right = markOf(key, email)
    return right.length === mark.length && timingSafeEqual(right, mark)
  })
}
