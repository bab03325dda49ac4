import { isOf, sitekey } from './grammars.ts'
import { isIntact, isSecret } from './secret.ts'
import { isInsecure, readBase } from './url.ts'

/** How to reach the service, and as which site. */
export interface TollgateOptions {
  /**
   * Base address of the service, such as `https://tollgate.example`. It may have a path; a trailing slash is ignored.
   * `http:` is accepted for loopback hosts only, because the secret is sent: see `allowInsecure`.
   */
  url: string
  /** The site's public key, `tg_site_…`. Every intent is checked to belong to this site. */
  sitekey: string
  /** The site's secret key, `tg_secret_…`. It leaves the process only in the Authorization header. */
  secret: string
  /** Milliseconds that one try may take, from connecting until the answer is read completely. Default 5,000. */
  timeout?: number | undefined
  /** Milliseconds that a call may take with all its tries and the waits between them. Default 12,000. */
  deadline?: number | undefined
  /** Allows `http:` to a host that is not this machine. Use it only on a network where no one else can read the traffic. */
  allowInsecure?: boolean | undefined
}

export type Settings = {
  /** Without a trailing slash. */
  readonly base: string
  readonly sitekey: string
  readonly secret: string
  readonly timeout: number
  readonly deadline: number
  /** The User-Agent, if it is not the client's. */
  readonly agent?: string
}

/** The maximum of setTimeout. */
const LONGEST = 2 ** 31 - 1

/**
 * Checks the options. Throws a TypeError that says what to do and never contains the secret.
 */
export function readOptions(options: TollgateOptions): Settings {
  const { url, sitekey, secret, timeout = 5_000, deadline = 12_000, allowInsecure = false } = options ?? {}
  for (const [name, value] of Object.entries({ url, sitekey, secret })) requireValue(name, value)
  const base = readBase(url)
  if (base === undefined) {
    throw new TypeError(
      'Tollgate: `url` has to be the http(s) address of the service, without credentials, query or fragment.',
    )
  }
  // "false" from the environment would be true
  if (typeof allowInsecure !== 'boolean') throw new TypeError('Tollgate: `allowInsecure` has to be true or false.')
  if (isInsecure(base) && !allowInsecure) {
    throw new TypeError(
      'Tollgate: `url` is an http: address of another machine, so your secret key could be read on the way. ' +
        'Use https:, or set `allowInsecure: true` if no one else can listen there.',
    )
  }
  requireKeys(sitekey, secret)
  return { base, sitekey, secret, timeout: readMs('timeout', timeout), deadline: readMs('deadline', deadline) }
}

/** Usually the option comes from an environment variable that is not set. */
function requireValue(name: string, value: unknown): void {
  if (value !== undefined && value !== null && value !== '') return
  const state = value === '' ? 'empty' : String(value)
  throw new TypeError(`Tollgate: \`${name}\` is ${state}. Is its environment variable set?`)
}

function requireKeys(key: unknown, secret: unknown): void {
  if (isSecret(key) && isOf(sitekey, secret)) {
    throw new TypeError('Tollgate: `sitekey` and `secret` are swapped: `sitekey` is the one that begins with tg_site_.')
  }
  if (isSecret(key)) {
    throw new TypeError(
      'Tollgate: `sitekey` holds a secret key. It is public, so give it the site key, which begins with tg_site_.',
    )
  }
  if (isOf(sitekey, secret)) {
    throw new TypeError(
      'Tollgate: `secret` holds a site key. The secret key begins with tg_secret_; the console shows it once.',
    )
  }
  if (!isOf(sitekey, key)) {
    throw new TypeError('Tollgate: `sitekey` has to be a site key: tg_site_ and 20 letters or digits.')
  }
  if (!isSecret(secret)) {
    throw new TypeError(
      `Tollgate: \`secret\` has to be a secret key: tg_secret_ and 49 letters or digits, without anything around it.${explainLength(secret)}`,
    )
  }
  if (!isIntact(secret)) {
    throw new TypeError('Tollgate: `secret` is mistyped: its checksum is wrong. Copy it again, whole.')
  }
}

/** Of a secret key, with `tg_secret_`. */
const SECRET_LENGTH = 59

/** A secret that was cut off or has something after it. Without the secret itself. */
const explainLength = (secret: unknown): string =>
  typeof secret === 'string' && secret.startsWith('tg_secret_') && secret.length !== SECRET_LENGTH
    ? ` It has ${secret.length} characters instead of ${SECRET_LENGTH}.`
    : ''

function readMs(name: string, value: unknown): number {
  if (typeof value === 'number' && value > 0 && value <= LONGEST) return value
  throw new TypeError(`Tollgate: \`${name}\` has to be a number of milliseconds above 0.`)
}
