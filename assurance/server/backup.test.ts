import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { assertFits, readBackup, verifyBackup } from '../../server/kit/backup/restore.ts'
import { writeBackup } from '../../server/kit/backup/write.ts'
import { createKeyring } from '../../server/kit/crypto/keyring.ts'
import { readSchema } from '../../server/kit/db/migrate.ts'
import { openTestApp } from '../../test/support/app.ts'
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { runCli, startServer, TEST_KEYS, type Words } from '../../test/support/process.ts'
import { testApp, testSite } from '../../test/support/testApp.ts'

const app = testApp()
const site = testSite(app, { quota: 100_000, balance: 500 })
const folder = mkdtempSync(join(tmpdir(), 'tollgate-backup-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Returns the exit code of the command, and what it printed. */
async function tollgate(settings: Record<string, string>, ...words: Words[]) {
  const { code, out, err } = await runCli({ TOLLGATE_KEYS: TEST_KEYS, ...settings }, ...words)
  return [code, out + err] as const
}

const source = () => ({ DATABASE_URL: app.databaseUrl, OWNER_DATABASE_URL: app.ownerDatabaseUrl })
const settingsOf = ({ url, serviceUrl }: TestDatabase) => ({ DATABASE_URL: serviceUrl, OWNER_DATABASE_URL: url })

/** What the header of a backup says. */
const about = () => ({ schema: readSchema(), keyring: app.ctx.keyring, version: 'test' })

/** A digest of each table's rows, without the order. */
async function contents(url: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ table: string }>(
    `select relname as table from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> all('{_prisma_migrations,_sql_file}')`,
  )
  const found: Record<string, string> = {}
  for (const { table } of rows) {
    const result = await client.query<{ digest: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as digest from "${table}" t`,
    )
    found[table] = result.rows[0]?.digest ?? ''
  }
  await client.end()
  return found
}

test('what is backed up during redemptions is restored as of one moment, and its charges match', async () => {
  const file = join(folder, 'load.backup')
  const stopped = new AbortController()
  let redeemed = 0
  const buyer = async () => {
    while (!stopped.signal.aborted) {
      expect((await app.client.siteverify(site, await app.client.earn(site))).status).toBe(200)
      redeemed += 1
    }
  }
  const buyers = Array.from({ length: 6 }, buyer)
  await expect.poll(() => redeemed, { timeout: 60_000 }).toBeGreaterThan(30)
  const before = redeemed
  expect(await tollgate(source(), 'backup', file)).toEqual([0, expect.stringContaining(`to ${file}`)])
  stopped.abort()
  await Promise.all(buyers)
  expect(redeemed).toBeGreaterThan(before)
  expect(statSync(file).mode & 0o777).toBe(0o600)

  const empty = await openTestDatabase({ empty: true })
  try {
    expect(await tollgate(settingsOf(empty), 'restore', file)).toEqual([0, expect.stringContaining('Restored')])
    const [code, output] = await tollgate(settingsOf(empty), 'reconcile', '--json')
    expect([code, JSON.parse(output)]).toEqual([0, expect.objectContaining({ ok: true, mismatches: [] })])
    expect((JSON.parse(output) as { decisions: number }).decisions).toBeGreaterThanOrEqual(before)
  } finally {
    await empty.close()
  }
}, 240_000)

test('a restored database has the same rows, and the service goes on with it', async () => {
  const values = await app.client.earn(site)
  const { text } = await app.client.siteverify(site, values)
  const earned = await app.client.earn(site)
  // nothing is counted late in the first copy
  const [quiet, restored] = [await openTestDatabase(), await openTestDatabase()]
  try {
    const [first, second] = [join(folder, 'quiet.backup'), join(folder, 'second.backup')]
    await writeBackup(app.ownerDatabaseUrl, first, about())
    await readBackup(quiet.url, first)
    await writeBackup(quiet.url, second, about())
    await readBackup(restored.url, second)
    const rows = await contents(quiet.url)
    expect(Object.keys(rows).length).toBeGreaterThan(25)
    expect(rows['decision']).toBe((await contents(app.ownerDatabaseUrl))['decision'])
    expect(await contents(restored.url)).toEqual(rows)

    const next = await openTestApp({ DATABASE_URL: restored.serviceUrl })
    expect((await next.client.siteverify(site, values)).text).toBe(text)
    expect((await next.client.siteverify(site, earned)).status).toBe(200)
    await next.close()
  } finally {
    await Promise.all([quiet.close(), restored.close()])
  }
})

test('the embedded database is backed up while its service runs, and restored into a new directory', async () => {
  const [from, to] = ['from', 'to'].map((name) => join(folder, name)) as [string, string]
  for (const path of [folder, from, to]) {
    mkdirSync(path, { recursive: true })
    chmodSync(path, 0o755)
  }
  const file = join(folder, 'embedded.backup')
  const own = { DEMO: 'off', TOLLGATE_KEYS: '' }
  const first = await startServer({ ...own, DATA_DIR: from })
  try {
    expect((await tollgate({ ...own, DATA_DIR: from }, 'tenant create --name Kept --quota 5'))[0]).toBe(0)
    expect((await tollgate({ ...own, DATA_DIR: from }, 'backup', file))[0]).toBe(0)
    const beside = await tollgate({ ...own, DATA_DIR: from }, 'restore', file)
    expect(beside).toEqual([1, expect.stringContaining('is in use by Tollgate')])
  } finally {
    await first.end()
  }
  const without = await tollgate({ ...own, DATA_DIR: to }, 'restore', file)
  expect(without).toEqual([1, expect.stringContaining('no sealing keys')])
  copyFileSync(join(from, 'keys.json'), join(to, 'keys.json'))
  expect((await tollgate({ ...own, DATA_DIR: to }, 'restore', file))[0]).toBe(0)
  expect(await tollgate({ ...own, DATA_DIR: to }, 'quota set --tenant kept --units 7')).toEqual([
    0,
    expect.stringContaining('7 units per month'),
  ])
  // six processes, of which some compile the sources
}, 240_000)

test('what does not fit is refused, and changes nothing', async () => {
  const file = join(folder, 'whole.backup')
  const { schema, keyring } = about()
  const write = (path: string) => writeBackup(app.ownerDatabaseUrl, path, about())
  await write(file)
  await expect(write(file)).rejects.toThrow('exists already')
  await expect(write(join(folder, 'none', 'x'))).rejects.toThrow('cannot be written')
  expect(readdirSync(folder).filter((name) => name.startsWith('whole'))).toEqual(['whole.backup'])
  await expect(readBackup(app.ownerDatabaseUrl, file)).rejects.toThrow('The database is not empty')
  await expect(readBackup(app.databaseUrl, file)).rejects.toThrow(
    'Set OWNER_DATABASE_URL to the user who owns the tables',
  )

  const header = await verifyBackup(file)
  assertFits(header, file, schema, keyring)
  const others = createKeyring([{ id: 't2', key: Buffer.alloc(32, 8) }])
  expect(() => assertFits(header, file, schema, others)).toThrow('other sealing keys')
  const later = { ...schema, migrations: [...schema.migrations, { name: 'x', sql: '', checksum: '' }] }
  expect(() => assertFits(header, file, later, keyring)).toThrow('Restore it with that version')

  const whole = readFileSync(file)
  const plain = gunzipSync(whole)
  const row = Buffer.from(plain)
  row[row.indexOf('shop.example')] = 0x53
  // in the header: the name of a migration, the JSON itself, and a byte of the compressed file
  const name = Buffer.from(plain)
  name[name.indexOf('_tables')] = 0x53
  const syntax = Buffer.from(plain)
  syntax[syntax.indexOf('{')] = 0x53
  const byte = Buffer.from(whole)
  byte[40] = (byte[40] ?? 0) ^ 0xff
  const damaged: Record<string, [bytes: Buffer, message: string]> = {
    cut: [whole.subarray(0, whole.length - 200), 'not a complete backup'],
    short: [gzipSync(plain.subarray(0, plain.length - 37)), 'the end is missing'],
    more: [gzipSync(Buffer.concat([plain, plain])), 'content after the end'],
    row: [gzipSync(row), 'the checksum is another'],
    text: [Buffer.from('no backup'), 'it is damaged or not a complete backup'],
    empty: [Buffer.alloc(0), 'it is damaged or not a complete backup'],
    name: [gzipSync(name), 'the checksum is another'],
    syntax: [gzipSync(syntax), 'it is damaged or not a complete backup'],
    byte: [byte, 'it is damaged or not a complete backup'],
  }
  const empty = await openTestDatabase()
  try {
    for (const [name, [bytes, message]] of Object.entries(damaged)) {
      const path = join(folder, name)
      writeFileSync(path, bytes)
      await expect(readBackup(empty.url, path)).rejects.toThrow(message)
      await expect(verifyBackup(path)).rejects.toThrow(message)
    }
    await expect(verifyBackup(join(folder, 'absent'))).rejects.toThrow('cannot be read')
    // nothing of the others has stayed
    await readBackup(empty.url, file)
    expect((await contents(empty.url))['decision']).toBe((await contents(app.ownerDatabaseUrl))['decision'])
  } finally {
    await empty.close()
  }
})

/** Names of everything in the database that is not PostgreSQL's. */
async function schemaOf(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = relnamespace
     where nspname !~ '^pg_' and nspname <> 'information_schema'
     union all select nspname from pg_namespace where nspname !~ '^pg_' and nspname not in ('information_schema', 'public')
     order by 1`,
  )
  await client.end()
  return rows.map(({ name }) => name)
}

test('a refused restore leaves no schema behind, and says what to do', async () => {
  const file = join(folder, 'refused.backup')
  await writeBackup(app.ownerDatabaseUrl, file, about())
  const cut = join(folder, 'refused-cut.backup')
  writeFileSync(cut, readFileSync(file).subarray(0, -200))
  const database = await openTestDatabase({ empty: true })
  try {
    const { DATABASE_URL, OWNER_DATABASE_URL } = settingsOf(database)
    expect(await tollgate({ DATABASE_URL, OWNER_DATABASE_URL }, 'restore', cut)).toEqual([
      1,
      expect.stringContaining(`${cut} cannot be restored: it is damaged or not a complete backup`),
    ])
    expect(await tollgate({ DATABASE_URL }, 'restore', file)).toEqual([
      1,
      expect.stringContaining('Set OWNER_DATABASE_URL to the user who owns the tables'),
    ])
    expect(await schemaOf(database.url)).toEqual([])

    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query('create table of_others (n int); insert into of_others values (1)')
    await client.end()
    expect(await tollgate({ DATABASE_URL, OWNER_DATABASE_URL }, 'restore', file)).toEqual([
      1,
      expect.stringContaining('The database is not empty: the table of_others has rows'),
    ])
    expect(await schemaOf(database.url)).toEqual(['of_others'])
  } finally {
    await database.close()
  }
}, 240_000)

test('a restore without the owner is refused before it changes a migrated database', async () => {
  const file = join(folder, 'rights.backup')
  await writeBackup(app.ownerDatabaseUrl, file, about())
  const database = await openTestDatabase()
  try {
    expect(await tollgate({ DATABASE_URL: database.serviceUrl }, 'restore', file)).toEqual([
      1,
      expect.stringContaining('Set OWNER_DATABASE_URL to the user who owns the tables'),
    ])
    expect((await tollgate(settingsOf(database), 'restore', file))[0]).toBe(0)
  } finally {
    await database.close()
  }
}, 240_000)
