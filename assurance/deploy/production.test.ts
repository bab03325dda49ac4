import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { startCommand } from '../../test/support/process.ts'
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
