import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { makeSite } from '../../test/support/make.ts'
import { testApp } from '../../test/support/testApp.ts'
import { canChangeHistory } from './rights.ts'

const app = testApp()
/** The service's own connections. */
let own: pg.Pool
beforeAll(async () => {
  own = app.opened.database.pool
  const site = await makeSite(app.ctx)
  await app.client.siteverify(site, await app.client.earn(site))
})

const DENIED = { code: '42501' }
/** The columns of a decision that identify its visitor. */
const DELETABLE = new Set(['network', 'area', 'subject'])
const HISTORY = ['audit_event', 'balance_entry', 'decision', 'quota_change']

test.each(HISTORY)('the service cannot change, delete or truncate rows of %s', async (table) => {
  const rows = await app.rows<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [table],
  )
  const columns = rows.map(({ name }) => name).filter((name) => !(table === 'decision' && DELETABLE.has(name)))
  expect(columns.length).toBeGreaterThan(5)
  for (const column of columns)
    await expect(own.query(`update ${table} set ${column} = ${column}`)).rejects.toMatchObject(DENIED)
  await expect(own.query(`delete from ${table}`)).rejects.toMatchObject(DENIED)
  await expect(own.query(`truncate ${table}`)).rejects.toMatchObject(DENIED)
  const merge = `merge into ${table} t using ${table} s on t.id = s.id when matched then delete`
  await expect(own.query(merge)).rejects.toMatchObject(DENIED)
})

test('the service can delete what identifies the visitor of a decision', async () => {
  expect((await own.query('update decision set network = null, area = null, subject = null')).rowCount).toBe(1)
})

test.each([
  'drop table audit_event',
  'alter table audit_event disable trigger all',
  'alter table decision owner to current_user',
  'alter table balance drop constraint balance_not_negative',
  'create table planted (n int)',
  'create temporary table audit_event (n int)',
  'create schema planted',
  'create trigger planted before insert on decision execute function suppress_redundant_updates_trigger()',
  'create rule planted as on insert to audit_event do instead nothing',
  'create or replace function utc_month() returns date language sql as $$ select date $$',
  'create role planted',
  'update _prisma_migrations set checksum = null',
  'delete from _sql_file',
  `set session_replication_role = replica`,
  `set role tollgate_owner`,
  `copy (select 1) to program 'true'`,
  `select grant_service_rights('tollgate_service')`,
])('the service cannot run: %s', async (statement) => {
  await expect(own.query(statement)).rejects.toMatchObject(DENIED)
})

test('the service is no superuser, owns nothing, and belongs to no other role', async () => {
  const { rows } = await own.query(
    `select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as mighty,
       (select count(*)::int from pg_auth_members where member = r.oid) as memberships,
       (select count(*)::int from pg_shdepend where refobjid = r.oid and deptype = 'o') as owned
     from pg_roles r where rolname = current_user`,
  )
  expect(rows).toEqual([{ mighty: false, memberships: 0, owned: 0 }])
  expect(await canChangeHistory(app.ctx)).toBe(false)
})

test('functions with the rights of the owner have a fixed search path and are not for everyone', async () => {
  const rows = await app.rows<{ name: string; config: string[]; everyone: boolean }>(
    `select proname as name, proconfig as config, has_function_privilege('public', oid, 'execute') as everyone
     from pg_proc where prosecdef order by 1`,
  )
  expect(rows).toEqual(
    ['delete_archived_decisions', 'erase_audit_person', 'record_archive', 'sweep_test_decisions'].map((name) => ({
      name,
      config: ['search_path=pg_catalog, public, pg_temp'],
      everyone: false,
    })),
  )
})

test('the function that sweeps decisions deletes none that was charged', async () => {
  const rows = await app.rows<{ tenant_id: string }>(
    "update decision set redeemed_at = now() - interval '2 days' returning tenant_id",
  )
  expect((await own.query('select sweep_test_decisions($1, 24) as n', [rows[0]?.tenant_id])).rows).toEqual([{ n: '0' }])
  expect((await app.sql.query('select 1 from decision')).rowCount).toBe(1)
})

test('tables that a later version adds are for the service too, after the next run of the migrations', async () => {
  const owner = new pg.Client({ connectionString: app.ownerDatabaseUrl })
  await owner.connect()
  try {
    await owner.query('create table later (n int)')
    await expect(own.query('select from later')).rejects.toMatchObject(DENIED)
    for (const _ of [1, 2]) await owner.query(`select grant_service_rights('tollgate_service')`)
    expect((await own.query('insert into later values (1) returning n')).rows).toEqual([{ n: 1 }])
  } finally {
    await owner.end()
  }
  expect(await canChangeHistory({ prisma: app.ctx.prisma })).toBe(false)
})
