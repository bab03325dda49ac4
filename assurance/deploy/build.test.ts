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
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newBuild, publishBuild, removeOldBuilds } from '../../scripts/builds.mjs'
import { freePort } from '../../server/kit/process/freePort.ts'
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { makeFolder } from './proxy.ts'

/** Makes a build of a file with this content: by a process that has ended, or by this one, which has not completed it yet. */
function build(root: string, content: string, isComplete = true): string {
  const folder = join(root, newBuild(root))
  writeFileSync(join(folder, 'file'), content)
  if (isComplete) {
    writeFileSync(join(folder, '.built-from'), content)
    rmSync(join(folder, `.used-by-${process.pid}`))
  }
  return folder
}

const publish = (root: string, folder: string) => publishBuild(root, folder.slice(root.length + 1))

test('a new build replaces the former at once, which is removed when no process runs it', async () => {
  const root = makeFolder()
  try {
    mkdirSync(join(root, 'dist'))
    writeFileSync(join(root, 'dist/file'), 'made in place')
    const used = build(root, 'used')
    publish(root, used)
    expect(readFileSync(join(root, 'dist/file'), 'utf8')).toBe('used')
    const ended = spawn(process.execPath, ['-e', ''])
    await once(ended, 'exit')
    const unused = build(root, 'unused')
    writeFileSync(join(used, `.used-by-${process.pid}`), '')
    writeFileSync(join(unused, `.used-by-${ended.pid}`), '')
    publish(root, unused)
    const [next, unfinished, interrupted] = [build(root, 'next'), build(root, '', false), build(root, '')]
    writeFileSync(join(interrupted, `.used-by-${ended.pid}`), '')
    publish(root, next)
    removeOldBuilds(root)
    expect(readFileSync(join(root, 'dist/file'), 'utf8')).toBe('next')
    const folders = [used, unused, next, unfinished, interrupted]
    expect(folders.map((folder) => existsSync(folder))).toEqual([true, false, true, true, false])
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
    const own = join(root, newBuild(root))
    cpSync(realpathSync('dist'), own, { recursive: true })
    publish(root, own)
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
      publish(root, build(root, 'a build without any of these files'))
      removeOldBuilds(root)
      for (const [path, content] of Object.entries(files)) expect([path, await text(path)]).toEqual([path, content])
    } finally {
      child.kill()
      await once(child, 'exit')
    }
  }, 120_000)
})
