import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newBuild, publishBuild } from '../../scripts/builds.mjs'
import { freePort } from '../../server/kit/process/freePort.ts'
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { makeFolder } from './proxy.ts'

/** Publishes a build of one file. */
function publish(root: string, content: string): string {
  const folder = newBuild(root)
  writeFileSync(join(folder, 'file'), content)
  publishBuild(root, folder)
  return folder
}

test('a new build replaces the former at once, and the three newest stay', async () => {
  const root = makeFolder()
  try {
    const folders: string[] = []
    for (const content of ['first', 'second', 'third', 'fourth']) {
      folders.push(publish(root, content))
      expect(readFileSync(join(root, 'dist/file'), 'utf8')).toBe(content)
      await sleep(20)
    }
    expect(folders.map((folder) => existsSync(folder))).toEqual([false, true, true, true])
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})

describe.runIf(existsSync('dist/server/main.js'))('a service that runs while another version is built', () => {
  let root: string
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase()
    root = makeFolder()
    for (const part of ['node_modules', 'package.json', 'docs', 'prisma', 'sdk', 'widget']) {
      mkdirSync(dirname(join(root, part)), { recursive: true })
      symlinkSync(resolve(part), join(root, part))
    }
  })
  afterAll(async () => {
    rmSync(root, { recursive: true, force: true })
    await database.close()
  })

  test('serves the files of its own', async () => {
    const own = newBuild(root)
    cpSync(realpathSync('dist'), own, { recursive: true })
    publishBuild(root, own)
    const port = await freePort()
    const child = spawn(process.execPath, ['dist/server/main.js'], {
      cwd: root,
      stdio: 'ignore',
      env: {
        DATABASE_URL: database.serviceUrl,
        TOLLGATE_KEYS: `t1:${Buffer.alloc(32, 7).toString('base64url')}`,
        HOST: '127.0.0.1',
        PORT: String(port),
      },
    })
    const text = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text()
    try {
      await expect.poll(() => text('/readyz').catch(() => ''), { timeout: 60_000 }).toBe('{"status":"ready"}')
      const asset = readdirSync(join(own, 'console/assets')).find((name) => name.endsWith('.js'))
      const files = {
        '/sign-in': readFileSync(join(own, 'console/index.html'), 'utf8'),
        [`/assets/${asset}`]: readFileSync(join(own, `console/assets/${asset}`), 'utf8'),
        '/widget.js': readFileSync(join(own, 'widget/widget.js'), 'utf8'),
      }
      publish(root, 'a build without any of these files')
      for (const [path, content] of Object.entries(files)) expect([path, await text(path)]).toEqual([path, content])
    } finally {
      child.kill()
      await once(child, 'exit')
    }
  }, 120_000)
})
