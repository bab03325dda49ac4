import type { Log } from './log.ts'

/** What the shop needs to run. Tests pass it to `startShop`; the command line reads it from the environment. */
export type ShopOptions = {
  /** TCP port to listen on; 0 picks a free one. */
  port: number
  /** Address to bind to; absent means every interface. */
  host?: string | undefined
  /** The host name under which visitors reach the shop, without port. Intents are opened for it. */
  hostname: string
  /** Tollgate as the visitor's browser sees it, without a trailing slash. */
  tollgateUrl: string
  /** Tollgate as this server sees it; absent means the same as `tollgateUrl`. */
  tollgateApiUrl?: string | undefined
  sitekey: string
  /** Secret key. It leaves this process in the Authorization header only. */
  secret: string
  /** Connection string of the shop's own PostgreSQL database. */
  databaseUrl: string
  /** Key of the session HMAC; absent means one is drawn once and kept in the database. */
  key?: string | undefined
  /** Milliseconds that a page may wait for Tollgate, with all tries; absent means 8,000. */
  patience?: number | undefined
  /** Receives the server's log; absent means JSON lines on stderr. */
  log?: Log | undefined
}

/** Every fault of the environment at once. Names variables, never their values: one of them is a secret. */
export class ConfigError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`The shop cannot start:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
    this.name = 'ConfigError'
    this.faults = faults
  }
}

/**
 * Reads the options from environment variables; an empty one counts as absent.
 * @throws ConfigError naming every variable that is missing or malformed
 */
export function readOptions(env: NodeJS.ProcessEnv): ShopOptions {
  const faults: string[] = []

  function read(name: string, fallback: string | undefined, pattern: RegExp, expected: string): string {
    const value = env[name] || fallback
    if (value === undefined) faults.push(`${name} is missing: ${expected}`)
    else if (!pattern.test(value)) faults.push(`${name} is malformed: ${expected}`)
    return value ?? ''
  }

  function readUrl(name: string, fallback: string | undefined): string {
    const expected = 'an http:// or https:// address without credentials, query or fragment'
    const value = read(name, fallback, /^/, expected)
    if (value !== '' && !isBaseUrl(value)) faults.push(`${name} is malformed: ${expected}`)
    return value.replace(/\/+$/, '')
  }

  const port = read('SHOP_PORT', '3001', /^\d{1,5}$/, 'a port number')
  if (Number(port) > 65_535) faults.push('SHOP_PORT is malformed: a port number is at most 65535')
  const tollgateUrl = readUrl('TOLLGATE_URL', 'http://localhost:3000')

  const options: ShopOptions = {
    port: Number(port),
    host: env.SHOP_HOST || env.HOST || undefined,
    hostname: read(
      'SHOP_HOSTNAME',
      'localhost',
      /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/,
      'a lower-case host name without port',
    ),
    tollgateUrl,
    tollgateApiUrl: env.TOLLGATE_API_URL ? readUrl('TOLLGATE_API_URL', undefined) : undefined,
    sitekey: read('TOLLGATE_SITEKEY', undefined, /^tg_site_[0-9A-Za-z]{20}$/, 'tg_site_ and 20 letters or digits'),
    secret: read('TOLLGATE_SECRET', undefined, /^tg_secret_[0-9A-Za-z]{49}$/, 'tg_secret_ and 49 letters or digits'),
    databaseUrl: read('SHOP_DATABASE_URL', undefined, /^postgres(ql)?:\/\//, 'a postgresql:// connection string'),
    key: env.SHOP_KEY || undefined,
  }
  if (options.key !== undefined && options.key.length < 32) faults.push('SHOP_KEY is too short: at least 32 characters')
  if (faults.length > 0) throw new ConfigError(faults)
  return options
}

function isBaseUrl(value: string): boolean {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) return false
  const { username, password, search, hash } = new URL(value)
  return username + password + search + hash === ''
}
