import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

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

/** What keeps the schema from being brought up to date, and what to do. */
export class MigrationError extends Error {}

/** Prisma's own lock, so that `prisma migrate deploy` and this runner wait for each other. */
const LOCK = 72707369

const TABLE = `create table if not exists _prisma_migrations (
  id varchar(36) primary key not null, checksum varchar(64) not null, finished_at timestamptz, migration_name varchar(255) not null,
  logs text, rolled_back_at timestamptz, started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`

/**
 * Applies what is missing, in the table and with the checksums of `prisma migrate deploy`, under its lock.
 * Each migration and its row commit together: a migration that fails leaves nothing behind.
 * Returns the names of those applied. Throws MigrationError.
 */
export async function migrate(url: string, migrations: Migration[]): Promise<string[]> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: 'tollgate migrate',
  })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await client.query(TABLE)
    const missing = await pending(client, migrations)
    for (const migration of missing) await apply(client, migration)
    return missing.map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

async function pending(client: pg.Client, migrations: Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ name: string; checksum: string; done: boolean }>(
    'select migration_name as name, checksum, finished_at is not null as done from _prisma_migrations where rolled_back_at is null',
  )
  const half = rows.find((row) => !row.done)
  if (half)
    throw new MigrationError(
      `Migration ${half.name} was begun by the Prisma command line and did not finish. Mend the database, then run: npx prisma migrate resolve --rolled-back ${half.name}`,
    )
  const applied = new Map(rows.map((row) => [row.name, row.checksum]))
  for (const { name, checksum } of migrations) {
    if (applied.has(name) && applied.get(name) !== checksum) {
      throw new MigrationError(
        `Migration ${name} was changed after it had been applied to this database. Restore the file, and put the change into a new migration.`,
      )
    }
  }
  return migrations.filter((migration) => !applied.has(migration.name))
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(sql)
    await client.query(
      'insert into _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count) values ($1, $2, now(), $3, 1)',
      [randomUUID(), checksum, name],
    )
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback').catch(() => {})
    const { message, position } = cause as Error & { position?: string }
    const line = position === undefined ? '' : ` (line ${sql.slice(0, Number(position)).split('\n').length})`
    throw new MigrationError(
      `Migration ${name} failed and was rolled back whole${line}: ${message}. The database is as it was before; mend the cause and start again.`,
      { cause },
    )
  }
}

/** Whether every migration of this version is applied: what /readyz asks. */
export async function isMigrated(pool: pg.Pool, migrations: Migration[]): Promise<boolean> {
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::int as count from _prisma_migrations where finished_at is not null and rolled_back_at is null and migration_name = any($1)',
    [migrations.map((migration) => migration.name)],
  )
  return rows[0]?.count === migrations.length
}
