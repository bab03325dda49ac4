import { createHash } from 'node:crypto'
import pg from 'pg'
import { expect, test } from 'vitest'
import { makeSite } from '../test/support/make.ts'
import { testApp } from '../test/support/testApp.ts'
import { migrate, readSchema } from './kit/db/migrate.ts'

const app = testApp()

test('every call is answered 200 while a migration of the decisions waits for a report', async () => {
  const site = await makeSite(app.ctx)
  const schema = readSchema()
  const sql = 'alter table decision add column upgraded boolean; alter table intent add column upgraded boolean'
  const next = { name: '99999999999999_next', sql, checksum: createHash('sha256').update(sql).digest('hex') }
  const report = new pg.Client({ connectionString: app.ownerDatabaseUrl, application_name: 'a report' })
  await report.connect()
  await report.query('begin')
  await report.query('select from decision limit 1')
  const waits: string[] = []
  const migrated = migrate(
    app.ownerDatabaseUrl,
    { ...schema, migrations: [...schema.migrations, next] },
    { report: (message) => waits.push(message) },
  )
  const over = new AbortController()
  void Promise.allSettled([migrated]).then(() => over.abort())
  const statuses: number[] = []
  while (waits.length < 3 && !over.signal.aborted) {
    const values = await app.client.earn(site)
    statuses.push((await app.client.siteverify(site, values)).status)
  }
  await report.query('commit')
  await report.end()
  expect(await migrated).toEqual([next.name])
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(waits.at(-1)).toContain('table decision')
  // the statements that were prepared before go on
  expect((await app.client.siteverify(site, await app.client.earn(site))).status).toBe(200)
})
