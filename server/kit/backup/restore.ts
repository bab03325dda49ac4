import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { fingerprintOf, type Keyring } from '../crypto/keyring.ts'
import { Client } from '../db/driver.ts'
import type { Schema } from '../db/migrate.ts'
import { OperatorError } from '../error.ts'
import { DamagedBackup, type Frame, type Header, readFrames, type TableEnd, type TableHeader } from './frames.ts'
import { BOOKKEEPING, columnList, tablesOf } from './write.ts'

export type Restored = { tables: number; rows: number; createdAt: string }

const SET_OWNER = 'Set OWNER_DATABASE_URL to the user who owns the tables.'

/** Ends what reads of a file failed with, as a sentence. */
function explained(error: unknown, file: string): unknown {
  if (error instanceof OperatorError) return error
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof DamagedBackup) return new OperatorError(`${file} cannot be restored: ${message}.`)
  if (code?.startsWith('Z_'))
    return new OperatorError(`${file} cannot be restored: it is damaged or not a complete backup (${message}).`)
  if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR')
    return new OperatorError(`${file} cannot be read (${code}).`)
  if (code === '42501')
    return new OperatorError(`The database's user may not write its tables (${message}). ${SET_OWNER}`)
  return error
}

async function* framesOf(file: string): AsyncGenerator<Frame> {
  const input = createReadStream(file)
  const gunzip = createGunzip()
  input.on('error', (error) => gunzip.destroy(error))
  try {
    yield* readFrames(input.pipe(gunzip))
  } finally {
    input.destroy()
    gunzip.destroy()
  }
}

function parse({ payload }: Frame): unknown {
  try {
    return JSON.parse(payload.toString())
  } catch {
    throw new DamagedBackup('unknown content')
  }
}

/** The header of a backup, after all of the file was read and its checksum compared. Throws OperatorError. */
export async function verifyBackup(file: string): Promise<Header> {
  let header: Header | undefined
  try {
    for await (const frame of framesOf(file)) {
      if (header === undefined && frame.kind !== 'header') throw new DamagedBackup('it has no header')
      header ??= parse(frame) as Header
    }
    if (header?.format !== 1) throw new DamagedBackup('of an unknown format')
    return header
  } catch (error) {
    throw explained(error, file)
  }
}

/** Throws OperatorError unless this version's tables and these sealing keys are those of the backup. */
export function assertFits(header: Header, file: string, schema: Schema, keyring: Keyring): void {
  const names = (migrations: Header['migrations']) =>
    migrations.map(({ name, checksum }) => `${name} ${checksum}`).join()
  if (names(header.migrations) !== names(schema.migrations))
    throw new OperatorError(
      `${file} was written by Tollgate ${header.version}, whose tables differ from this version's. Restore it with that version, then upgrade.`,
    )
  if (![...keyring.byId.values()].some((key) => fingerprintOf(key) === header.key))
    throw new OperatorError(
      `${file} was written with other sealing keys. Put the keys.json of that time into DATA_DIR, or set TOLLGATE_KEYS to those keys.`,
    )
}

/** Whether the role may create what migrations create, and owns what they have created. */
const IS_OWNER = `select has_schema_privilege('public', 'create') and has_database_privilege(current_database(), 'create')
    and not exists (select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname = any($1) and not pg_has_role(relowner, 'usage')) as "isOwner"`

const TABLES_IN_USE = `select relname as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> all($1) order by 1`

/**
 * Throws OperatorError unless a backup can be restored into the database, which does not need to be migrated yet. `url`: for the role
 * that owns the tables.
 */
export async function assertEmpty(url: string): Promise<void> {
  const client = new Client({ connectionString: url, application_name: 'tollgate restore' })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ isOwner: boolean }>(IS_OWNER, [BOOKKEEPING])
    if (!rows[0]?.isOwner) throw new OperatorError(`A restore writes all tables. ${SET_OWNER}`)
    const { rows: tables } = await client.query<{ name: string }>(TABLES_IN_USE, [BOOKKEEPING])
    for (const { name } of tables) await assertNoRows(client, name)
  } finally {
    await client.end().catch(() => {})
  }
}

async function assertNoRows(client: Client, table: string): Promise<void> {
  const { rowCount } = await client.query(`select from ${pg.escapeIdentifier(table)} limit 1`)
  if (rowCount)
    throw new OperatorError(`The database is not empty: the table ${table} has rows. Restore into an empty one.`)
}

/**
 * Reads a backup into the migrated, empty database of the URL, in one transaction: whatever fails changes nothing.
 * `url`: for the role that owns the tables. Throws OperatorError.
 */
export async function readBackup(url: string, file: string): Promise<Restored> {
  const client = new Client({ connectionString: url, application_name: 'tollgate restore' })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin')
    const tables = await tablesOf(client)
    for (const { table } of tables) {
      await client.query(`lock table ${pg.escapeIdentifier(table)} in exclusive mode`)
      await assertNoRows(client, table)
    }
    const restored = await copyRows(client, framesOf(file))
    await client.query('commit')
    await client.query('analyze')
    return restored
  } catch (error) {
    throw explained(error, file)
  } finally {
    // without a commit, the server rolls back
    await client.end().catch(() => {})
  }
}

async function copyRows(client: Client, frames: AsyncGenerator<Frame>): Promise<Restored> {
  const restored: Restored = { tables: 0, rows: 0, createdAt: '' }
  for await (const frame of frames) {
    if (frame.kind === 'header') restored.createdAt = (parse(frame) as Header).createdAt
    else if (frame.kind === 'table') {
      restored.rows += await copyTable(client, parse(frame) as TableHeader, frames)
      restored.tables += 1
    } else throw new DamagedBackup('its content is out of order')
  }
  return restored
}

/** Inserts the rows that follow in the frames. Returns how many. */
async function copyTable(
  client: Client,
  { table, columns }: TableHeader,
  frames: AsyncGenerator<Frame>,
): Promise<number> {
  const copy = client.query(copyFrom(`copy ${pg.escapeIdentifier(table)} (${columnList(columns)}) from stdin`))
  const finished = new Promise<void>((resolve, reject) => {
    copy.once('finish', resolve)
    copy.once('error', reject)
  })
  // it is awaited after the last row
  finished.catch(() => {})
  for (;;) {
    // not `for await`, which would end the generator with the table
    const { value: frame, done } = await frames.next()
    if (done) throw new DamagedBackup('the end is missing')
    if (frame.kind === 'data') {
      if (!copy.write(frame.payload))
        await Promise.race([finished, new Promise((resolve) => copy.once('drain', resolve))])
    } else if (frame.kind === 'end') {
      copy.end()
      await finished
      if (copy.rowCount !== (parse(frame) as TableEnd).rows) throw new DamagedBackup(`rows of ${table} are missing`)
      return copy.rowCount
    } else throw new DamagedBackup('its content is out of order')
  }
}
