import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/support/app.ts'
import { openTestDatabase, type TestDatabase, withDatabase } from '../../../test/support/database.ts'
import { makeSite } from '../../../test/support/make.ts'
import { TEST_KEYS } from '../../../test/support/process.ts'
import { makeOwnedTenant } from '../../../test/support/tenant.ts'
import { readConfig } from '../config/config.ts'
import { createLog } from '../process/log.ts'
import { openService } from '../service.ts'
import { createHotPool } from './db.ts'
import { Pool } from './driver.ts'
import { Outages } from './outages.ts'

/** Defaults with which each of them alone breaks a service that does not ask for its own. */
const HOSTILE = {
  datestyle: "'SQL, DMY'",
  timezone: "'America/New_York'",
  intervalstyle: 'iso_8601',
  bytea_output: 'escape',
  extra_float_digits: '-3',
  array_nulls: 'off',
  search_path: 'nowhere',
  transform_null_equals: 'on',
  quote_all_identifiers: 'on',
  'plpgsql.extra_errors': "'all'",
  row_security: 'off',
  default_transaction_isolation: 'serializable',
  default_transaction_read_only: 'on',
  statement_timeout: '1',
  lock_timeout: '1',
  idle_in_transaction_session_timeout: '1',
  idle_session_timeout: '1000',
  synchronous_commit: 'off',
  client_min_messages: 'error',
}

let database: TestDatabase
let sql: pg.Client
let app: TestApp
beforeAll(async () => {
  database = await openTestDatabase()
  sql = new pg.Client({ connectionString: withDatabase(inject('cluster'), database.name) })
  await sql.connect()
  for (const [name, value] of Object.entries(HOSTILE))
    await sql.query(`alter database ${database.name} set ${name} = ${value}`)
  app = await openTestApp({ DATABASE_URL: database.serviceUrl, OWNER_DATABASE_URL: database.url })
})
afterAll(async () => {
  await app?.close()
  await sql?.end()
  await database?.close()
})

test('works with a database whose administrator has set other defaults', async () => {
  const site = await makeSite(app.ctx)
  const session = 'a'.repeat(64)
  const fields = await app.client.earn(site, { session })
  const [one, other] = await Promise.all([app.client.siteverify(site, fields), app.client.siteverify(site, fields)])
  expect([one.status, other.text]).toEqual([200, one.text])
  const decision_id = String(one.body['decision_id'])
  const event = { decision_id, event_id: randomUUID(), occurred_at: Math.floor(Date.now() / 1000) }
  const twins = await Promise.all(Array.from({ length: 6 }, () => app.client.feedback(site, event)))
  expect(twins.map(({ status, text }) => [status, text])).toEqual(twins.map(() => [200, twins[0]?.text]))
  expect((await app.client.asSite('/grants', site, { decision_id, session })).status).toBe(200)
  expect((await fetch(`${app.url}/readyz`)).status).toBe(200)

  const { tenant, owner } = await makeOwnedTenant(app)
  await owner.mutate('tenants.rename', { tenant: tenant.slug, name: 'Renamed' })
  const { createdAt } = await app.ctx.prisma.tenant.findUniqueOrThrow({ where: { id: tenant.id } })
  expect(Math.abs(createdAt.getTime() - app.ctx.clock.now())).toBeLessThan(15 * 60_000)
})

test('no pool has a setting of the database', async () => {
  const { pool, hotPool, prisma } = app.opened.database
  const read = 'select name, current_setting(name) as value from unnest($1::text[]) as name order by name'
  const names = Object.keys(HOSTILE)
  const others = new pg.Client({ connectionString: database.serviceUrl, statement_timeout: 60_000 })
  await others.connect()
  const { rows: hostile } = await others.query<{ name: string; value: string }>(read, [names])
  await others.end()
  const pools = [
    (await pool.query(read, [names])).rows,
    await hotPool.query({ name: 'read', text: read }, [names]),
    await prisma.$queryRawUnsafe(read, names),
  ]
  for (const rows of pools)
    for (const each of hostile.filter(({ name }) => name !== 'statement_timeout')) {
      expect(rows).toHaveLength(names.length)
      expect(rows).not.toContainEqual(each)
    }
})

const refusal = async (change: string, undo: string) => {
  await sql.query(change)
  try {
    return await openService(
      readConfig({ DATABASE_URL: database.serviceUrl, OWNER_DATABASE_URL: database.url, TOLLGATE_KEYS: TEST_KEYS }),
      { kind: 'command', label: 'test' },
      createLog('silent'),
    ).then(
      async (service) => service.close().then(() => 'opened'),
      (error: Error) => error.message,
    )
  } finally {
    await sql.query(undo)
  }
}

test('refuses settings that no connection can change, with what to run', async () => {
  const on = (setting: string) => `alter database ${database.name} ${setting}`
  expect(await refusal(on('set session_replication_role = replica'), on('reset session_replication_role'))).toMatch(
    /session_replication_role = "replica" \(.*Run: alter role "\w+" in database "\w+" set session_replication_role = origin;/,
  )
  expect(await refusal(on('set transaction_timeout = 5000'), on('reset transaction_timeout'))).toMatch(
    /transaction_timeout = "5s" .*Run: alter role .* set transaction_timeout = 0;/,
  )
})

test('refuses a database of another encoding before it changes it', async () => {
  const name = `${database.name}_latin`
  await sql.query(
    `create database ${name} template template0 encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' locale_provider libc`,
  )
  try {
    const url = withDatabase(inject('cluster'), name)
    const opening = openService(
      readConfig({ DATABASE_URL: url, TOLLGATE_KEYS: TEST_KEYS }),
      { kind: 'command', label: 'test' },
      createLog('silent'),
    )
    await expect(opening).rejects.toThrow(/server_encoding = "LATIN1" .*Run: create database .* encoding 'UTF8'/)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    expect((await client.query("select to_regclass('tenant') as tenant")).rows).toEqual([{ tenant: null }])
    await client.end()
  } finally {
    await sql.query(`drop database ${name}`)
  }
})

test.each([
  ['after an idle time', 'idle_session_timeout=300', 'select 1'],
  [
    'by an administrator',
    'idle_session_timeout=0',
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
  ],
])(
  'a statement whose connection the server has just closed %s is sent on another one',
  async (_why, setting, close) => {
    const name = `test ${randomUUID()}`
    const pool = new Pool({
      connectionString: database.serviceUrl,
      max: 1,
      application_name: name,
      settings: [setting],
    })
    pool.on('error', () => {})
    const hot = createHotPool(pool, new Outages(createLog('silent')))
    const insert = {
      name: 'numbers',
      text: "select n, pg_backend_pid() as pid, nextval('closed') as seq from generate_series(1, $1::int) n",
    }
    await sql.query(`create sequence if not exists public.closed; grant all on sequence public.closed to public`)
    try {
      const [before] = await hot.query(insert, [1])
      await sql.query(close, close.includes('$1') ? [name] : [])
      // the server closes the connection while this process is busy, so the pool does not know
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500)
      const [after] = await hot.query(insert, [1])
      expect(after?.['pid']).not.toBe(before?.['pid'])
      expect(Number(after?.['seq'])).toBe(Number(before?.['seq']) + 1)
    } finally {
      await pool.end()
    }
  },
)
