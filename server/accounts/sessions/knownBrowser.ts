import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Config } from '../../kit/config.ts'
import type { Keyring } from '../../kit/keyring.ts'

/*
 * A browser that gave an account's password once carries a mark of it. It opens nothing: it only sets the browser's tries
 * apart from those of whoever guesses at the account elsewhere (limits.ts), so that nobody is kept out by them.
 */

const DAYS = 180

const nameOf = ({ publicUrl }: Pick<Config, 'publicUrl'>): string =>
  publicUrl.startsWith('https:') ? '__Host-tollgate.known' : 'tollgate.known'

const markOf = (key: Buffer, email: string): Buffer =>
  createHmac('sha256', key).update(`tollgate known browser 1\n${email}`).digest()

/** The cookie that marks the browser, as a line of Set-Cookie. */
export function knownBrowserCookie({ config, keyring }: { config: Config; keyring: Keyring }, email: string): string {
  const secure = config.publicUrl.startsWith('https:') ? '; Secure' : ''
  const mark = markOf(keyring.current.key, email).toString('base64url')
  return `${nameOf(config)}=${mark}; Max-Age=${DAYS * 86_400}; Path=/; HttpOnly; SameSite=Lax${secure}`
}

/** Whether the cookies carry a mark of this account, by any of the deployment's keys. */
export function isKnownBrowser(
  { config, keyring }: { config: Config; keyring: Keyring },
  cookies: string | undefined,
  email: string,
): boolean {
  const prefix = `${nameOf(config)}=`
  const value = cookies?.split('; ').find((pair) => pair.startsWith(prefix))
  if (value === undefined) return false
  const mark = Buffer.from(value.slice(prefix.length), 'base64url')
  return [...keyring.byId.values()].some(({ key }) => {
    const right = markOf(key, email)
    return right.length === mark.length && timingSafeEqual(right, mark)
  })
}
