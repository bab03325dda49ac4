// Makes a clone runnable: installs, generates and builds what is stale, and nothing else.
// Plain JavaScript, because it runs before anything is installed.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newBuild, publishBuild } from './builds.mjs'
import { locked } from './lock.mjs'
import { prune, writeSbom } from './packages.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const LOCK = join(root, '.builds/lock')
/** The lockfile of the last complete installation, and what it contains besides the packages of the service and the build. */
const INSTALLED = join(root, 'node_modules/.tollgate-installed')
const STAMP = '.built-from'
/** The workspaces that only checks, tests and benches need: their commands install them, `npm start` does not. */
export const EXTRAS = ['scripts', 'e2e', 'assurance']
/** In place of an extra: the packages of the build are missing. */
const PRUNED = 'pruned'
/** What the build is made from. */
const SOURCES = [
  'server',
  'prisma',
  'hashwx',
  'widget',
  'console',
  'examples/shop',
  'sdk/node',
  'sdk/python',
  'sdk/widget',
  'sdk/php',
  'integrations/wordpress',
  'scripts',
  'package-lock.json',
  'tsconfig.base.json',
  'LICENSE',
]
/** Output of the build, or not part of it. */
const NOT_BUILT =
  /^(prisma\/client|sdk\/(node|widget)\/(dist|LICENSE|testing)|sdk\/(python|php)\/(build|LICENSE|tests))$|\.(test|spec)\.tsx?$|tsbuildinfo$|__pycache__$|\.egg-info$/
/** What it makes, besides what is in its own folder. */
const MADE = ['dist/sdk', 'dist/sbom.json', 'prisma/client', 'sdk/node/dist', 'sdk/widget/dist']

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

/** Runs a program and returns its output. If it fails, this shows the output and ends the process. */
export function run(what, program, args, options) {
  return new Promise((resolve) => {
    execFile(program, args, { cwd: root, maxBuffer: 64 << 20, ...options }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout)
      console.error(`\n${what} failed.\n\n${(stdout + stderr || error.message).trim().slice(-6000)}\n`)
      process.exit(1)
    })
  })
}

/** Runs a tool of node_modules. */
export function tool(what, name, args, options) {
  return run(what, process.execPath, [join(root, 'node_modules', name), ...args], options)
}

/** The program and the first arguments that run npm: its own if npm runs this, as on Windows `npm` is not found without `.cmd`. */
export function npm() {
  const cli = process.env['npm_execpath']
  if (cli?.endsWith('.js')) return [process.execPath, cli]
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm']
}

function digest(paths) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${major}`)
  const add = (path) => {
    if (NOT_BUILT.test(path)) return
    const file = join(root, path)
    const entries = statSync(file).isDirectory() ? readdirSync(file).toSorted() : undefined
    if (entries) for (const name of entries) add(`${path}/${name}`)
    else hash.update(path).update(readFileSync(file))
  }
  for (const path of paths) add(path)
  return hash.digest('hex')
}

/** Waits for a step and prints its time. */
async function step(name, work) {
  const began = performance.now()
  await work()
  console.error(`  ${name.padEnd(16)} ${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s`)
}

/** Of the installed packages: whether they are those of the lockfile, and the extras. */
function readInstalled() {
  const [lockfile, ...present] = existsSync(INSTALLED) ? readFileSync(INSTALLED, 'utf8').split(' ') : []
  return { isCurrent: lockfile === digest(['package-lock.json']), present }
}

/** @param {string[]} extras */
function isInstalled(extras) {
  const { isCurrent, present } = readInstalled()
  return isCurrent && !present.includes(PRUNED) && extras.every((extra) => present.includes(extra))
}

/**
 * Installs the lockfile's packages that the build and the service need, and those of `extras`, unless they are there.
 * @param {string[]} [extras] of EXTRAS
 */
export async function install(extras = []) {
  if (isInstalled(extras)) return
  await locked(LOCK, async () => {
    if (isInstalled(extras)) return
    const { isCurrent, present } = readInstalled()
    const chosen = EXTRAS.filter((extra) => extras.includes(extra) || (isCurrent && present.includes(extra)))
    const workspaces = ['sdk/node', 'examples/shop', ...chosen].flatMap((workspace) => ['--workspace', workspace])
    // `ci` begins with an empty node_modules; `install` only adds packages, so that a service running from this clone continues
    const command = isCurrent ? ['install', '--no-save'] : ['ci']
    const options = ['--include-workspace-root', '--include=dev', '--loglevel=error', '--no-audit', '--no-fund']
    const what = chosen.length > 0 ? 'what checks and tests need' : 'packages'
    console.error(`Installing ${what} (once; one to two minutes) …`)
    // without it, nothing counts as installed
    rmSync(INSTALLED, { force: true })
    const [program, ...first] = npm()
    await step('packages', () => run('Installing packages', program, [...first, ...command, ...workspaces, ...options]))
    writeFileSync(INSTALLED, [digest(['package-lock.json']), ...chosen].join(' '))
  })
}

/** Removes the packages that only the build needs. They are installed again when something has to be built. */
export function pruneInstalled() {
  return locked(LOCK, async () => {
    writeFileSync(INSTALLED, [digest(['package-lock.json']), PRUNED].join(' '))
    prune(root)
  })
}

/** Generates the database client, which all compiled code needs. */
export function generate() {
  return locked(LOCK, () =>
    run('Generating the database client', process.execPath, [join(root, 'scripts/prismaClient.mjs')]),
  )
}

/** Compiles the packages for npm. The demo shop imports the Node SDK as any merchant would. */
export function buildSdks() {
  return locked(LOCK, async () => {
    for (const sdk of ['node', 'widget'])
      await run(`Compiling sdk/${sdk}`, process.execPath, [join(root, `sdk/${sdk}/build.mjs`)])
  })
}

async function buildServer(folder) {
  await tool('Compiling the server', 'typescript/bin/tsc', ['-p', 'server/tsconfig.build.json', '--outDir', folder])
  // SQL, plain JavaScript, the list of providers and the files of the demo shop are read from the directory of the compiled
  // code that uses them
  for (const part of ['server', 'examples/shop'])
    for (const file of readdirSync(join(root, part), { recursive: true }))
      if (/\.(sql|mjs)$|providers\.txt$/.test(file)) copyFileSync(join(root, part, file), join(folder, part, file))
  cpSync(join(root, 'examples/shop/public'), join(folder, 'examples/shop/public'), { recursive: true })
}

/** The docs are not among the sources: code of theirs that changed since is shown without colours, which is not worth a build. */
function highlightDocs(folder) {
  const args = [join(root, 'scripts/highlight.ts'), join(folder, 'code.json')]
  return tool('Highlighting the docs', 'tsx/dist/cli.mjs', args)
}

function buildPages(part, folder) {
  const options = ['--logLevel', 'warn', '--outDir', join(folder, part), '--emptyOutDir']
  return tool(`Building the ${part}`, 'vite/bin/vite.js', ['build', '--config', `${part}/vite.config.ts`, ...options])
}

/** Whether the build is that of these sources. */
export function isBuilt() {
  const stamp = join(root, 'dist', STAMP)
  return (
    MADE.every((path) => existsSync(join(root, path))) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === digest(SOURCES)
  )
}

/** Compiles SDK, server, widget and console unless they are up to date: beside the present build, which may be running. */
export async function build() {
  if (isBuilt()) return
  await locked(LOCK, async () => {
    if (isBuilt()) return
    console.error('Building (once; one to three minutes) …')
    const wanted = digest(SOURCES)
    // the database client and the SDKs are made in place: until all is made, nothing counts as built
    rmSync(join(root, 'dist', STAMP), { force: true })
    const folder = newBuild(root)
    await step('database client', generate)
    // two at a time: each keeps about one core busy
    const backend = async () => {
      await step('npm packages', buildSdks)
      const packer = [join(root, 'scripts/sdks.mjs'), join(folder, 'sdk')]
      await step('packed SDKs', () => run('Packing the SDKs', process.execPath, packer))
      await step('server', () => buildServer(folder))
      await step('docs', () => highlightDocs(folder))
    }
    const pages = async () => {
      await step('widget', () => buildPages('widget', folder))
      await step('console', () => buildPages('console', folder))
    }
    await Promise.all([backend(), pages()])
    writeSbom(root, join(folder, 'sbom.json'))
    writeFileSync(join(folder, STAMP), wanted)
    publishBuild(root, folder)
  })
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
  const { isCurrent, present } = readInstalled()
  const isRunnable = extras.length === 0 && isCurrent && present.includes(PRUNED) && isBuilt()
  if (isRunnable) return
  await install(extras)
  if (!isBuilt()) installed()
  await build()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bootstrap(process.argv.slice(2))
