import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import pg from 'pg'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { migrate, readSchema } from '../db/migrate.ts'
import { createLog } from '../process/log.ts'
import { openService } from '../service.ts'
import { openDatabase } from './database.ts'
import { openCluster } from './open.ts'

const log = createLog('silent')

let dataDir: string
beforeEach(() => {
  const dir = mkdtempSync(join(tmpdir(), 'tollgate-embedded-'))
  chmodSync(dir, 0o755)
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  dataDir = join(dir, 'data')
})

async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

/** Owners of everything in the schemas of a database. */
const ownersOf = (url: string) =>
  query<{ owner: string }>(
    url,
    `select distinct owner::regrole::text from (
       select relowner, relnamespace from pg_class union all select proowner, pronamespace from pg_proc
       union all select typowner, typnamespace from pg_type union all select nspowner, oid from pg_namespace
     ) t(owner, schema) join pg_namespace n on n.oid = schema
     where nspname !~ '^pg_' and nspname <> 'information_schema' and owner <> 'pg_database_owner'::regrole`,
  ).then((rows) => rows.map(({ owner }) => owner))

const ROLES = `select rolname as name, rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as mighty
  from pg_roles where rolname !~ '^pg_' order by 1`

test('the service connects as a role that is no superuser, another one owns the tables, and no password opens another role', async () => {
  const service = await openService(readConfig({ DATA_DIR: dataDir }), { kind: 'service', label: 'test' }, log)
  onTestFinished(() => service.close())
  const { cluster, database, ownerUrl } = service
  if (!cluster) throw new Error('it does not use the embedded PostgreSQL')
  expect(await query(cluster.url('postgres'), ROLES)).toEqual([
    { name: 'tollgate', mighty: true },
    { name: 'tollgate_owner', mighty: false },
    { name: 'tollgate_service', mighty: false },
  ])
  expect((await database.pool.query('select current_user as name')).rows).toEqual([{ name: 'tollgate_service' }])
  expect(new URL(ownerUrl).username).toBe('tollgate_owner')
  expect(await ownersOf(ownerUrl)).toEqual(['tollgate_owner'])
  await expect(database.pool.query('delete from audit_event')).rejects.toMatchObject({ code: '42501' })

  const as = (username: string, url: string) => Object.assign(new URL(url), { username }).href
  const own = cluster.url('tollgate', 'tollgate_service')
  for (const url of [as('tollgate', own), as('tollgate_owner', own), as('tollgate_service', cluster.url('tollgate'))])
    await expect(query(url, 'select 1')).rejects.toMatchObject({ code: '28P01' })
})

test('a lost sealing key is logged and the start goes on, but another key with its id is refused', async () => {
  const logged: string[] = []
  const sink = new Writable({ write: (chunk, _, done) => (logged.push(String(chunk)), done()) })
  const start = async (id: string) => {
    const TOLLGATE_KEYS = `${id}:${randomBytes(32).toString('base64url')}`
    const config = readConfig({ DATA_DIR: dataDir, TOLLGATE_KEYS })
    await (await openService(config, { kind: 'service', label: 'test' }, createLog('warn', sink))).close()
  }
  await start('k1')
  expect(logged.join('')).not.toContain('sealing key')
  await start('k2')
  expect(logged.join('')).toContain('TOLLGATE_KEYS does not contain the sealing key k1')
  await expect(start('k1')).rejects.toThrow(/The sealing key k1 in TOLLGATE_KEYS is not/)
})

test('several processes can prepare a directory at the same time', async () => {
  const cluster = await openCluster(dataDir, { kind: 'service', label: 'test' }, log)
  onTestFinished(() => cluster.close())
  const commands = await Promise.all(
    Array.from({ length: 4 }, () => openCluster(dataDir, { kind: 'command', label: 'test' }, log)),
  )
  const opened = await Promise.all(commands.map((command) => openDatabase(command)))
  await Promise.all(
    opened.map(({ owner, service }) => migrate(owner, readSchema(), { service: new URL(service).username })),
  )
  for (const command of commands) await command.close()
  expect(await ownersOf(cluster.url('tollgate'))).toEqual(['tollgate_owner'])
}, 120_000)
