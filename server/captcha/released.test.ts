import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import {
  describeStatement,
  type Released,
  readMigrationChecksums,
  readSignatures,
  recordStatements,
} from '../../test/support/released.ts'
import { VERSION } from '../kit/process/version.ts'

const FILE = 'prisma/released.json'
/** Records this version instead, when it is released: `RELEASE=yes npx vitest run server/captcha/released.test.ts`. */
const isRelease = process.env['RELEASE'] === 'yes'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

/** Each statement as the database understands it. Fails if it does not accept one. */
async function describeAll(texts: Iterable<[name: string, text: string]>): Promise<Released['statements']> {
  const client = await app.sql.connect()
  try {
    const statements: Released['statements'] = {}
    for (const [name, text] of texts) statements[name] = { text, ...(await describeStatement(client, text)) }
    return statements
  } finally {
    client.release()
  }
}

test.runIf(isRelease)('records what nodes of this version need of the database', async () => {
  const texts = [...(await recordStatements(app))].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const released: Released = {
    version: VERSION,
    migrations: readMigrationChecksums(),
    ...(await readSignatures(app.sql)),
    statements: await describeAll(texts),
  }
  expect(Object.keys(released.statements)).toEqual(expect.arrayContaining(['redeem', 'open_intents']))
  writeFileSync(FILE, `${JSON.stringify(released, null, 2)}\n`)
})

/** Nodes of two versions run side by side during an upgrade, on the tables of the newer one. */
describe.runIf(!isRelease)('beside nodes of the last released version', () => {
  const released = JSON.parse(readFileSync(FILE, 'utf8')) as Released

  test('its migrations stay as they were', () => {
    expect(Object.keys(released.migrations).length).toBeGreaterThan(0)
    expect(readMigrationChecksums()).toMatchObject(released.migrations)
  })

  test('its functions keep parameters, results and words: other ones get a new name', async () => {
    expect(Object.keys(released.functions)).toContain('utc_month()')
    expect(Object.keys(released.answers)).toContain('redeem_status')
    expect(await readSignatures(app.sql)).toMatchObject({ functions: released.functions, answers: released.answers })
  })

  test('its statements are accepted, with the same parameters and columns', async () => {
    const texts = Object.entries(released.statements).map(([name, { text }]): [string, string] => [name, text])
    expect(texts.map(([name]) => name)).toEqual(expect.arrayContaining(['redeem', 'open_intents']))
    expect(await describeAll(texts)).toEqual(released.statements)
  })
})
