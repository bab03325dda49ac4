// Brings a clone to where it can run: installs, generates and builds what is stale, and nothing else.
// Plain JavaScript, because it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const INSTALLED = 'node_modules/.tollgate-installed'
const BUILT = 'dist/.built-from'
const SDKS = 'dist/sdk'
const TOOLS = ['scripts/precompress.ts', 'scripts/sdks.mjs', 'tsconfig.base.json']
const PYTHON_SDK = ['src', 'pyproject.toml', 'README.md', 'LICENSE'].map((name) => `sdk/python/${name}`)
/** What the build is made from. */
const SOURCES = [
  'server',
  'prisma',
  'sdk/node',
  ...PYTHON_SDK,
  'e2e',
  'widget',
  'console',
  'package-lock.json',
  ...TOOLS,
]

/** Made by the build, or no part of it. */
const NOT_BUILT = new Set([
  'prisma/client',
  'sdk/node/dist',
  'sdk/node/examples',
  'sdk/node/testing',
  'e2e/setup',
  'e2e/shop-python',
  'e2e/playwright.config.ts',
  'server/testing',
  'server/model',
])

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

/** Runs a program with its output shown when it fails; ends the process then. */
export function run(what, program, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    ...options,
  })
  if (status === 0) return stdout ?? ''
  console.error(
    `\n${what} failed.\n\n${error ? error.message : `${stdout ?? ''}${stderr ?? ''}`.trim().slice(-6000)}\n`,
  )
  process.exit(status || 1)
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
    if (path.includes('.') || path.endsWith('/LICENSE')) hash.update(readFileSync(join(root, path)))
    else add(path)
  }
  return hash.digest('hex')
}

const isCurrent = (stamp, value) => existsSync(join(root, stamp)) && readFileSync(join(root, stamp), 'utf8') === value

/** Installs the lockfile's packages unless they are there. */
export function install() {
  const wanted = digest(['package-lock.json'])
  if (isCurrent(INSTALLED, wanted)) return
  console.error('Installing packages (once; about half a minute) …')
  npm('Installing packages', ['ci', '--include=dev', '--loglevel=error', '--no-audit', '--no-fund'])
  writeFileSync(join(root, INSTALLED), wanted)
}

/** Makes the database client; everything that is compiled needs it. */
export function generate() {
  // the command line insists on an engine file, which generating never runs
  tool('Generating the database client', 'prisma/build/index.js', ['generate'], {
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: join(root, 'package.json'), PRISMA_HIDE_UPDATE_MESSAGE: '1' },
  })
}

/** Compiles the Node SDK, which the demo shop imports as any merchant would. */
export function buildSdk() {
  run('Compiling the SDK', process.execPath, [join(root, 'sdk/node/build.mjs')])
}

/** Compiles SDK, server, widget and console unless they are as their sources. */
export function build() {
  const wanted = digest(SOURCES)
  if (isCurrent(BUILT, wanted) && [SDKS, 'sdk/node/dist'].every((path) => existsSync(join(root, path)))) return
  console.error('Building …')
  generate()
  buildSdk()
  run('Packing the SDKs', process.execPath, [join(root, 'scripts/sdks.mjs'), join(root, SDKS)])
  tool('Compiling the server', 'typescript/bin/tsc', ['-p', 'server/tsconfig.build.json'])
  // the functions' SQL is read beside the compiled code that calls them
  for (const file of readdirSync(join(root, 'server'), { recursive: true })) {
    if (file.endsWith('.sql')) copyFileSync(join(root, 'server', file), join(root, 'dist/server', file))
  }
  tool('Building the widget', 'vite/bin/vite.js', ['build', '--config', 'widget/vite.config.ts', '--logLevel', 'warn'])
  tool('Building the console', 'vite/bin/vite.js', [
    'build',
    '--config',
    'console/vite.config.ts',
    '--logLevel',
    'warn',
  ])
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(join(root, BUILT), wanted)
}

/** The whole way from a clone to something that runs. */
export function bootstrap() {
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(
      `\nTollgate needs Node.js 20.19 or newer; this is ${process.versions.node}. Install a current one and run the command again.\n`,
    )
    process.exit(1)
  }
  process.chdir(root)
  install()
  build()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) bootstrap()
