import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { OperatorError } from './error.ts'
import { productionFaults } from './production.ts'
import { readRedisUrl } from './redisUrl.ts'
import { RETENTION, type Retention, retentionOf } from './retention.ts'

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

/** Checked here because a driver's error would not name the setting and would show the URL with its password. */
const url = (form: RegExp, expected: string) =>
  z.string().refine((text) => form.test(text) && URL.canParse(text), `expected ${expected}`)

const databaseUrl = url(
  /^postgres(ql)?:\/\/[^/]+\/[^/?]+/,
  'postgresql://user:password@host:5432/database, with / as %2F, # as %23 and ? as %3F in the password',
)

const cidr = z.string().refine((text) => {
  const [, address = '', bits = '0'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const version = isIP(address)
  return version > 0 && Number(bits) <= (version === 4 ? 32 : 128)
}, 'expected comma-separated addresses or CIDR ranges')

/** Comma-separated `id:key` pairs: the first key seals, all keys can open. A key is 32 bytes in base64url. */
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
    DATABASE_URL: databaseUrl.optional(),
    DIRECT_URL: databaseUrl.optional(),
    OWNER_DATABASE_URL: databaseUrl.optional(),
    SHOP_DATABASE_URL: databaseUrl.optional(),
    DATA_DIR: z.string().min(1).default('.data'),
    REDIS_URL: z
      .string()
      .refine(
        (text) => readRedisUrl(text) !== undefined,
        'expected redis://host:6379, or redis+sentinel://host:26379,host:26379/name',
      )
      .optional(),
    PORT: port.default(3000),
    HOST: z.string().min(1).optional(),
    PUBLIC_URL: url(
      /^https?:\/\/[^/?#@\s]+$/,
      'an origin such as https://tollgate.example, with nothing after host and port',
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
    SUPPORT_URL: url(/^(https?:\/\/|mailto:)[^\s]+$/, 'https://… or mailto:…, where merchants reach you').optional(),
    OTEL_EXPORTER_OTLP_ENDPOINT: url(/^https?:\/\/[^/?#@\s]+[^?#\s]*$/, 'http://collector:4318').optional(),
    METRICS_TOKEN: z
      .string()
      .regex(/^[!-~]{16,}$/, 'expected at least 16 characters without spaces')
      .optional(),
    GRANTS: onOff.optional(),
    TEST_KEYS: onOff.optional(),
    TEST_KEYS_PER_MINUTE: perTime.default(60),
    TEST_KEYS_PER_SECOND: perTime.default(20),
    UNKNOWN_SECRETS_PER_MINUTE: perTime.default(30),
    CONSOLE_CALLS_PER_SECOND: perTime.default(20),
    CONSOLE_CHANGES_PER_SECOND: perTime.default(2),
    TENANT_CALLS_PER_SECOND: perTime.default(1000),
    SITES_PER_TENANT: perTime.default(50),
    INTENTS_PER_UNIT: perTime.default(50),
    SEND_TIMEOUT: z
      .string()
      .regex(/^\d{1,4}$/, 'expected whole seconds from 5 to 3600')
      .transform(Number)
      // answers may take 4.5 seconds, during which nothing is sent
      .refine((n) => n >= 5 && n <= 3600, 'expected whole seconds from 5 to 3600')
      .default(30),
    MAX_CONNECTIONS: perTime.default(5000),
    SHUTDOWN_DELAY: z
      .string()
      .regex(/^\d{1,3}$/, 'expected whole seconds from 0 to 300')
      .transform(Number)
      .refine((n) => n <= 300, 'expected whole seconds from 0 to 300')
      .optional(),
    WORKERS: z
      .string()
      .regex(/^(auto|[1-9]\d?)$/, 'expected auto, one process per core, or a number of processes from 1 to 99')
      .optional(),
    NETWORKS_FILE: z.string().min(1).optional(),
    ARCHIVE_DIR: z.string().min(1).optional(),
    DOCS: onOff.default('on'),
    LEAD_UNITS_MAX: z.coerce.number().int().min(0).default(10_000_000),
    SUPPORT_UNITS_MAX: z.coerce.number().int().min(0).default(100_000),
    ...RETENTION,
    LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
    DEMO: onOff.optional(),
    SHOP_PORT: port.default(3001),
  })
  .superRefine((env, issues) => {
    for (const setting of ['OWNER_DATABASE_URL', 'DIRECT_URL'] as const)
      if (env[setting] !== undefined && env.DATABASE_URL === undefined)
        issues.addIssue({
          code: 'custom',
          path: [setting],
          message: 'DATABASE_URL is required with it, for the user of the service',
        })
    if (env.KEEP_DECISIONS_DAYS !== undefined && env.ARCHIVE_DIR === undefined)
      issues.addIssue({
        code: 'custom',
        path: ['ARCHIVE_DIR'],
        message:
          'required with KEEP_DECISIONS_DAYS: the directory that decisions are written to before they are deleted',
      })
    if (env.NODE_ENV !== 'production' && env.DEMO === 'on' && env.DATABASE_URL && !env.SHOP_DATABASE_URL)
      issues.addIssue({
        code: 'custom',
        path: ['SHOP_DATABASE_URL'],
        message:
          'required with DEMO=on and DATABASE_URL: an empty database for the demo shop, and a user without rights on the database of DATABASE_URL',
      })
    if (env.NODE_ENV !== 'production') {
      if ((env.WORKERS ?? '1') !== '1' && (env.DEMO ?? (env.DATABASE_URL ? 'off' : 'on')) === 'on')
        issues.addIssue({
          code: 'custom',
          path: ['WORKERS'],
          message: 'an evaluation runs in one process, which keeps its e-mails in memory. Set DEMO=off as well',
        })
      return
    }
    for (const { setting, message } of productionFaults(env))
      issues.addIssue({ code: 'custom', path: [setting], message })
  })

export type SealingKey = { id: string; key: Buffer }

export type Config = Readonly<{
  production: boolean
  /** If undefined, the embedded PostgreSQL in `dataDir` is used. */
  databaseUrl: string | undefined
  /** Of the same user and database without a pooler; defined if `databaseUrl` leads to one. */
  directUrl: string | undefined
  /** Of the user who owns the tables; undefined if that of `databaseUrl` does. */
  ownerDatabaseUrl: string | undefined
  /** Of the demo shop; undefined with the embedded PostgreSQL. */
  shopDatabaseUrl: string | undefined
  dataDir: string
  redisUrl: string | undefined
  port: number
  /** The address that the service and the demo shop listen on. */
  host: string
  publicUrl: string
  trustedProxies: readonly string[]
  /** If undefined, a key is generated once into `dataDir`. */
  keys: readonly SealingKey[] | undefined
  /** If undefined, e-mails are captured in memory, and refused in production. */
  smtpUrl: string | undefined
  mailFrom: string
  /** Where merchants reach the operator: a page, or `mailto:` with an address. */
  supportUrl: string | undefined
  /** The token for /metrics. If undefined, connections from private networks can read it. */
  /** Address of an OpenTelemetry collector; undefined if no traces are sent. */
  traces: string | undefined
  metricsToken: string | undefined
  /** Whether grants can be issued and used. On by default in an evaluation only. */
  grants: boolean
  testKeys: boolean
  /** Limits of calls with test keys, per client network and per test site. Their secrets are public. */
  testKeysPerMinute: number
  testKeysPerSecond: number
  /** Per client network. */
  unknownSecretsPerMinute: number
  /** Of one person, on one node. */
  consoleCallsPerSecond: number
  consoleChangesPerSecond: number
  /** What every tenant has at least (accounts/plans/bounds.ts): calls of each backend endpoint over all its sites, and sites. */
  tenantCallsPerSecond: number
  sitesPerTenant: number
  /** Intents a day per unit of a tenant's quota and balance, counted by the hour. */
  intentsPerUnit: number
  /** Seconds after which a connection that takes nothing of its reply is cut. */
  sendTimeout: number
  /** Open connections of this node at the same time, over all its processes. */
  maxConnections: number
  /** Seconds from SIGTERM, and from the first 503 of /readyz, until connections are refused. */
  shutdownDelay: number
  /** Processes that answer requests. With more than one, another process starts and ends them (workers/primary.ts). */
  workers: number
  /** The operator's file of networks and what to do about them; undefined if there is none. */
  networksFile: string | undefined
  /** Where decisions are written before they are deleted; undefined if they are kept. */
  archiveDir: string | undefined
  /** Whether /docs and /openapi.json are served. */
  docs: boolean
  /** The most units that staff of the level support may set or add at once. */
  supportUnitsMax: number
  /** The most units that a lead may set or add at once without a second lead. */
  leadUnitsMax: number
  retention: Retention
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Evaluation mode: demo tenants and the demo shop. */
  demo: boolean
  /** Staff can see all tenants, so a password alone is enough only in an evaluation. */
  staffNeeds2fa: boolean
  shopPort: number
  /** The cost of a password's hash, as a power of two. No setting, so that no deployment has less; tests have. */
  passwordCost: number
}>

const workersOf = (text: string): number => (text === 'auto' ? availableParallelism() : Number(text))

/** All invalid settings, with messages for the operator. */
const invalidSettings = (faults: string[]): OperatorError =>
  new OperatorError(
    `${faults.length === 1 ? 'A setting is' : `${faults.length} settings are`} invalid:\n${faults.map((f) => `  ${f}`).join('\n')}`,
  )

/** Reads the environment once. An empty value counts as not set. Throws OperatorError with all invalid settings. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = Environment.safeParse(present)
  if (!parsed.success)
    throw invalidSettings(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`))
  const e = parsed.data
  const production = e.NODE_ENV === 'production'
  const demo = e.DEMO === undefined ? !production && e.DATABASE_URL === undefined : e.DEMO === 'on'
  const publicUrl = e.PUBLIC_URL ?? `http://localhost:${e.PORT}`
  return Object.freeze({
    production,
    databaseUrl: e.DATABASE_URL,
    directUrl: e.DIRECT_URL,
    ownerDatabaseUrl: e.OWNER_DATABASE_URL,
    shopDatabaseUrl: e.SHOP_DATABASE_URL,
    dataDir: resolve(e.DATA_DIR),
    redisUrl: e.REDIS_URL,
    port: e.PORT,
    // otherwise others on the network could use the demo accounts of an evaluation
    host: e.HOST ?? (demo ? '127.0.0.1' : '0.0.0.0'),
    publicUrl,
    trustedProxies: e.TRUSTED_PROXIES ?? [],
    keys: e.TOLLGATE_KEYS,
    smtpUrl: e.SMTP_URL,
    mailFrom: e.MAIL_FROM ?? `Tollgate <no-reply@${new URL(publicUrl).hostname}>`,
    supportUrl: e.SUPPORT_URL,
    traces: e.OTEL_EXPORTER_OTLP_ENDPOINT,
    metricsToken: e.METRICS_TOKEN,
    grants: e.GRANTS === undefined ? demo : e.GRANTS === 'on',
    testKeys: e.TEST_KEYS === undefined ? !production : e.TEST_KEYS === 'on',
    testKeysPerMinute: e.TEST_KEYS_PER_MINUTE,
    testKeysPerSecond: e.TEST_KEYS_PER_SECOND,
    unknownSecretsPerMinute: e.UNKNOWN_SECRETS_PER_MINUTE,
    consoleCallsPerSecond: e.CONSOLE_CALLS_PER_SECOND,
    consoleChangesPerSecond: e.CONSOLE_CHANGES_PER_SECOND,
    tenantCallsPerSecond: e.TENANT_CALLS_PER_SECOND,
    sitesPerTenant: e.SITES_PER_TENANT,
    intentsPerUnit: e.INTENTS_PER_UNIT,
    sendTimeout: e.SEND_TIMEOUT,
    maxConnections: e.MAX_CONNECTIONS,
    // a proxy that asks /readyz every second has noticed by then, and Docker kills after 10 seconds
    shutdownDelay: e.SHUTDOWN_DELAY ?? (production ? 5 : 0),
    workers: workersOf(e.WORKERS ?? (production ? 'auto' : '1')),
    networksFile: e.NETWORKS_FILE === undefined ? undefined : resolve(e.NETWORKS_FILE),
    archiveDir: e.ARCHIVE_DIR === undefined ? undefined : resolve(e.ARCHIVE_DIR),
    docs: e.DOCS === 'on',
    supportUnitsMax: e.SUPPORT_UNITS_MAX,
    leadUnitsMax: e.LEAD_UNITS_MAX,
    retention: retentionOf(e),
    logLevel: e.LOG_LEVEL,
    demo,
    staffNeeds2fa: !demo,
    shopPort: e.SHOP_PORT,
    // with r = 8 and p = 1: OWASP's minimum
    passwordCost: 17,
  })
}
