import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'

const onOff = z.enum(['on', 'off'])
const port = z
  .string()
  .regex(/^\d{1,5}$/, 'expected a port number from 0 to 65535')
  .transform(Number)
  .refine((n) => n <= 65_535, 'expected a port number from 0 to 65535')

const perTime = z
  .string()
  .regex(/^[1-9]\d{0,6}$/, 'expected a whole number from 1 to 9999999')
  .transform(Number)

/** Parsed here and not first by a driver, whose error would name no setting and show the URL with its password. */
const url = (form: RegExp, expected: string) =>
  z.string().refine((text) => form.test(text) && URL.canParse(text), `expected ${expected}`)

const cidr = z.string().refine((text) => {
  const [, address = '', bits = '0'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const version = isIP(address)
  return version > 0 && Number(bits) <= (version === 4 ? 32 : 128)
}, 'expected addresses or CIDRs separated by commas')

/** `id:key` pairs separated by commas: the first seals, all open. A key is 32 bytes in base64url. */
const sealingKeys = z
  .string()
  .transform((text) => text.split(',').map((pair) => pair.trim()))
  .pipe(
    z
      .array(
        z
          .string()
          .regex(/^[a-z0-9]{1,16}:[A-Za-z0-9_-]{43}$/, 'expected id:KEY pairs, KEY being 32 random bytes in base64url'),
      )
      .nonempty(),
  )
  .transform((pairs) =>
    pairs.map((pair) => {
      const [id = '', key = ''] = pair.split(':')
      return { id, key: Buffer.from(key, 'base64url') }
    }),
  )
  .refine((keys) => new Set(keys.map((key) => key.id)).size === keys.length, 'two keys share an id')

const Environment = z
  .object({
    NODE_ENV: z.string().optional(),
    DATABASE_URL: url(
      /^postgres(ql)?:\/\/[^/]+\/[^/?]+/,
      'postgresql://user:password@host:5432/database, with / as %2F, # as %23 and ? as %3F in the password',
    ).optional(),
    DATA_DIR: z.string().min(1).default('.data'),
    REDIS_URL: url(/^rediss?:\/\//, 'redis://host:6379').optional(),
    PORT: port.default(3000),
    HOST: z.string().min(1).optional(),
    PUBLIC_URL: url(
      /^https?:\/\/[^/?#@\s]+$/,
      'an origin such as https://tollgate.example, with nothing behind host and port',
    ).optional(),
    TRUSTED_PROXIES: z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim()))
      .pipe(z.array(cidr))
      .optional(),
    TOLLGATE_KEYS: sealingKeys.optional(),
    SMTP_URL: url(/^smtps?:\/\/[^/\s]+/, 'smtp://user:password@host:587').optional(),
    MAIL_FROM: z
      .string()
      .regex(/^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/, 'expected an address such as Tollgate <no-reply@tollgate.example>')
      .optional(),
    METRICS_TOKEN: z
      .string()
      .regex(/^[!-~]{16,}$/, 'expected at least 16 characters without spaces')
      .optional(),
    GRANTS: onOff.optional(),
    TEST_KEYS: onOff.optional(),
    TEST_KEYS_PER_MINUTE: perTime.default(60),
    TEST_KEYS_PER_SECOND: perTime.default(20),
    UNKNOWN_SECRETS_PER_MINUTE: perTime.default(30),
    LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
    DEMO: onOff.optional(),
    SHOP_PORT: port.default(3001),
  })
  .superRefine((env, issues) => {
    if (env.NODE_ENV === 'production' && env.DATABASE_URL && !env.TOLLGATE_KEYS) {
      issues.addIssue({
        code: 'custom',
        path: ['TOLLGATE_KEYS'],
        message: `required in production: every node must open what another sealed. Make one: node -p "'k1:' + require('crypto').randomBytes(32).toString('base64url')"`,
      })
    }
    if (env.NODE_ENV === 'production' && env.DEMO === 'on') {
      issues.addIssue({
        code: 'custom',
        path: ['DEMO'],
        message: `an evaluation has demo accounts and lets staff sign in without a second factor, so it does not run in production. Remove DEMO=on, or for an evaluation remove NODE_ENV=production`,
      })
    }
  })

export type SealingKey = { id: string; key: Buffer }

export type Config = Readonly<{
  production: boolean
  /** Absent: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined
  dataDir: string
  redisUrl: string | undefined
  port: number
  /** The address that the service and the demo shop listen on. */
  host: string
  publicUrl: string
  trustedProxies: readonly string[]
  /** Absent: generated once into `dataDir`. */
  keys: readonly SealingKey[] | undefined
  /** Absent: mail is captured in memory, or refused in production. */
  smtpUrl: string | undefined
  mailFrom: string
  /** Who reads /metrics; absent: whoever connects from near by. */
  metricsToken: string | undefined
  /** Whether grants can be issued and used; in an evaluation unless it says otherwise. */
  grants: boolean
  testKeys: boolean
  /** Calls with test keys: of a client's network, and of a test site. Their secrets are published. */
  testKeysPerMinute: number
  testKeysPerSecond: number
  /** Per client network. */
  unknownSecretsPerMinute: number
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** The evaluation: seeded tenants and the demo shop. */
  demo: boolean
  /** Staff see every tenant: nowhere but in an evaluation does a password alone let them. */
  staffNeeds2fa: boolean
  shopPort: number
  cores: number
}>

/** Every fault of the settings at once, in words for the person who set them. */
export class ConfigError extends Error {
  constructor(faults: string[]) {
    super(
      `The settings have ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((f) => `  ${f}`).join('\n')}`,
    )
  }
}

/** Reads the environment once; an empty value counts as absent. Throws ConfigError with all faults together. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = Environment.safeParse(present)
  if (!parsed.success)
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`))
  const e = parsed.data
  const production = e.NODE_ENV === 'production'
  const demo = e.DEMO === undefined ? !production && e.DATABASE_URL === undefined : e.DEMO === 'on'
  const publicUrl = e.PUBLIC_URL ?? `http://localhost:${e.PORT}`
  return Object.freeze({
    production,
    databaseUrl: e.DATABASE_URL,
    dataDir: resolve(e.DATA_DIR),
    redisUrl: e.REDIS_URL,
    port: e.PORT,
    // an evaluation is for the person at this machine: others on its network could use its demo accounts
    host: e.HOST ?? (demo ? '127.0.0.1' : '0.0.0.0'),
    publicUrl,
    trustedProxies: e.TRUSTED_PROXIES ?? [],
    keys: e.TOLLGATE_KEYS,
    smtpUrl: e.SMTP_URL,
    mailFrom: e.MAIL_FROM ?? `Tollgate <no-reply@${new URL(publicUrl).hostname}>`,
    metricsToken: e.METRICS_TOKEN,
    grants: e.GRANTS === undefined ? demo : e.GRANTS === 'on',
    testKeys: e.TEST_KEYS === undefined ? !production : e.TEST_KEYS === 'on',
    testKeysPerMinute: e.TEST_KEYS_PER_MINUTE,
    testKeysPerSecond: e.TEST_KEYS_PER_SECOND,
    unknownSecretsPerMinute: e.UNKNOWN_SECRETS_PER_MINUTE,
    logLevel: e.LOG_LEVEL,
    demo,
    staffNeeds2fa: !demo,
    shopPort: e.SHOP_PORT,
    cores: availableParallelism(),
  })
}
