import { isIP } from 'node:net'
import { z } from 'zod'
import { productionFaults } from './production.ts'
import { readRedisUrl } from './redisUrl.ts'
import { RETENTION } from './retention.ts'

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

/** The settings of a deployment, as texts in the environment, and what is wrong with one beside another. */
export const Environment = z
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
