import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { migrate, readSchema } from '../db/migrate.ts'
import { createLog } from '../process/log.ts'
import { openService, type Service } from '../service.ts'
import { openDatabase } from './database.ts'
import { type Cluster, openCluster } from './open.ts'

const log = createLog('silent')

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

function newDataDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'tollgate-embedded-'))
  chmodSync(dir, 0o755)
  closing.push(async () => rmSync(dir, { recursive: true, force: true }))
  return join(dir, 'data')
}

async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

async function open(dataDir: string): Promise<Service & { cluster: Cluster }> {
  const service = await openService(readConfig({ DATA_DIR: dataDir }), { kind: 'service', label: 'test' }, log)
  const { cluster } = service
  if (!cluster) throw new Error('it does not use the embedded PostgreSQL')
  let closed = false
  const close = async () => {
    if (!closed) await service.close()
    closed = true
  }
  closing.push(close)
  return { ...service, cluster, close }
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

test('the service connects as a role that is no superuser, and another one owns the tables', async () => {
  const { cluster, database, ownerUrl } = await open(newDataDir())
  expect(await query(cluster.url('postgres'), ROLES)).toEqual([
    { name: 'tollgate', mighty: true },
    { name: 'tollgate_owner', mighty: false },
    { name: 'tollgate_service', mighty: false },
  ])
  expect((await database.pool.query('select current_user as name')).rows).toEqual([{ name: 'tollgate_service' }])
  expect(new URL(ownerUrl).username).toBe('tollgate_owner')
  expect(await ownersOf(ownerUrl)).toEqual(['tollgate_owner'])
  await expect(database.pool.query('delete from audit_event')).rejects.toMatchObject({ code: '42501' })
})

test('no password of a role opens another role', async () => {
  const { cluster } = await open(newDataDir())
  const [service, owner] = [new URL(cluster.url('tollgate', 'tollgate_service')), new URL(cluster.url('tollgate'))]
  for (const username of ['tollgate', 'tollgate_owner']) {
    const url = Object.assign(new URL(service), { username })
    await expect(query(url.href, 'select 1')).rejects.toMatchObject({ code: '28P01' })
  }
  owner.username = 'tollgate_service'
  await expect(query(owner.href, 'select 1')).rejects.toMatchObject({ code: '28P01' })
})

test('several processes can prepare a directory at the same time', async () => {
  const dataDir = newDataDir()
  const cluster = await openCluster(dataDir, { kind: 'service', label: 'test' }, log)
  closing.push(() => cluster.close())
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
