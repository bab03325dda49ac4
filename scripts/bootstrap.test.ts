import { spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isAlive } from '../server/kit/embedded/cluster.ts'

/** How many random moments are tried; more of them once, by hand. */
const ROUNDS = Number(process.env['BOOTSTRAP_KILLS'] ?? 4)
const PACKAGES = 40
const FILES = 25

/** A clone with the real scripts and small packages, which npm takes from files. */
let clone: string
const nameOf = (i: number) => `${i % 4 === 0 ? '@scope/' : ''}package-${i}`
const isNeeded = (i: number) => i % 2 === 0

beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'tollgate-bootstrap-'))
  const write = (path: string, content: unknown) => {
    mkdirSync(join(clone, path, '..'), { recursive: true })
    writeFileSync(join(clone, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  mkdirSync(join(clone, 'scripts/packages'), { recursive: true })
  for (const name of readdirSync('scripts').filter((file) => file.endsWith('.mjs')))
    cpSync(join('scripts', name), join(clone, 'scripts', name))
  cpSync('scripts/packages/prune.mjs', join(clone, 'scripts/packages/prune.mjs'))
  const dependencies: Record<string, string> = {}
  const paths = Array.from({ length: PACKAGES }, (_, i) => `packages/${i}/package.json`)
  for (const [i, path] of paths.entries()) {
    write(path, { name: nameOf(i), version: '1.0.0' })
    for (let file = 0; file < FILES; file++) write(`packages/${i}/file-${file}.js`, `export default ${i}\n`.repeat(500))
  }
  const folders = paths.map((path) => join(clone, path, '..'))
  const packed = npm(['pack', '--json', '--ignore-scripts', '--pack-destination', clone, ...folders])
  for (const { name, filename } of JSON.parse(packed) as { name: string; filename: string }[])
    dependencies[name] = `file:${filename}`
  write('package.json', { name: 'clone', version: '1.0.0', workspaces: ['sdk/node', 'examples/shop'], dependencies })
  for (const workspace of ['sdk/node', 'examples/shop'])
    write(`${workspace}/package.json`, { name: workspace.replace('/', '-'), version: '1.0.0' })
  npm(['install', '--package-lock-only', '--offline'])
  const needed = Array.from({ length: PACKAGES }, (_, i) => i).filter(isNeeded)
  write('dist/sbom.json', { components: needed.map((i) => ({ 'bom-ref': `node_modules/${nameOf(i)}` })) })
}, 120_000)
afterAll(() => rmSync(clone, { recursive: true, force: true }))

function npm(args: string[]): string {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: clone, encoding: 'utf8', maxBuffer: 64 << 20 })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

/** What `npm start` does in production before it builds and after it. */
const PROGRAM = `
  import { install, pruneInstalled } from './scripts/bootstrap.mjs'
  if (process.argv[1] === 'install') await install()
  await pruneInstalled()`

/** Runs it until it ends, or for some milliseconds until it is killed: the process alone, or all of its group. */
async function run(step: 'install' | 'prune', killed?: { after: number; group: boolean }): Promise<string> {
  const args = ['--input-type=module', '--eval', PROGRAM, step]
  const child = spawn(process.execPath, args, { cwd: clone, detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  if (killed) {
    await Promise.race([sleep(killed.after), ended])
    if (child.exitCode === null) process.kill(killed.group ? -Number(child.pid) : Number(child.pid), 'SIGKILL')
  }
  await ended
  return output
}

/** What is in node_modules, and which packages are not complete. */
function installed() {
  const numbers = Array.from({ length: PACKAGES }, (_, i) => i)
  const folderOf = (i: number) => join(clone, 'node_modules', nameOf(i))
  const present = numbers.filter((i) => existsSync(folderOf(i)))
  const broken = present.filter((i) => readdirSync(folderOf(i)).length !== FILES + 1)
  const stamp = join(clone, 'node_modules/.tollgate-installed')
  return { present, broken, stamp: existsSync(stamp) ? readFileSync(stamp, 'utf8').split(' ')[1] : 'none' }
}

const COMPLETE = {
  present: Array.from({ length: PACKAGES }, (_, i) => i).filter(isNeeded),
  broken: [],
  stamp: 'pruned',
}

test(
  'an installation and a removal of packages that are killed at any moment are completed by the next start',
  async () => {
    const began = performance.now()
    await run('install')
    expect(installed()).toEqual(COMPLETE)
    const longest = Math.ceil(performance.now() - began)
    for (let round = 0; round < ROUNDS; round++) {
      rmSync(join(clone, 'node_modules'), { recursive: true, force: true })
      const killed = { after: randomInt(longest), group: round % 2 === 0 }
      const before = await run('install', killed)
      const isInterrupted = existsSync(join(clone, '.builds/in-use-by'))
      const output = await run('install')
      expect([killed, before, output, installed()]).toEqual([killed, before, output, COMPLETE])
      const isTold = output.includes('was interrupted: what is incomplete is done again')
      expect([killed, before, output, isTold]).toEqual([killed, before, output, isInterrupted])
    }
  },
  60_000 * (ROUNDS + 2),
)

/** Is killed when it notes the program that it has started, and says its process id. */
const KILLED_BEFORE_NOTE = `
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  fs.appendFileSync = (file, line) => {
    fs.writeSync(1, line)
    process.kill(process.pid, 'SIGKILL')
  }
  syncBuiltinESMExports()
  const { alone } = await import('./scripts/alone.mjs')
  const { run } = await import('./scripts/bootstrap.mjs')
  await alone(process.cwd(), () => run('x', process.execPath, ['-e', 'require("fs").writeFileSync("began", "")']))`

test('a program that is not noted yet does not begin when the process that has started it is killed', async () => {
  const { signal, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', KILLED_BEFORE_NOTE], {
    cwd: clone,
    encoding: 'utf8',
  })
  expect(signal).toBe('SIGKILL')
  const pid = Number(/^\n(\d+) /.exec(stdout)?.[1])
  expect(pid).toBeGreaterThan(0)
  await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false)
  expect(existsSync(join(clone, 'began'))).toBe(false)
})

test('an interrupted removal of packages leaves what a service needs, and needs no packages to go on', async () => {
  rmSync(join(clone, 'node_modules'), { recursive: true, force: true })
  await run('install')
  // as if it had been killed after its first steps
  const stamp = join(clone, 'node_modules/.tollgate-installed')
  writeFileSync(stamp, readFileSync(stamp, 'utf8').replace('pruned', 'pruning'))
  mkdirSync(join(clone, 'node_modules', nameOf(1)), { recursive: true })
  expect(await run('prune')).toMatch(/Removing packages that only the build needs …\n {2}pruning/)
  expect(installed()).toEqual(COMPLETE)
}, 120_000)

test('at a signal, the programs that it has started end as well, and the next start repairs what they left', async () => {
  rmSync(join(clone, 'node_modules'), { recursive: true, force: true })
  const args = ['--input-type=module', '--eval', PROGRAM, 'install']
  const child = spawn(process.execPath, args, { cwd: clone })
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)))
  const file = join(clone, '.builds/in-use-by')
  const programs = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(1) : [])
  await expect.poll(() => programs().length, { timeout: 30_000 }).toBe(1)
  const pid = Number(programs()[0]?.split(' ')[0])
  child.kill('SIGTERM')
  expect(await ended).toBe('SIGTERM')
  await expect.poll(() => isAlive(pid)).toBe(false)
  await run('install')
  expect(installed()).toEqual(COMPLETE)
}, 120_000)
