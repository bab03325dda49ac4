// Makes a clone runnable: installs, generates and builds what is stale, and nothing else.
// Plain JavaScript, because it runs before anything is installed.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { alone, isAlone, note } from './alone.mjs'
import { newBuild, publishBuild, removeOldBuilds } from './builds.mjs'
import { deleteRemoved, neededIn, prune } from './packages/prune.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const INSTALLED = 'node_modules/.tollgate-installed'
const STAMP = '.built-from'
const BUILT = `dist/${STAMP}`
const TOOLS = [
  'scripts/alone.mjs',
  'scripts/builds.mjs',
  'scripts/generate.mjs',
  'scripts/precompress.ts',
  'scripts/sdks.mjs',
  'scripts/packages',
  'tsconfig.base.json',
]
/** The workspaces that only checks, tests and benches need: their commands install them, `npm start` does not. */
export const EXTRAS = ['scripts', 'e2e', 'assurance']
/** In the stamp of an installation from which the packages of the build were removed, or were being removed. */
const PRUNED = 'pruned'
const PRUNING = 'pruning'
const PYTHON_SDK = ['src', 'pyproject.toml', 'README.md'].map((name) => `sdk/python/${name}`)
/** What the build is made from. */
const SOURCES = [
  'server',
  'prisma',
  'sdk/node',
  ...PYTHON_SDK,
  'LICENSE',
  // the console quotes them
  'sdk/python/examples',
  'examples/shop',
  'hashwx',
  'widget',
  'console',
  'package-lock.json',
  ...TOOLS,
]

/** Output of the build, or not part of it. */
const NOT_BUILT = new Set(['prisma/client', 'sdk/node/dist', 'sdk/node/LICENSE', 'sdk/node/testing'])

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

/**
 * Runs a program. Its output is shown when it fails; the process ends then.
 * @param {string} what
 * @param {string} program
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<void>}
 */
export function run(what, program, args, options) {
  return new Promise((resolve) => {
    const detached = isAlone() && process.platform !== 'win32'
    // it begins once it is noted: a program of a process that was killed before the note would run beside the next installation
    const line = detached ? ['/bin/sh', '-c', 'read -r _ && exec "$@"', 'sh', program, ...args] : [program, ...args]
    const child = spawn(line[0], line.slice(1), { cwd: root, ...options, detached, stdio: 'pipe' })
    child.stdin.on('error', () => {})
    note(child)
    child.stdin.end('\n')
    let output = ''
    const end = (status, message) => {
      if (status === 0) return resolve()
      console.error(`\n${what} failed.\n\n${message.trim().slice(-6000)}\n`)
      process.exit(status || 1)
    }
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    child.on('error', (error) => end(1, error.message))
    child.on('close', (status) => end(status, output))
  })
}

/** Runs a tool of node_modules. */
export function tool(what, name, args, options) {
  return run(what, process.execPath, [join(root, 'node_modules', name), ...args], options)
}

export function npm(what, args, options) {
  const cli = process.env['npm_execpath']
  return cli?.endsWith('.js')
    ? run(what, process.execPath, [cli, ...args], options)
    : run(what, process.platform === 'win32' ? 'npm.cmd' : 'npm', args, options)
}

function digest(paths) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${major}`)
  const add = (path) => {
    for (const entry of readdirSync(join(root, path), { withFileTypes: true }).toSorted((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      const inner = `${path}/${entry.name}`
      if (NOT_BUILT.has(inner) || /\.(test|spec)\.tsx?$|tsbuildinfo$|^__pycache__$|\.egg-info$/.test(entry.name))
        continue
      if (entry.isDirectory()) add(inner)
      else hash.update(inner).update(readFileSync(join(root, inner)))
    }
  }
  for (const path of paths) {
    if (path.includes('.') || path === 'LICENSE') hash.update(readFileSync(join(root, path)))
    else add(path)
  }
  return hash.digest('hex')
}

const isCurrent = (stamp, value) => existsSync(join(root, stamp)) && readFileSync(join(root, stamp), 'utf8') === value

/** How often a step that is still running says so: on a terminal in one line that is rewritten, otherwise in lines of a log. */
const [PROGRESS_MS, START] = process.stderr.isTTY ? [1000, '\r'] : [30_000, '']

/** Waits for a step and prints its time. With `progress`, also while it runs: no other step may run beside it. */
async function step(name, work, progress = false) {
  const began = performance.now()
  const line = (digits) => `  ${name.padEnd(16)} ${((performance.now() - began) / 1000).toFixed(digits).padStart(6)} s`
  const running = () => process.stderr.write(`${START}${line(0)} …${START === '' ? '\n' : ''}`)
  const timer = progress ? setInterval(running, PROGRESS_MS) : undefined
  await work()
  clearInterval(timer)
  // two spaces cover the end of the line before
  console.error(progress && START ? `${START}${line(1)}  ` : line(1))
}

/**
 * What is installed: the digest of its lockfile, and EXTRAS, PRUNED or PRUNING. Empty if nothing is, or an installation was
 * interrupted.
 */
function readInstalled() {
  const stamp = join(root, INSTALLED)
  return existsSync(stamp) ? readFileSync(stamp, 'utf8').split(' ') : []
}

/**
 * Installs the lockfile's packages that the build and the service need, and those of `extras`, unless they are there.
 * @param {string[]} [extras] of EXTRAS
 */
export async function install(extras = []) {
  if (!isInstalled(extras)) await alone(root, () => installMissing(extras))
}

/** Whether the packages of the build, or some of them, are missing. @param {string[]} present */
const isPruned = (present) => present.includes(PRUNED) || present.includes(PRUNING)

/** @param {string[]} extras */
function isInstalled(extras) {
  const [lockfile, ...present] = readInstalled()
  return (
    lockfile === digest(['package-lock.json']) && !isPruned(present) && extras.every((extra) => present.includes(extra))
  )
}

/** @param {string[]} extras */
async function installMissing(extras) {
  if (isInstalled(extras)) return
  const wanted = digest(['package-lock.json'])
  const [lockfile, ...present] = readInstalled()
  const adds = lockfile === wanted
  const chosen = EXTRAS.filter((extra) => extras.includes(extra) || (adds && present.includes(extra)))
  const workspaces = ['sdk/node', 'examples/shop', ...chosen].flatMap((workspace) => ['--workspace', workspace])
  // `ci` begins with an empty node_modules; `install` only adds packages, so that a service running from this clone continues
  const command = adds ? ['install', '--no-save'] : ['ci']
  const options = ['--include-workspace-root', '--include=dev', '--loglevel=error', '--no-audit', '--no-fund']
  console.error(
    `Installing ${chosen.length > 0 ? 'what checks and tests need' : 'packages'} (once; one to two minutes) …`,
  )
  // before the first change: without it, nothing counts as installed
  rmSync(join(root, INSTALLED), { force: true })
  await step('packages', () => npm('Installing packages', [...command, ...workspaces, ...options]), true)
  await deleteRemoved(root)
  writeFileSync(join(root, INSTALLED), [wanted, ...chosen].join(' '))
}

/** Removes the packages that only the build needs. They are installed again when something has to be built. */
export async function pruneInstalled() {
  const [lockfile, ...present] = readInstalled()
  if (present.includes(PRUNED)) return
  await alone(root, async () => {
    let remaining = 0
    console.error('Removing packages that only the build needs …')
    await step('pruning', async () => {
      // an interrupted one leaves all that a service needs, and is completed by the next
      writeFileSync(join(root, INSTALLED), [lockfile, PRUNING].join(' '))
      const { kept } = prune(root, neededIn(root))
      remaining = kept.length
      writeFileSync(join(root, INSTALLED), [lockfile, PRUNED].join(' '))
    })
    console.error(`${remaining} packages remain.`)
  })
  // the start need not wait for it
  deleteRemoved(root).catch(() => {})
}

/**
 * What is generated where its sources are, so that an interrupted run leaves half of it: by its name, what it is made from. A stamp in
 * .builds says that it is complete.
 */
const IN_PLACE = {
  client: ['prisma', 'package-lock.json'],
  sdk: ['sdk/node', 'package-lock.json', 'tsconfig.base.json'],
}

/** @param {keyof typeof IN_PLACE} name */
const stampOf = (name) => `.builds/${name}-made-from`

/** @param {keyof typeof IN_PLACE} name */
const isMade = (name) => isCurrent(stampOf(name), digest(IN_PLACE[name]))

/** @param {keyof typeof IN_PLACE} name @param {() => Promise<void>} work */
function make(name, work) {
  return alone(root, async () => {
    const stamp = join(root, stampOf(name))
    rmSync(stamp, { force: true })
    const from = digest(IN_PLACE[name])
    await work()
    mkdirSync(dirname(stamp), { recursive: true })
    writeFileSync(stamp, from)
  })
}

/** Generates the database client, which all compiled code needs. */
export function generate() {
  return make('client', () =>
    run('Generating the database client', process.execPath, [join(root, 'scripts/generate.mjs')]),
  )
}

/** Compiles the Node SDK, which the demo shop imports as any merchant would. */
export function buildSdk() {
  return make('sdk', () => run('Compiling the SDK', process.execPath, [join(root, 'sdk/node/build.mjs')]))
}

function packSdks(folder) {
  return run('Packing the SDKs', process.execPath, [join(root, 'scripts/sdks.mjs'), join(root, folder, 'sdk')])
}

function listPackages(folder) {
  return tool('Listing the packages', 'tsx/dist/cli.mjs', ['scripts/packages/sbom.ts', `${folder}/sbom.json`])
}

async function buildServer(folder) {
  const config = ['-p', 'server/tsconfig.build.json', '--outDir', folder]
  await tool('Compiling the server', 'typescript/bin/tsc', config)
  // SQL, plain JavaScript, the list of providers and the files of the demo shop are read from the directory of the compiled
  // code that uses them
  for (const part of ['server', 'examples/shop']) {
    for (const file of readdirSync(join(root, part), { recursive: true })) {
      if (/\.(sql|mjs)$|providers\.txt$/.test(file))
        copyFileSync(join(root, part, file), join(root, folder, part, file))
    }
  }
  cpSync(join(root, 'examples/shop/public'), join(root, folder, 'examples/shop/public'), { recursive: true })
}

function buildPages(part, folder) {
  const outDir = join(root, folder, part)
  const args = [
    'build',
    '--config',
    `${part}/vite.config.ts`,
    '--logLevel',
    'warn',
    '--outDir',
    outDir,
    '--emptyOutDir',
  ]
  return tool(`Building the ${part}`, 'vite/bin/vite.js', args)
}

const isBuilt = (wanted) =>
  isCurrent(BUILT, wanted) &&
  isMade('client') &&
  isMade('sdk') &&
  ['dist/sdk', 'dist/sbom.json', 'sdk/node/dist'].every((path) => existsSync(join(root, path)))

/** Compiles SDK, server, widget and console unless they are up to date: beside the present build, which may be running. */
export async function build() {
  if (!isBuilt(digest(SOURCES))) await alone(root, buildStale)
}

async function buildStale() {
  const wanted = digest(SOURCES)
  if (isBuilt(wanted)) return
  console.error('Building (about a minute) …')
  const folder = newBuild(root)
  await step('database client', generate)
  // two at a time: each keeps about one core busy
  const backend = async () => {
    await step('Node SDK', buildSdk)
    await step('packed SDKs', () => packSdks(folder))
    await step('server', () => buildServer(folder))
    await step('SBOM', () => listPackages(folder))
  }
  const pages = async () => {
    await step('widget', () => buildPages('widget', folder))
    await step('console', () => buildPages('console', folder))
  }
  await Promise.all([backend(), pages()])
  writeFileSync(join(root, folder, STAMP), wanted)
  publishBuild(root, folder)
  removeOldBuilds(root)
}

/** Ends the process if its Node.js is too old. */
export function refuseOldNode() {
  if (major > 20 || (major === 20 && minor >= 19)) return
  console.error(
    `\nTollgate needs Node.js 20.19 or newer; this is ${process.versions.node}. Install a current one and run the command again.\n`,
  )
  process.exit(1)
}

/**
 * Everything from a clone to a runnable state.
 * @param {string[]} [extras] as in install
 * @param {() => void} [installed] called before something is built
 */
export async function bootstrap(extras = [], installed = () => {}) {
  refuseOldNode()
  process.chdir(root)
  const [lockfile, ...present] = readInstalled()
  const isComplete = isPruned(present) && extras.length === 0 && lockfile === digest(['package-lock.json'])
  const isCompleteBuild = isBuilt(digest(SOURCES))
  if (isComplete && isCompleteBuild) return
  await install(extras)
  if (!isCompleteBuild) installed()
  await build()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bootstrap(process.argv.slice(2))
