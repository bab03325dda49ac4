import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { OperatorError } from '../error.ts'
import { type Cidr, rangesOf } from '../http/address.ts'
import { type Oidc, oidcOf } from './oidc.ts'
import { readEnvironment } from './readEnvironment.ts'
import { type Retention, retentionOf } from './retention.ts'
import type { SealingKey } from './settingKinds.ts'

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
  /** Who sells the units, and what they cost, as the operator writes it. */
  seller: string | undefined
  unitPrice: string | undefined
  /** Address of an OpenTelemetry collector; undefined if no traces are sent. */
  traces: string | undefined
  /** The token for /metrics. If undefined, connections from private networks can read it. */
  metricsToken: string | undefined
  /** Whether grants can be issued and used. On by default in an evaluation only. */
  grants: boolean
  testKeys: boolean
  /** Whether anyone may try a verification at /try. */
  tryPage: boolean
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
  /** Connections that the kernel keeps until a process of this node accepts them. */
  backlog: number
  /** Seconds from SIGTERM, and from the first 503 of /readyz, until connections are refused. */
  shutdownDelay: number
  /** Processes that answer requests. With more than one, another process starts and ends them (workers/primary.ts). */
  workers: number
  /** The operator's file of networks and what to do about them; undefined if there is none. */
  networksFile: string | undefined
  /** The operator's file of providers' address ranges; if undefined, the shipped one is used. */
  providersFile: string | undefined
  /** Where decisions are written before they are deleted; undefined if they are kept. */
  archiveDir: string | undefined
  /** Networks that webhooks may call although they are not public. */
  webhooksAllow: readonly Cidr[]
  /** Whether /docs and /openapi.json are served. */
  docs: boolean
  /** Whether anyone may create an account. Otherwise only people with an open invitation. */
  signUp: boolean
  /** Undefined if people sign in only with accounts of the deployment. */
  oidc: Oidc | undefined
  /** Whether people can sign in with a password. */
  passwords: boolean
  /** The most units that staff of the level support may set or add at once. */
  supportUnitsMax: number
  /** The most units that a lead may set or add at once without a second lead. */
  leadUnitsMax: number
  retention: Retention
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Evaluation mode: demo tenants and the demo shop. */
  demo: boolean
  /** Names in the environment that resemble a setting and are none, as sentences. */
  warnings: readonly string[]
  /** What production would require besides, as sentences; undefined in production and in an evaluation. */
  beforeProduction: readonly string[] | undefined
  /** Staff can see all tenants, so a password alone is enough only in an evaluation. */
  staffNeeds2fa: boolean
  shopPort: number
  /** The cost of a password's hash, as a power of two. No setting, so that no deployment has less; tests have. */
  passwordCost: number
  /** Milliseconds after its first byte until which a request must be complete. */
  requestTimeout: number
}>

/** All errors in the settings, and apart from them the names that are perhaps misspelt. */
const invalidSettings = (faults: string[], warnings: string[]): OperatorError => {
  const count = faults.length === 1 ? 'A setting is invalid' : `The settings have ${faults.length} errors`
  const lines = [`${count}:`, ...faults, ...(warnings.length === 0 ? [] : ['', ...warnings])]
  return new OperatorError(lines.map((line, i) => (i === 0 || line === '' ? line : `  ${line}`)).join('\n'))
}

/** Reads the environment once. An empty value counts as not set. Throws OperatorError with all invalid settings. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const { settings: e, evaluation: demo, faults, warnings, beforeProduction } = readEnvironment(env)
  if (faults.length > 0) throw invalidSettings(faults, warnings)
  const production = e.NODE_ENV === 'production'
  const workers = e.WORKERS ?? (production ? 'auto' : 1)
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
    // otherwise others on the network could use what is refused in production
    host: e.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    publicUrl,
    trustedProxies: e.TRUSTED_PROXIES ?? [],
    keys: e.TOLLGATE_KEYS,
    smtpUrl: e.SMTP_URL,
    mailFrom: e.MAIL_FROM ?? `Tollgate <no-reply@${new URL(publicUrl).hostname}>`,
    supportUrl: e.SUPPORT_URL,
    seller: e.SELLER,
    unitPrice: e.UNIT_PRICE,
    traces: e.OTEL_EXPORTER_OTLP_ENDPOINT,
    metricsToken: e.METRICS_TOKEN,
    grants: e.GRANTS === undefined ? demo : e.GRANTS === 'on',
    testKeys: e.TEST_KEYS === undefined ? !production : e.TEST_KEYS === 'on',
    tryPage: e.TRY === undefined ? !production : e.TRY === 'on',
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
    backlog: e.BACKLOG,
    // a proxy that asks /readyz every second has noticed by then, and Docker kills after 10 seconds
    shutdownDelay: e.SHUTDOWN_DELAY ?? (production ? 5 : 0),
    workers: workers === 'auto' ? availableParallelism() : workers,
    networksFile: e.NETWORKS_FILE === undefined ? undefined : resolve(e.NETWORKS_FILE),
    providersFile: e.PROVIDERS_FILE === undefined ? undefined : resolve(e.PROVIDERS_FILE),
    archiveDir: e.ARCHIVE_DIR === undefined ? undefined : resolve(e.ARCHIVE_DIR),
    webhooksAllow: rangesOf(...(e.WEBHOOKS_ALLOW ?? [])),
    docs: e.DOCS === 'on',
    signUp: e.SIGN_UP === 'on',
    oidc: oidcOf(e),
    passwords: e.PASSWORDS === 'on',
    supportUnitsMax: e.SUPPORT_UNITS_MAX,
    leadUnitsMax: e.LEAD_UNITS_MAX,
    retention: retentionOf(e),
    logLevel: e.LOG_LEVEL,
    demo,
    warnings,
    beforeProduction,
    staffNeeds2fa: !demo,
    shopPort: e.SHOP_PORT,
    // with r = 8 and p = 1: OWASP's minimum
    passwordCost: 17,
    requestTimeout: 10_000,
  })
}
