import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { FUNCTION_SETTINGS } from '../kit/db/db.ts'

let db: TestDatabase
let client: pg.Client
beforeAll(async () => {
  db = await openTestDatabase()
  client = new pg.Client({ connectionString: db.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await db.close()
})

/** The functions that statements of the verification path call, by their calls in the code. */
function calledFunctions(): string[] {
  const files = readdirSync('server', { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  )
  const calls = files.flatMap((file) => [
    ...readFileSync(join('server', file), 'utf8').matchAll(
      /(?<=\/\* \w+ \*\/ select (?:\* from )?)\w+(?=\(\$1)|\w+(?=\(\$\{call\}\))/g,
    ),
  ])
  return calls.map(([name]) => name)
}

test('functions of the verification path bring their settings, because a pooler drops those of a connection', async () => {
  const called = calledFunctions()
  expect(called).toEqual(
    expect.arrayContaining(['redeem', 'open_intents', 'report_feedback', 'issue_grant', 'add_usage']),
  )
  const { rows } = await client.query<{ name: string; settings: string[] | null }>(
    `select proname as name, proconfig as settings from pg_proc where proname = any($1) order by proname`,
    [called],
  )
  for (const { name, settings } of rows)
    expect([name, settings?.toSorted()]).toEqual([name, FUNCTION_SETTINGS.toSorted()])
})
