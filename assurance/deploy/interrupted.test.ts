import { spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFolder } from './proxy.ts'

/** How many random moments are tried; more of them: KILLS=50 npm run assurance -- unit interrupted. */
const KILLS = Number(process.env['KILLS'] ?? 3)
const PACKAGES = 40
const FILES = 25
const NUMBERS = Array.from({ length: PACKAGES }, (_, i) => i)

const nameOf = (i: number) => `${i % 4 === 0 ? '@scope/' : ''}package-${i}`
/** Every second package is one that only the build needs. */
const isNeeded = (i: number) => i % 2 === 0

/** A clone with the real scripts and small packages, which npm takes from files. */
let clone: string
beforeAll(() => {
  clone = makeFolder()
  const write = (path: string, content: string | object) => {
    mkdirSync(dirname(join(clone, path)), { recursive: true })
    writeFileSync(join(clone, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  cpSync('scripts', join(clone, 'scripts'), { recursive: true })
  for (const i of NUMBERS) {
    write(`packages/${i}/package.json`, { name: nameOf(i), version: '1.0.0' })
    for (let file = 0; file < FILES; file++) write(`packages/${i}/file-${file}.js`, `export default ${i}\n`.repeat(500))
  }
  const folders = NUMBERS.map((i) => join(clone, `packages/${i}`))
  const packed = npm(['pack', '--json', '--ignore-scripts', '--pack-destination', clone, ...folders])
  const files = (JSON.parse(packed) as { filename: string }[]).map(({ filename }) => `file:${filename}`)
  const named = (wanted: (i: number) => boolean) =>
    Object.fromEntries(NUMBERS.filter(wanted).map((i) => [nameOf(i), files[i]]))
  write('package.json', {
    name: 'clone',
    version: '1.0.0',
    workspaces: ['sdk/node', 'examples/shop'],
    dependencies: named(isNeeded),
    devDependencies: named((i) => !isNeeded(i)),
  })
  for (const workspace of ['sdk/node', 'examples/shop'])
    write(`${workspace}/package.json`, { name: workspace.replace('/', '-'), version: '1.0.0' })
  npm(['install', '--package-lock-only', '--offline'])
}, 120_000)
afterAll(() => rmSync(clone, { recursive: true, force: true }))

function npm(args: string[]): string {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: clone, encoding: 'utf8', maxBuffer: 64 << 20 })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

/** What `npm start` does in production before it builds, and after it. */
const PROGRAM = `
  import { install, pruneInstalled } from './scripts/bootstrap.mjs'
  await install()
  await pruneInstalled()`

/** Runs it until it ends, or until it and its children are killed; returns its output. */
async function run(killedAfter?: number): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], { cwd: clone, detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)))
  const ended = once(child, 'close')
  if (killedAfter !== undefined) {
    await Promise.race([sleep(killedAfter), ended])
    if (child.exitCode === null) process.kill(-Number(child.pid), 'SIGKILL')
  }
  await ended
  return output
}

/** The packages in node_modules, those of them that are not complete, and what counts as installed. */
function installed() {
  const folderOf = (i: number) => join(clone, 'node_modules', nameOf(i))
  const present = NUMBERS.filter((i) => existsSync(folderOf(i)))
  const stamp = join(clone, 'node_modules/.tollgate-installed')
  return {
    present,
    broken: present.filter((i) => readdirSync(folderOf(i)).length !== FILES + 1),
    stamp: existsSync(stamp) ? readFileSync(stamp, 'utf8').split(' ')[1] : 'none',
  }
}

const COMPLETE = { present: NUMBERS.filter(isNeeded), broken: [], stamp: 'pruned' }

test(
  'an installation and a removal of packages that are killed at any moment are completed by the next start',
  async () => {
    const began = performance.now()
    await run()
    const longest = Math.ceil(performance.now() - began)
    expect(installed()).toEqual(COMPLETE)
    for (let kill = 0; kill < KILLS; kill++) {
      rmSync(join(clone, 'node_modules'), { recursive: true, force: true })
      const after = randomInt(longest)
      const before = await run(after)
      const output = await run()
      expect([after, before, output, installed()]).toEqual([after, before, output, COMPLETE])
    }
  },
  60_000 * (KILLS + 2),
)
