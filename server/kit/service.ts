import pg from 'pg'
import type { Config } from './config/config.ts'
import type { Context } from './context.ts'
import { Resources } from './context.ts'
import { compareKeys } from './crypto/compareKeys.ts'
import { type Keyring, loadKeyring } from './crypto/keyring.ts'
import { checkDatabase, leadsToPooler, type UrlSetting } from './db/checkDatabase.ts'
import { createClock } from './db/clock.ts'
import { createDatabase, type Database, type DatabaseAddress } from './db/db.ts'
import { openInvalidations } from './db/invalidations.ts'
import { migrate, NEEDS_OWNER, readSchema, type Schema } from './db/migrate.ts'
import { type Patience, untilItAnswers } from './db/patience.ts'
import { flushAll } from './db/writeBuffer.ts'
import { type DatabaseUrls, openDatabase } from './embedded/database.ts'
import { type Cluster, openCluster } from './embedded/open.ts'
import type { Holder } from './embedded/presence.ts'
import { OperatorError } from './error.ts'
import { createLocalAttempts, createSharedAttempts } from './limits/attempts.ts'
import { withHashedKeys } from './limits/hashedKeys.ts'
import { createLocalLimiter, createSharedLimiter } from './limits/limiter.ts'
import { createNodeBounds } from './limits/nodeBounds.ts'
import { openSharedStore } from './limits/redis.ts'
import { createRedisExchange } from './limits/redisExchange.ts'
import type { Log } from './process/log.ts'
import { createMail } from './process/mail.ts'
import { openTracing, tracedPool } from './process/tracing.ts'

/** The context of a migrated database, and everything that must be closed at the end. */
export type Service = {
  ctx: Context
  database: Database
  /** Defined if the embedded PostgreSQL is used. */
  cluster: Cluster | undefined
  schema: Schema
  /** What opening it has applied to the database: migrations and files of functions, by name. */
  applied: string[]
  /** The role that got the rights of the service, if it is not the owner. */
  granted: string | undefined
  /** Connection string for the role that owns the tables; the service's own if one role does both. */
  ownerUrl: string
  close(): Promise<void>
  /** Ends an embedded PostgreSQL that no other process uses, when this process ends without closing. */
  abandon(): Promise<void>
}

/** The URL without its password, for messages. */
const withoutPassword = (url: string) => url.replace(/\/\/[^@/]*@/, '//…@').split('?', 1)[0]

const WITHOUT: Record<UrlSetting, string> = {
  DATABASE_URL: 'Unset it to use the embedded PostgreSQL.',
  DIRECT_URL: 'Unset it if DATABASE_URL leads to PostgreSQL without a pooler.',
  OWNER_DATABASE_URL: 'Unset it if one user does both.',
}

/** The codes of Node.js for a certificate of an unknown authority. */
const UNKNOWN_AUTHORITY = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** The same about the certificate of the database server, or about a file that verifies it. */
function certificateRemedy(setting: UrlSetting, { code = '', syscall }: NodeJS.ErrnoException): string | undefined {
  if (UNKNOWN_AUTHORITY.has(code))
    return `Append \`sslrootcert=/path/to/ca.pem\` to ${setting}, the certificate of the authority that signed the server's.`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `Let ${setting} name the database server as its certificate does.`
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return `Renew the certificate of the database server or of its authority (\`sslrootcert\` in ${setting}), and check the clocks.`
  // a file of the connection string, not a socket
  if (syscall === 'open' || syscall === 'read' || code.startsWith('ERR_OSSL_PEM'))
    return `Correct \`sslrootcert\`, \`sslcert\` or \`sslkey\` in ${setting}: a file in PEM format that this account can read.`
  return undefined
}

/** What to do about a database error, by the code from PostgreSQL or the network. */
function remedyOf(setting: UrlSetting, cause: NodeJS.ErrnoException): string {
  const { code, message } = cause
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || /timeout/i.test(message))
    return `Start it or correct ${setting}. ${WITHOUT[setting]}`
  if (code === '28P01' || code === '28000') return `Correct the user or password in ${setting}.`
  if (code === '3D000') return `Create the database first, or correct ${setting}.`
  if (code === '42501')
    return `Run ${NEEDS_OWNER}. If one user does both, it must be allowed to create tables, types, functions and a schema.`
  if (code === '25006') return `Let ${setting} lead to the primary.`
  const certificate = certificateRemedy(setting, cause)
  if (certificate !== undefined) return certificate
  // PgBouncer, and AWS's
  if (/startup parameter|command-line options/.test(message)) return leadsToPooler(setting)
  return `Correct ${setting}, or check the database server.`
}

/** Runs `work` on the database of the URL. Throws OperatorError, which says what to do if the database cannot be used. */
async function explained<Out>(url: string, setting: UrlSetting, work: () => Promise<Out>): Promise<Out> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause
    const error = cause as NodeJS.ErrnoException
    throw new OperatorError(
      `The database ${withoutPassword(url)} cannot be used: ${error.message || error.code}. ${remedyOf(setting, error)}`,
      { cause },
    )
  }
}

type Urls = DatabaseUrls & { direct?: string | undefined }

function urlsOf({ databaseUrl: service = '', directUrl: direct, ownerDatabaseUrl }: Config): Urls {
  return { service, direct, owner: ownerDatabaseUrl ?? direct ?? service }
}

/** The role of a connection string. The driver finds it where the string does not name one, and reads the files that it names. */
const roleOf = (connectionString: string) => new pg.Client({ connectionString }).user

/** A database that has not answered yet may be away, or a setting wrong. */
const FIRST_ANSWER_MS = 60_000

export type Opening = {
  /**
   * Of a service: its start waits for a database that is unavailable, until this is aborted; for one that has never answered, up to
   * 60 s. Without it, as for commands, it is refused at once.
   */
  ending?: AbortSignal
  /** Of a command: its statements may take as long as they need. */
  isUnbounded?: boolean
  /** Of a restore: runs before anything is created. Sealing keys are not compared, because their rows are in the backup. */
  beforeRestore?: (ownerUrl: string) => Promise<void>
}

/** Opens the configured database, applies migrations, and creates the context that all functions take. */
export async function openService(
  config: Config,
  holder: Holder,
  log: Log,
  { ending, isUnbounded = false, beforeRestore }: Opening = {},
): Promise<Service> {
  const schema = readSchema()
  const cluster = config.databaseUrl === undefined ? await openCluster(config.dataDir, holder, log, ending) : undefined
  let database: Database | undefined
  const patiently = <Out>(work: () => Promise<Out>, longest?: number): Promise<Out> =>
    ending ? untilItAnswers({ log, ending, ...(longest !== undefined && { longest }) }, work) : work()
  try {
    const {
      owner: ownerUrl,
      service: url,
      direct,
    }: Urls = cluster ? await patiently(() => openDatabase(cluster)) : urlsOf(config)
    const directSetting = direct === undefined ? 'DATABASE_URL' : 'DIRECT_URL'
    const ownerSetting = config.ownerDatabaseUrl ? 'OWNER_DATABASE_URL' : directSetting
    const role = await explained(url, 'DATABASE_URL', async () => roleOf(url))
    const ownerRole = await explained(ownerUrl, ownerSetting, async () => roleOf(ownerUrl))
    const granted = role === ownerRole ? undefined : role
    const firstAnswer = cluster ? undefined : FIRST_ANSWER_MS
    const check = (each: string, setting: UrlSetting, isPooled = false) =>
      patiently(() => explained(each, setting, () => checkDatabase(each, { setting, isPooled, log })), firstAnswer)
    await check(ownerUrl, ownerSetting)
    if (beforeRestore) await explained(ownerUrl, ownerSetting, () => beforeRestore(ownerUrl))
    const migrated = () =>
      explained(ownerUrl, ownerSetting, () =>
        migrate(ownerUrl, schema, {
          service: granted,
          report: (message) => log.warn(message),
        }),
      )
    const applied = await patiently(migrated)
    if (applied.length > 0) log.debug({ applied }, 'schema updated')
    if ((direct ?? url) !== ownerUrl) await check(direct ?? url, directSetting)
    if (direct !== undefined) await check(url, 'DATABASE_URL', true)
    const opening = createDatabase({ url, directUrl: direct }, log, { isUnbounded })
    database = opening
    const keyring = loadKeyring(config)
    const isNode = holder.kind === 'service'
    const warn = (text: string) => log.warn(text)
    if (!beforeRestore) await patiently(() => compareKeys(opening.pool, { keyring, config, isNode, warn }))
    const opened = await patiently(() => openContext(config, opening, { log, keyring, listens: isNode }))
    return {
      ...opened,
      database: opening,
      cluster,
      schema,
      applied,
      granted,
      ownerUrl,
      async close() {
        await opened.close()
        await opening.close()
        await cluster?.close()
      },
      async abandon() {
        await cluster?.abandon()
      },
    }
  } catch (error) {
    await database?.close()
    await cluster?.close()
    throw error
  }
}

/** The same for one of several processes, whose primary has opened the database and counts for all of them. */
export async function openWorkerService(
  config: Config,
  address: DatabaseAddress,
  shared: SharedCounts,
  { log, ending }: Patience,
): Promise<Service> {
  const database = createDatabase(address, log, { processes: config.workers })
  const opened = await untilItAnswers({ log, ending }, () =>
    openContext(config, database, { log, keyring: loadKeyring(config), listens: true, shared }),
  )
  return {
    ...opened,
    database,
    cluster: undefined,
    schema: readSchema(),
    applied: [],
    granted: undefined,
    ownerUrl: address.url,
    async close() {
      await opened.close()
      await database.close()
    },
    abandon: async () => {},
  }
}

/** Limits and attempts, counted wherever all nodes or processes see them. */
type Counts = Pick<Context, 'limiter' | 'attempts' | 'exchange'>

/** The same with the bounds of the node, in a worker of the node. */
type SharedCounts = Counts & Pick<Context, 'bounds'>

function openCounts(config: Config, keyring: Keyring, log: Log): Counts & { close(): void } {
  if (config.redisUrl === undefined)
    return {
      limiter: createLocalLimiter(),
      attempts: createLocalAttempts(),
      exchange: undefined,
      close: () => undefined,
    }
  const store = openSharedStore(config.redisUrl, log)
  return {
    limiter: withHashedKeys(createSharedLimiter(store), keyring),
    attempts: createSharedAttempts(store),
    exchange: createRedisExchange(store),
    close: () => store.close(),
  }
}

/** `listens`: to changes that other processes make. `shared`: counts of another process; without it, of Redis or its own. */
async function openContext(
  config: Config,
  database: Database,
  { log, keyring, listens, shared }: { log: Log; keyring: Keyring; listens: boolean; shared?: SharedCounts },
): Promise<{ ctx: Context; close(): Promise<void> }> {
  const { rows } = await database.pool.query<{ now: number }>(
    'select (extract(epoch from now()) * 1000)::float8 as now',
  )
  const own = shared && config.redisUrl === undefined ? undefined : openCounts(config, keyring, log)
  const { limiter, attempts, exchange } = own ?? (shared as Counts)
  const invalidations = openInvalidations(listens ? (database.directUrl ?? database.url) : undefined, log)
  const tracing = config.traces === undefined ? undefined : await openTracing(config.traces)
  const ctx: Context = Object.freeze({
    config,
    log,
    tracing,
    clock: createClock(rows[0]?.now ?? Date.now()),
    keyring,
    limiter,
    attempts,
    exchange,
    bounds: shared?.bounds ?? createNodeBounds(),
    hotPool: tracing ? tracedPool(database.hotPool, tracing) : database.hotPool,
    prisma: database.prisma,
    mail: createMail(config),
    invalidations,
    resources: new Resources(() => ctx),
  })
  return {
    ctx,
    async close() {
      own?.close()
      await invalidations.close()
      await flushAll(ctx.resources)
      // a collector that is away is no reason not to end
      await tracing?.close().catch(() => {})
    },
  }
}
