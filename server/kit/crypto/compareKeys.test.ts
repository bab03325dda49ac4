import { createHmac, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { readConfig } from '../config/config.ts'
import { OperatorError } from '../error.ts'
import { createLog } from '../process/log.ts'
import { openService } from '../service.ts'

let database: TestDatabase
let sql: pg.Pool
beforeEach(async () => {
  database = await openTestDatabase()
  sql = new pg.Pool({ connectionString: database.url, max: 2 })
  sql.on('error', () => {})
  return async () => {
    await sql.end()
    await database.close()
  }
})

const key = (id: string) => `${id}:${randomBytes(32).toString('base64url')}`

/** Opens the database with these sealing keys and closes it again. Throws what the start throws. */
async function start(keys: string[] | { dataDir: string }, kind: 'service' | 'command' = 'service'): Promise<void> {
  const settings = Array.isArray(keys) ? { TOLLGATE_KEYS: keys.join() } : { DATA_DIR: keys.dataDir }
  const config = readConfig({ DATABASE_URL: database.serviceUrl, ...settings })
  const service = await openService(config, { kind, label: 'test' }, createLog('silent'))
  await service.close()
}

const refusal = async (...args: Parameters<typeof start>): Promise<string> => {
  const error: unknown = await start(...args).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(OperatorError)
  return (error as OperatorError).message
}

const knownKeys = async () =>
  (await sql.query<{ id: string }>('select id from sealing_key order by id')).rows.map(({ id }) => id)

test('a node with another key of the same id does not start, and the others start again', async () => {
  const [own, other] = [key('k1'), key('k1')]
  await start([own])
  const message = await refusal([other])
  expect(message).toMatch(
    /^The sealing key k1 in TOLLGATE_KEYS is not the key k1 that nodes of this database use: copy/,
  )
  for (const secret of [own, other]) expect(message).not.toContain(secret.slice(3))
  // also as a key that only opens
  expect(await refusal([own.replace('k1', 'k2'), other])).toMatch(/The sealing key k1 in TOLLGATE_KEYS is not/)
  await start([own])
  expect(await knownKeys()).toEqual(['k1'])
})

test('of two first starts with different keys at the same time, exactly one succeeds', async () => {
  for (const ids of [
    ['k1', 'k1'],
    ['k1', 'k2'],
  ]) {
    await sql.query('delete from sealing_key')
    const results = await Promise.allSettled(ids.map((id) => start([key(id)])))
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused.map(({ reason }) => reason instanceof OperatorError)).toEqual([true])
    expect(await knownKeys()).toHaveLength(1)
  }
})

test('nodes with the same keys start at the same time', async () => {
  const keys = [key('k1'), key('k0')]
  await Promise.all([start(keys), start(keys), start(keys)])
  expect(await knownKeys()).toEqual(['k0', 'k1'])
})

test('a rotation as documented is possible, also while nodes restart in the middle of a step, and can be taken back', async () => {
  const [old, next] = [key('k1'), key('k2')]
  for (const keys of [
    [old],
    [old, next],
    // a node that step 1 has not reached yet
    [old],
    [old, next],
    [next, old],
    // one that step 2 has not reached yet
    [old, next],
    [next, old],
    [next],
    // one that step 3 has not reached yet
    [next, old],
    [next],
  ])
    await start(keys)
  expect(await refusal([old])).toMatch(
    /^The sealing key k2, which the nodes of this database seal with, is not in TOLL/,
  )
  await start([old, next])
  await start([old])
})

test('after a leak, the new key is put first at once', async () => {
  const [leaked, next] = [key('k1'), key('k2')]
  await start([leaked])
  await start([next, leaked])
  await start([next])
  expect(await refusal([leaked])).toMatch(/^The sealing key k2/)
})

test('a node without the key that the others seal with does not start, until the row of a lost key is deleted', async () => {
  await start([key('k1')])
  const next = key('k2')
  expect(await refusal([next])).toMatch(/The sealing key k1, .* is not in TOLLGATE_KEYS: copy their keys or/)
  expect(await knownKeys()).toEqual(['k1'])
  await sql.query("delete from sealing_key where id = 'k1'")
  await start([next])
})

test('a command is refused as a node is, and records no key', async () => {
  await start([key('k1')], 'command')
  expect(await knownKeys()).toEqual([])
  const own = key('k1')
  await start([own])
  await start([own, key('k3')], 'command')
  expect(await refusal([key('k1')], 'command')).toMatch(/The sealing key k1/)
  expect(await refusal([key('k2')], 'command')).toMatch(/The sealing key k1/)
  expect(await knownKeys()).toEqual(['k1'])
})

test('nodes that generate their keys do not join each other', async () => {
  const [one, other] = ['a', 'b'].map(() => mkdtempSync(join(tmpdir(), 'tollgate-keys-'))) as [string, string]
  onTestFinished(() => [one, other].forEach((path) => rmSync(path, { recursive: true })))
  await start({ dataDir: one })
  const [{ id }] = JSON.parse(readFileSync(join(one, 'keys.json'), 'utf8')) as [{ id: string }]
  const message = await refusal({ dataDir: other })
  expect(message).toContain(`The sealing key ${id}, which`)
  expect(message).toContain(join(other, 'keys.json'))
  await start({ dataDir: one })
})

test('a fingerprint is an HMAC with the key', async () => {
  const keys = [key('k1'), key('k2')]
  await start(keys)
  const { rows } = await sql.query<{ fingerprint: string }>('select fingerprint from sealing_key order by id')
  const expected = keys.map((pair) =>
    createHmac('sha256', Buffer.from(pair.slice(3), 'base64url'))
      .update('backup\0')
      .digest('hex'),
  )
  expect(rows.map(({ fingerprint }) => fingerprint)).toEqual(expected)
})
