import { createHash } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { OperatorError } from '../error.ts'
import { createLog } from '../process/log.ts'
import { createHotPool } from './db.ts'
import { isMigrated, type Migration, migrate, readSchema, type SqlFile } from './migrate.ts'
import { Outages } from './outages.ts'

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

const hotPool = () => createHotPool(pool, new Outages(createLog('silent')))
const checksumOf = (sql: string) => createHash('sha256').update(sql).digest('hex')
const migration = (name: string, sql: string): Migration => ({ name, sql, checksum: checksumOf(sql) })
const sqlFile = (path: string, sql: string): SqlFile => ({ path, sql, checksum: checksumOf(sql) })
const apply = (migrations: Migration[], functions: SqlFile[] = []) => migrate(db.url, { migrations, functions })
/** A file with one function `answer()`. */
const answers = (text: string) =>
  sqlFile('answer.sql', `create or replace function answer() returns text language sql as $$ select '${text}' $$;`)
const answer = async () => (await pool.query<{ answer: string }>('select answer()')).rows[0]?.answer
const tables = async () =>
  (
    await pool.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' and tablename not in ('_prisma_migrations', '_sql_file') order by 1",
    )
  ).rows.map((row) => row.name)

test('applies missing migrations once, in order', async () => {
  const both = [migration('1_a', 'create table a (n int)'), migration('2_b', 'alter table a rename to b')]
  expect(await apply(both)).toEqual(['1_a', '2_b'])
  expect(await apply(both)).toEqual([])
  expect(await tables()).toEqual(['b'])
})

test('applies each migration once when ten services start at once', async () => {
  const one = [migration('1_a', 'create table a (n int)')]
  const applied = await Promise.all(Array.from({ length: 10 }, () => apply(one)))
  expect(applied.flat()).toEqual(['1_a'])
})

test('rolls back a failing migration, names it with the cause, and can be retried', async () => {
  const broken = [
    migration('1_a', 'create table a (n int)'),
    migration('2_b', 'create table b (n int);\n\nselect nothing from nowhere;'),
  ]
  await expect(apply(broken)).rejects.toThrow(/2_b failed and was rolled back \(line 3\).*nowhere.*fix the cause/s)
  expect(await tables()).toEqual(['a'])
  expect(await apply([broken[0] ?? migration('', ''), migration('2_b', 'create table b (n int)')])).toEqual(['2_b'])
})

test('refuses a migration that changed after it was applied', async () => {
  await apply([migration('1_a', 'create table a (n int)')])
  await expect(apply([migration('1_a', 'create table a (m int)')])).rejects.toThrow(OperatorError)
})

test('names a migration that the Prisma command line did not finish, with what to do', async () => {
  await apply([])
  await pool.query("insert into _prisma_migrations (id, checksum, migration_name) values ('x', 'x', '1_half')")
  await expect(apply([])).rejects.toThrow(/1_half.*migrate resolve --rolled-back 1_half/)
})

test('applies a file of functions after the migrations, and again only if it has changed', async () => {
  const tables = [migration('1_a', 'create table a (n int)')]
  const counts = sqlFile(
    'count.sql',
    'create or replace function counted() returns bigint language sql as $$ select count(*) from a $$;',
  )
  expect(await apply(tables, [answers('one'), counts])).toEqual(['1_a', 'answer.sql', 'count.sql'])
  expect(await apply(tables, [answers('one'), counts])).toEqual([])
  expect(await apply(tables, [answers('two'), counts])).toEqual(['answer.sql'])
  expect(await answer()).toBe('two')
})

test('a restarting node of the previous version does not restore its functions', async () => {
  await apply([], [answers('previous')])
  await apply([], [answers('next')])
  expect(await apply([], [answers('previous')])).toEqual([])
  expect(await answer()).toBe('next')
})

test('keeps the previous version if a file of functions fails', async () => {
  await apply([], [answers('one')])
  const broken = { ...answers('two'), sql: `${answers('two').sql}\nselect nothing from nowhere;`, checksum: 'other' }
  await expect(apply([], [broken])).rejects.toThrow(/answer\.sql failed and was rolled back \(line 2\)/)
  expect(await answer()).toBe('one')
})

test('applies each file of functions once when ten services start at once', async () => {
  const applied = await Promise.all(Array.from({ length: 10 }, () => apply([], [answers('one')])))
  expect(applied.flat()).toEqual(['answer.sql'])
})

test('is migrated only with all migrations and all files of functions', async () => {
  const tables = [migration('1_a', 'create table a (n int)')]
  await apply(tables, [answers('one')])
  expect(await isMigrated(hotPool(), { migrations: tables, functions: [answers('one')] })).toBe(true)
  expect(await isMigrated(hotPool(), { migrations: tables, functions: [answers('two')] })).toBe(false)
  expect(await isMigrated(hotPool(), { migrations: [migration('2_b', '')], functions: [] })).toBe(false)
})

test("the project's own schema applies to an empty database, with Prisma's checksums", async () => {
  const own = readSchema()
  expect(own.functions.map(({ path }) => path)).toContain('captcha/redemption/redeem.sql')
  expect(await migrate(db.url, own)).toEqual([
    ...own.migrations.map(({ name }) => name),
    ...own.functions.map(({ path }) => path),
  ])
  const { rows } = await pool.query<{ checksum: string }>(
    'select checksum from _prisma_migrations order by migration_name',
  )
  expect(rows.map((row) => row.checksum)).toEqual(own.migrations.map(({ checksum }) => checksum))
})

/** A transaction that has read table `a`, as a dump or a report holds it open. */
async function openReader() {
  const reader = new pg.Client({ connectionString: db.url, application_name: 'a report' })
  await reader.connect()
  await reader.query('begin')
  await reader.query('select from a')
  return reader
}

/** Reads table `a` until `over` is true; each read may take as long as one of the verification path. Returns how many. */
async function keepReading(over: () => boolean): Promise<number> {
  const client = new pg.Client({ connectionString: db.url })
  await client.connect()
  try {
    await client.query('set lock_timeout = 800')
    let reads = 0
    for (; !over(); reads++) {
      await client.query('select from a')
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    return reads
  } finally {
    await client.end()
  }
}

test.each([
  [
    'a migration',
    { migrations: [migration('1_a', 'create table a (n int)'), migration('2_b', 'alter table a add m int')] },
  ],
  ['a file of functions', { functions: [sqlFile('limit.sql', 'alter table a add constraint c check (n > 0)')] }],
])(
  '%s that waits for an open reader lets all others read, says what it waits for, and is applied in the end',
  async (_what, later) => {
    const schema = { migrations: [migration('1_a', 'create table a (n int)')], functions: [] }
    await migrate(db.url, schema)
    const reader = await openReader()
    const messages: string[] = []
    let done = false
    try {
      const applied = migrate(db.url, { ...schema, ...later }, { report: (message) => messages.push(message) }).finally(
        () => {
          done = true
        },
      )
      const named = () =>
        messages.filter((message) => /waits for table a, held by process \d+ \(.*"a report"\)/.test(message))
      const reads = await keepReading(() => done || named().length >= 2)
      expect(done).toBe(false)
      expect(reads).toBeGreaterThan(0)
      await reader.query('commit')
      expect(await applied).toHaveLength(1)
    } finally {
      await reader.end()
    }
  },
)

test('a migration that never gets its lock is given up, with who holds it', async () => {
  const schema = { migrations: [migration('1_a', 'create table a (n int)')], functions: [] }
  await migrate(db.url, schema)
  const reader = await openReader()
  try {
    const late = { ...schema, migrations: [...schema.migrations, migration('2_b', 'drop table a')] }
    await expect(migrate(db.url, late, { patience: 1 })).rejects.toThrow(
      /2_b was not applied.*table a, held by process \d+.*"a report".*unchanged/s,
    )
    expect(await tables()).toEqual(['a'])
  } finally {
    await reader.end()
  }
})
