import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { spawnCommand, startCommand } from '../../test/support/process.ts'
import { makeFolder } from './proxy.ts'

let folder: string
let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
  folder = makeFolder()
  // hard links, because a start in production removes the packages that only the build needs
  const entries = readdirSync('.').filter((name) => name !== '.git' && name !== '.data')
  const copy = (options: string) => spawnSync('cp', [options, ...entries, folder], { stdio: 'ignore' }).status
  if (copy('-al') !== 0) expect(copy('-a')).toBe(0)
  // it is written in place
  const installed = 'node_modules/.tollgate-installed'
  rmSync(join(folder, installed))
  copyFileSync(installed, join(folder, installed))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await database.close()
})

/** The output of a start in production without a database, which fails. */
async function startWithoutDatabase(): Promise<string> {
  const server = await spawnCommand(['npm', '--prefix', folder, 'start'], { NODE_ENV: 'production' })
  expect(await server.ended).toBe(1)
  expect(server.output()).toContain('Tollgate did not start.')
  expect(server.output()).toMatch(/^ {2}DATABASE_URL/m)
  return server.output()
}
const CHANGES = /Installing|Building|Removing/

/** The same content with one line more: in a new file, as that of the clone has the same inode. */
function change(name: string): void {
  const file = join(folder, name)
  const content = readFileSync(file, 'utf8')
  rmSync(file)
  writeFileSync(file, `${content}\n`)
}

test('npm start in production removes no package if a setting is invalid', async () => {
  expect(await startWithoutDatabase()).not.toMatch(CHANGES)
  expect(existsSync(join(folder, 'node_modules/vite'))).toBe(true)
})

test('npm start in production removes what only the build needs, and starts', async () => {
  expect(existsSync(join(folder, 'node_modules/vite'))).toBe(true)
  const server = await startCommand(['npm', '--prefix', folder, 'start'], {
    NODE_ENV: 'production',
    DATABASE_URL: database.url,
    TOLLGATE_KEYS: `t1:${randomBytes(32).toString('base64url')}`,
    METRICS_TOKEN: randomBytes(24).toString('base64url'),
  })
  expect(existsSync(join(folder, 'node_modules/vite'))).toBe(false)
  expect((await fetch(`${server.url}/widget.js`)).status).toBe(200)
  await server.end()
  expect(existsSync('node_modules/vite')).toBe(true)
})

test('a clone without the packages of the build is not changed either', async () => {
  expect(existsSync(join(folder, 'node_modules/vite'))).toBe(false)
  expect(await startWithoutDatabase()).not.toMatch(CHANGES)
})

test('nor is one whose lockfile and sources have changed', async () => {
  // as in the clone
  rmSync(join(folder, 'node_modules'), { recursive: true })
  expect(spawnSync('cp', ['-al', 'node_modules', folder], { stdio: 'ignore' }).status).toBe(0)
  for (const name of ['LICENSE', 'package-lock.json']) change(name)
  expect(await startWithoutDatabase()).not.toMatch(CHANGES)
})
