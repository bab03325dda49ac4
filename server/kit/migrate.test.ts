import { createHash } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../testing/database.ts'
import { type Migration, MigrationError, migrate, readMigrations } from './migrate.ts'

let db: TestDatabase
let pool: pg.Pool
beforeEach(async () => {
  db = await openTestDatabase({ empty: true })
  pool = new pg.Pool({ connectionString: db.url, max: 2 })
  pool.on('error', () => {})
})
afterEach(async () => {
  await pool.end()
  await db.close()
})

const migration = (name: string, sql: string): Migration => ({
  name,
  sql,
  checksum: createHash('sha256').update(sql).digest('hex'),
})
const tables = async () =>
  (
    await pool.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' and tablename <> '_prisma_migrations' order by 1",
    )
  ).rows.map((row) => row.name)

test('missing migrations are applied in order, once', async () => {
  const both = [migration('1_a', 'create table a (n int)'), migration('2_b', 'alter table a rename to b')]
  expect(await migrate(db.url, both)).toEqual(['1_a', '2_b'])
  expect(await migrate(db.url, both)).toEqual([])
  expect(await tables()).toEqual(['b'])
})

test('ten services starting at once apply each migration once', async () => {
  const one = [migration('1_a', 'create table a (n int)')]
  const applied = await Promise.all(Array.from({ length: 10 }, () => migrate(db.url, one)))
  expect(applied.flat()).toEqual(['1_a'])
})

test('a migration that fails leaves nothing of itself, says which and why, and may be tried again', async () => {
  const broken = [
    migration('1_a', 'create table a (n int)'),
    migration('2_b', 'create table b (n int);\n\nselect nothing from nowhere;'),
  ]
  await expect(migrate(db.url, broken)).rejects.toThrow(
    /2_b failed and was rolled back whole \(line 3\).*nowhere.*mend the cause/s,
  )
  expect(await tables()).toEqual(['a'])
  expect(await migrate(db.url, [broken[0] ?? migration('', ''), migration('2_b', 'create table b (n int)')])).toEqual([
    '2_b',
  ])
})

test('a migration changed after it was applied is refused', async () => {
  await migrate(db.url, [migration('1_a', 'create table a (n int)')])
  await expect(migrate(db.url, [migration('1_a', 'create table a (m int)')])).rejects.toThrow(MigrationError)
})

test('a migration that the Prisma command line left half done is named, with the way out', async () => {
  await migrate(db.url, [])
  await pool.query("insert into _prisma_migrations (id, checksum, migration_name) values ('x', 'x', '1_half')")
  await expect(migrate(db.url, [])).rejects.toThrow(/1_half.*migrate resolve --rolled-back 1_half/)
})

test("the project's own migrations apply to an empty database, with Prisma's checksums", async () => {
  const own = readMigrations('prisma/migrations')
  expect(await migrate(db.url, own)).toEqual(own.map(({ name }) => name))
  const { rows } = await pool.query<{ checksum: string }>(
    'select checksum from _prisma_migrations order by migration_name',
  )
  expect(rows.map((row) => row.checksum)).toEqual(own.map(({ checksum }) => checksum))
})
