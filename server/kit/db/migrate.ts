import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Logger, runMigrations } from 'graphile-worker'
import { OperatorError } from '../error.ts'
import type { HotPool } from './db.ts'
import { Client, Pool } from './driver.ts'
import { boundLocks, type LockOptions, MIGRATING, withShortLocks } from './shortLocks.ts'

export type Migration = { name: string; sql: string; checksum: string }

/** The migrations of a directory, in their order: `<name>/migration.sql`, named by time. */
export function readMigrations(directory: string): Migration[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const sql = readFileSync(join(directory, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * A file of SQL functions, next to the code that calls them. It is applied as a whole, with
 * `create or replace`, to every database that has not seen this version of it.
 *
 * Nodes of two versions run side by side during an upgrade, so a function keeps its parameters and its results; one
 * that has to change them gets a new name, and the old one stays in the file for one release.
 */
export type SqlFile = { path: string; sql: string; checksum: string }

const SERVER = resolve(dirname(fileURLToPath(import.meta.url)), '../..')

/** The command that changes the schema if the database's user may not. */
export const NEEDS_OWNER =
  '`node --env-file=FILE --env-file=OWNER_FILE dist/server/cli.js migrate`, with OWNER_DATABASE_URL of the user who owns the tables in OWNER_FILE'

/** The complete schema of this version: the migrations of the tables, and the functions. */
export type Schema = { migrations: Migration[]; functions: SqlFile[] }

/** The schema of this version. The migrations are read from the working directory, as Prisma's command line reads them. */
export function readSchema(): Schema {
  return { migrations: readMigrations('prisma/migrations'), functions: readSqlFiles(SERVER) }
}

/** All `*.sql` files below a directory, in the order of their paths. */
export function readSqlFiles(directory: string): SqlFile[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.sql'))
    .map((entry) => {
      const file = join(entry.parentPath, entry.name)
      const sql = readFileSync(file, 'utf8')
      return {
        path: relative(directory, file).split(sep).join('/'),
        sql,
        checksum: createHash('sha256').update(sql).digest('hex'),
      }
    })
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** Prisma's own lock, so that `prisma migrate deploy` and this runner wait for each other. */
const LOCK = 72707369

const TABLE = `create table _prisma_migrations (
  id varchar(36) primary key not null, checksum varchar(64) not null, finished_at timestamptz, migration_name varchar(255) not null,
  logs text, rolled_back_at timestamptz, started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`

// A version of a file that was applied once is never applied again: a node of the previous version that restarts during
// an upgrade must not put back the functions that the newer version replaced.
const FUNCTIONS_TABLE = `create table _sql_file (
  path text not null, checksum text not null, applied_at timestamptz not null default now(), primary key (path, checksum))`

/** Its own lines would not have the log's format, and its errors are thrown. */
const SILENT = new Logger(() => () => {})

/**
 * Applies what is missing in the database: migrations in the table and with the checksums of
 * `prisma migrate deploy`, then files of functions, then graphile-worker's own, all under Prisma's lock. Each migration and
 * each file commits together with its row, so a failed one leaves no changes. Locks are waited for a short time only, and again
 * after a pause. `service`: the role that the service runs as, which gets its rights, if that is not the role of `url`. Where
 * nothing is missing, a role without rights on the schema can call this too.
 * Returns the names of the migrations and the paths of the files that were applied. Throws OperatorError.
 */
export async function migrate(
  url: string,
  { migrations, functions }: Schema,
  { service, ...locks }: LockOptions & { service?: string | undefined } = {},
): Promise<string[]> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: MIGRATING,
  })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    const { rows } = await client.query<{ migrations: boolean; files: boolean }>(
      `select to_regclass('_prisma_migrations') is not null as migrations, to_regclass('_sql_file') is not null as files`,
    )
    if (!rows[0]?.migrations) await client.query(TABLE)
    if (!rows[0]?.files) await client.query(FUNCTIONS_TABLE)
    const missing = await pending(client, migrations)
    const run: Run = (what, sql, work) => inTransaction(client, { what, sql }, work, { url, ...locks })
    for (const migration of missing) await applyMigration(client, run, migration)
    const changed = await changedFiles(client, functions)
    for (const file of changed) await applyFile(client, run, file)
    await withShortLocks(url, "The schema of the jobs' tables", () => migrateJobs(url), locks)
    if (service !== undefined)
      await run('The rights of the service', '', async () => {
        await client.query('select grant_service_rights($1)', [service])
      })
    return [...missing.map(({ name }) => name), ...changed.map(({ path }) => path)]
  } finally {
    await client.end()
  }
}

async function pending(client: Client, migrations: Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ name: string; checksum: string; done: boolean }>(
    'select migration_name as name, checksum, finished_at is not null as done from _prisma_migrations where rolled_back_at is null',
  )
  const half = rows.find((row) => !row.done)
  if (half)
    throw new OperatorError(
      `The Prisma command line started migration ${half.name} and did not finish it. Repair the database, then run: npx prisma migrate resolve --rolled-back ${half.name}`,
    )
  const applied = new Map(rows.map((row) => [row.name, row.checksum]))
  for (const { name, checksum } of migrations) {
    if (applied.has(name) && applied.get(name) !== checksum) {
      throw new OperatorError(
        `Migration ${name} was changed after it had been applied to this database. Restore the file and put the change into a new migration.`,
      )
    }
  }
  return migrations.filter((migration) => !applied.has(migration.name))
}

async function changedFiles(client: Client, files: SqlFile[]): Promise<SqlFile[]> {
  const { rows } = await client.query<{ path: string; checksum: string }>('select path, checksum from _sql_file')
  const applied = new Set(rows.map((row) => `${row.path} ${row.checksum}`))
  return files.filter((file) => !applied.has(`${file.path} ${file.checksum}`))
}

/** Runs the work of a migration or a file in a transaction. */
type Run = (what: string, sql: string, work: () => Promise<void>) => Promise<void>

async function applyMigration(client: Client, run: Run, { name, sql, checksum }: Migration): Promise<void> {
  await run(`Migration ${name}`, sql, async () => {
    await client.query(sql)
    await client.query(
      'insert into _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count) values ($1, $2, now(), $3, 1)',
      [randomUUID(), checksum, name],
    )
  })
}

async function applyFile(client: Client, run: Run, { path, sql, checksum }: SqlFile): Promise<void> {
  await run(path, sql, async () => {
    // a function may call one of a later file
    await client.query('set local check_function_bodies = off')
    await client.query(sql)
    await client.query('insert into _sql_file (path, checksum) values ($1, $2)', [path, checksum])
  })
}

/** graphile-worker's own migrations, on a connection of their own. */
async function migrateJobs(url: string): Promise<void> {
  const pool = new Pool({
    connectionString: url,
    max: 1,
    application_name: MIGRATING,
    // the connection is not used before its promise is settled, which the type does not know
    onConnect: (client) => client.query(boundLocks('session')) as unknown as undefined,
  })
  pool.on('error', () => {})
  pool.on('connect', (connection) => connection.on('error', () => {}))
  try {
    await runMigrations({ pgPool: pool, logger: SILENT })
  } finally {
    await pool.end()
  }
}

async function inTransaction(
  client: Client,
  { what, sql }: { what: string; sql: string },
  work: () => Promise<void>,
  { url, ...locks }: LockOptions & { url: string },
): Promise<void> {
  const once = async () => {
    try {
      await client.query('begin')
      await client.query(boundLocks('local'))
      await work()
      await client.query('commit')
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    }
  }
  try {
    await withShortLocks(url, what, once, locks)
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause
    const { message, position, code } = cause as Error & { position?: string; code?: string }
    const line = position === undefined ? '' : ` (line ${sql.slice(0, Number(position)).split('\n').length})`
    throw new OperatorError(
      `${what} failed and was rolled back${line}: ${message}. The database is unchanged by it; ${code === '42501' ? `run ${NEEDS_OWNER}` : 'fix the cause and start again'}.`,
      { cause },
    )
  }
}

const IS_MIGRATED = {
  name: 'is_migrated',
  text: `/* is_migrated */ select
      (select count(*)::int from _prisma_migrations
        where finished_at is not null and rolled_back_at is null and migration_name = any($1::text[])) as migrations,
      (select count(*)::int from _sql_file f join unnest($2::text[], $3::text[]) as t(path, checksum)
        on f.path = t.path and f.checksum = t.checksum) as files,
      pg_logical_emit_message(true, 'tollgate', '') as commits`,
}

/**
 * Whether the schema of this version is fully applied. Used by `/readyz`, so it commits as a write does: it fails where the
 * database only reads, and where no standby confirms commits.
 */
export async function isMigrated(runs: Pick<HotPool, 'query'>, { migrations, functions }: Schema): Promise<boolean> {
  const [row] = await runs.query<{ migrations: number; files: number }>(IS_MIGRATED, [
    migrations.map(({ name }) => name),
    functions.map(({ path }) => path),
    functions.map(({ checksum }) => checksum),
  ])
  return row?.migrations === migrations.length && row.files === functions.length
}
