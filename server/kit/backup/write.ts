import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { link, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { fingerprintOf, type Keyring } from '../crypto/keyring.ts'
import { Client } from '../db/driver.ts'
import type { Schema } from '../db/migrate.ts'
import { OperatorError } from '../error.ts'
import { FrameEncoder, type Header } from './frames.ts'

/** Written by the migration runner itself. */
export const BOOKKEEPING = ['_prisma_migrations', '_sql_file']

/** Tables with their columns. A table comes after those that its foreign keys lead to, so that rows can be inserted in this order. */
const TABLES = `
  with recursive referenced as (
    select c.oid, coalesce(array_agg(k.confrelid) filter (where k.confrelid <> c.oid), '{}') as needs
    from pg_class c left join pg_constraint k on k.conrelid = c.oid and k.contype = 'f'
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all($1)
    group by c.oid
  ), depths as (
    select oid, 0 as depth from referenced where needs = '{}'
    union
    select r.oid, d.depth + 1 from depths d join referenced r on d.oid = any(r.needs)
  )
  select c.relname as table, max(d.depth) as depth,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
  from referenced r join pg_class c using (oid) left join depths d using (oid)
  group by c.oid, c.relname order by depth, 1`

/** The tables of the schema, in an order in which their rows can be inserted. */
export async function tablesOf(client: Client): Promise<{ table: string; columns: string[] }[]> {
  const { rows } = await client.query<{ table: string; columns: string[]; depth: number | null }>(TABLES, [BOOKKEEPING])
  const circular = rows.find(({ depth }) => depth === null)
  if (circular) throw new Error(`the foreign keys of ${circular.table} form a circle`)
  return rows.map(({ table, columns }) => ({ table, columns }))
}

export const columnList = (columns: readonly string[]): string => columns.map(pg.escapeIdentifier).join(', ')

export type BackupSummary = { tables: number; rows: number; bytes: number }

/**
 * Writes all rows of the database as of one moment to a new file, which appears only when it is complete and on the disk.
 * The service may run meanwhile. `url`: for a role that may read all tables. Throws OperatorError.
 */
export async function writeBackup(
  url: string,
  file: string,
  about: { schema: Schema; keyring: Keyring; version: string },
): Promise<BackupSummary> {
  const client = new Client({ connectionString: url, application_name: 'tollgate backup' })
  client.on('error', () => {})
  await client.connect()
  const staging = `${file}.${process.pid}`
  const summary: BackupSummary = { tables: 0, rows: 0, bytes: 0 }
  try {
    await client.query('begin isolation level repeatable read read only')
    const output = createWriteStream(staging, { flags: 'wx', mode: 0o600 })
    await once(output, 'open')
    await pipeline(Readable.from(frames(client, about, summary), { objectMode: false }), createGzip(), output)
    summary.bytes = output.bytesWritten
    await sync(staging)
    // unlike a rename, a link never replaces another backup
    await link(staging, file)
    await sync(dirname(file))
    return summary
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new OperatorError(`${file} exists already. Choose another name.`)
    if (code === 'ENOSPC') throw new OperatorError(`There is no space left for ${file}.`)
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EROFS')
      throw new OperatorError(`${file} cannot be written (${code}). Choose a directory that you can write to.`)
    throw error
  } finally {
    await rm(staging, { force: true })
    await client.end().catch(() => {})
  }
}

async function* frames(
  client: Client,
  { schema, keyring, version }: { schema: Schema; keyring: Keyring; version: string },
  summary: BackupSummary,
): AsyncGenerator<Buffer> {
  const encoder = new FrameEncoder()
  const header: Header = {
    format: 1,
    version,
    createdAt: new Date().toISOString(),
    migrations: schema.migrations.map(({ name, checksum }) => ({ name, checksum })),
    key: fingerprintOf(keyring.current),
  }
  yield encoder.encode('header', header)
  for (const { table, columns } of await tablesOf(client)) {
    yield encoder.encode('table', { table, columns })
    const rows = client.query(copyTo(`copy ${pg.escapeIdentifier(table)} (${columnList(columns)}) to stdout`))
    for await (const chunk of rows) yield encoder.encode('data', chunk as Buffer)
    yield encoder.encode('end', { rows: rows.rowCount })
    summary.tables += 1
    summary.rows += rows.rowCount
  }
  yield encoder.end()
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
