import { beforeEach, expect, test } from 'vitest'
import type { PrismaClient } from '../../../prisma/client/client.ts'
import { testApp } from '../../../test/support/testApp.ts'
import type { Context } from '../context.ts'
import { createKeyring } from '../crypto/keyring.ts'
import { KeptFiles } from './keptFiles.ts'

const app = testApp()
beforeEach(() => app.sql.query('delete from kept_file'))

const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const files = new Map([
  ['a.js', bytes('a')],
  ['b.wasm', bytes('b')],
])
/** Another node, with an empty cache. */
const node = (other: Partial<Context> = {}) => new KeptFiles({ ...app.ctx, ...other })
const age = (path: string, days: number) =>
  app.sql.query('update kept_file set used_at = now() - make_interval(days => $2) where path = $1', [path, days])

test('finds files stored by another node', async () => {
  await node().keep(files)
  expect(Buffer.from((await node().find('a.js')) ?? []).toString()).toBe('a')
  expect(await node().find('c.js')).toBeUndefined()
})

test('finds a file soon after a failed look-up', async () => {
  const other = node()
  expect(await other.find('a.js')).toBeUndefined()
  await node().keep(files)
  await expect.poll(() => other.find('a.js'), { timeout: 10_000 }).toEqual(bytes('a'))
})

test('stores files once when several nodes start at the same time', async () => {
  await Promise.all(Array.from({ length: 8 }, () => node().keep(files)))
  const rows = await app.rows('select path from kept_file order by path')
  expect(rows).toEqual([{ path: 'a.js' }, { path: 'b.wasm' }])
})

test('deletes files 400 days after the last start with them', async () => {
  await node().keep(files)
  await age('a.js', 401)
  await age('b.wasm', 399)
  await node().keep(new Map())
  expect(await node().find('a.js')).toBeUndefined()
  expect(await node().find('b.wasm')).toEqual(bytes('b'))
})

test('keeps an SDK package unchanged forever', async () => {
  const path = 'sdk/tollgate-node-0.9.0.tgz'
  await node().keep(new Map([[path, bytes('first')]]))
  await age(path, 4000)
  await node().keep(new Map([[path, bytes('second')]]))
  await age(path, 4000)
  await node().keep(new Map())
  expect(await node().find(path)).toEqual(bytes('first'))
})

test('a start with files renews them', async () => {
  await node().keep(files)
  await age('a.js', 500)
  await node().keep(files)
  expect(await node().find('a.js')).toEqual(bytes('a'))
})

test('looks up missing files at most once a second', async () => {
  let looks = 0
  const counting = app.ctx.prisma.$extends({
    query: {
      $allModels: {
        $allOperations: ({ args, query }) => {
          looks += 1
          return query(args)
        },
      },
    },
  }) as unknown as PrismaClient
  const asked = node({ prisma: counting })
  const begun = performance.now()
  for (let i = 0; i < 1000; i++) await asked.find(`${i}.js`)
  expect(looks).toBeGreaterThan(0)
  expect(looks).toBeLessThanOrEqual(Math.floor((performance.now() - begun) / 1000) + 1)
})

const plant = (path: string) =>
  app.sql.query(
    `insert into kept_file (path, content, mac) values ($1, 'planted', sha256('planted'))
     on conflict (path) do update set content = 'planted'`,
    [path],
  )

test('never serves a row that no node wrote, logs it once a second, and a node with the file replaces it', async () => {
  await plant('a.js')
  app.logged.length = 0
  const other = node()
  for (let i = 0; i < 3; i++) expect(await other.find('a.js')).toBeUndefined()
  expect(app.logged.filter((line) => line.includes('does not match its MAC')).length).toBeGreaterThan(0)
  expect(app.logged.join('')).not.toContain('planted')
  await node().keep(files)
  await expect.poll(() => other.find('a.js'), { timeout: 10_000 }).toEqual(bytes('a'))
})

test('never serves a stored file whose content was changed or that was moved to another path', async () => {
  await node().keep(files)
  await plant('a.js')
  await app.sql.query("update kept_file set path = 'c.wasm' where path = 'b.wasm'")
  expect([await node().find('a.js'), await node().find('c.wasm')]).toEqual([undefined, undefined])
  await node().keep(files)
  expect([await node().find('a.js'), await node().find('b.wasm')]).toEqual([bytes('a'), bytes('b')])
  expect(await node().find('c.wasm')).toBeUndefined()
})

test('serves old files after the keys were rotated, if a node started with both keys', async () => {
  const [one, two] = ['k1', 'k2'].map((id, i) => ({ id, key: Buffer.alloc(32, i + 1) })) as [Key, Key]
  await node({ keyring: createKeyring([one]) }).keep(files)
  expect(await node({ keyring: createKeyring([two]) }).find('a.js')).toBeUndefined()
  await node({ keyring: createKeyring([two, one]) }).keep(new Map())
  expect(await node({ keyring: createKeyring([two]) }).find('a.js')).toEqual(bytes('a'))
})

type Key = { id: string; key: Buffer }
