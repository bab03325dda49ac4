import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { testKeys } from '@tollgate/node'
import { unzipSync } from 'fflate'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findPhp } from '../scripts/php.mjs'
import { findPython } from '../scripts/python.mjs'
import { newSecretKey } from '../server/accounts/sites/keys.ts'
import { freePort } from '../server/kit/process/freePort.ts'
import { createTestClient } from '../test/support/client.ts'
import { openTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { macOfKeptFile, TEST_KEY } from '../test/support/keptFile.ts'
import { type ServerProcess, startServer } from '../test/support/process.ts'
import { solvePuzzles } from '../test/support/solver.ts'

// What a merchant does with nothing but the address of a deployment: installs its SDK into an empty folder, and uses it.

const run = promisify(execFile)
const python = findPython()
const php = findPhp()
const HOSTNAME = 'localhost'

type Listed = Record<'name' | 'version' | 'file' | 'url' | 'integrity' | 'sha256' | 'install', string>

let database: TestDatabase
let server: ServerProcess
let folder: string
let packages: Listed[]
let provenance: string
let node: Listed
let wheel: Listed
let archive: Listed

const start = () =>
  startServer({ DATABASE_URL: database.serviceUrl, TOLLGATE_KEYS: `t1:${TEST_KEY.toString('base64url')}` }, 'build')

const list = async () =>
  (await (await fetch(`${server.url}/sdk.json`)).json()) as { packages: Listed[]; provenance: string }
const find = (name: string): Listed => {
  const found = packages.find((listed) => listed.name === name)
  if (!found) throw new Error(`${name} is not listed`)
  return found
}
const download = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tollgate-merchant-')))
  database = await openTestDatabase()
  server = await start()
  ;({ packages, provenance } = await list())
  node = find('@tollgate/node')
  wheel = find('tollgate-captcha')
  archive = find('tollgate/tollgate')
})
afterAll(async () => {
  await server.end()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What a visitor's browser does: the token of an intent. */
async function solve(intentId: string): Promise<string> {
  const client = createTestClient(server.url)
  const from = { origin: `http://${HOSTNAME}` }
  const { body } = await client.challenge(testKeys.pass, intentId, from)
  const solution = solvePuzzles(body as { seed: string; count: number; target: number })
  const solved = { intent_id: intentId, challenge: body['challenge'], solution }
  return String((await client.solve(testKeys.pass, solved, from)).body['response'])
}

/** The code of a block, without its first line that says the language. */
const block = (document: string, start: string) => {
  const code = readFileSync(document, 'utf8')
    .split('```')
    .find((text) => text.startsWith(start))
  if (code === undefined) throw new Error(`${document} has no block that begins with ${start}`)
  return code.slice(code.indexOf('\n') + 1).replaceAll('http://localhost:3000', server.url)
}

/** A page with a form of a program of the documents, and a function that sends the form: the answer's status and first characters. */
async function openForm(url: string) {
  const shown = await vi.waitFor(() => fetch(url), { timeout: 30_000, interval: 100 })
  const cookie = shown.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
  const html = await shown.text()
  return {
    cookie,
    attempt: /name="attempt" value="([^"]+)"/.exec(html)?.[1] ?? '',
    intentId: /data-intent="([^"]+)"/.exec(html)?.[1] ?? '',
    shown: [shown.status, html.slice(0, 8)],
    post: async (attempt: string, token: string) => {
      const body = new URLSearchParams({ attempt, 'svc-captcha-response': token })
      const reply = await fetch(url, { method: 'POST', body, headers: { cookie } })
      return [reply.status, (await reply.text()).slice(0, 8)]
    },
  }
}

/** Goes through the form of a program of the documents, as visitors do; returns the answers. */
async function signUp(url: string): Promise<unknown[]> {
  const { cookie, attempt, intentId, post } = await openForm(url)
  const token = await solve(intentId)
  // a browser requests more than the page, and the visitor opens the form in a second tab
  await fetch(`${url}favicon.ico`)
  await fetch(url, { headers: { cookie } })
  return [
    await post('x', token),
    await post(attempt, ''),
    await post(attempt, 'tgr_forged'),
    await post(attempt, token),
    await post(attempt, token),
    await post(attempt, 'tgr_other'),
  ]
}

/** Of an unknown form, of one without a token and with a forged one, and of a right one that is sent again, also with another token. */
const SIGNED_UP = [
  [403, 'Please o'],
  [409, 'Please <'],
  [409, 'Please <'],
  [200, 'Welcome!'],
  [200, 'Welcome!'],
  [200, 'Welcome!'],
]

const STDERR: ['ignore', 'ignore', 'pipe'] = ['ignore', 'ignore', 'pipe']

/** Starts a program for Express that listens on port 4000, on another port. */
function startExpress(folder: string, file: string, code: string, port: number): ChildProcess {
  writeFileSync(join(folder, file), code.replace('listen(4000', `listen(${port}`))
  const express = join(folder, 'node_modules/express')
  if (!existsSync(express)) symlinkSync(resolve('node_modules/express'), express, 'junction')
  return spawn(process.execPath, [file], { cwd: folder, stdio: STDERR })
}

/** Visits a program until `visit` is done; what it returned, and what the program wrote to its standard error. */
async function visitProgram<T>(start: (port: number) => ChildProcess, visit: (url: string) => Promise<T>) {
  const port = await freePort()
  const child = start(port)
  let log = ''
  child.stderr?.on('data', (chunk) => (log += String(chunk)))
  try {
    return { result: await visit(`http://localhost:${port}/`), log: () => log }
  } finally {
    child.kill()
  }
}

/**
 * Expects of a program of the quick start what it says to visitors and operators. `keys`: the expression of its test key; `asKeys`:
 * one of the JSON of other keys.
 */
async function expectProgram(
  start: (code: string, port: number) => ChildProcess,
  code: string,
  keys: string,
  asKeys: (json: string) => string = (json) => json,
) {
  expect(code).toContain(keys)
  const startWith = (other: string) => (port: number) =>
    start(
      code.replace(keys, () => other),
      port,
    )
  expect((await visitProgram(startWith(keys), signUp)).result).toEqual(SIGNED_UP)
  const spent = await visitProgram(startWith(keys.replace('pass', 'quota')), async (url) => {
    const { attempt, post } = await openForm(url)
    return post(attempt, 'tgr_x')
  })
  expect(spent.result).toEqual([503, 'Please <'])
  await expect.poll(spent.log).toContain(`${server.url}/docs/errors#quota-exceeded`)
  const unknown = asKeys(JSON.stringify({ ...testKeys.pass, secret: newSecretKey() }))
  const misconfigured = await visitProgram(startWith(unknown), async (url) => (await openForm(url)).shown)
  expect(misconfigured.result).toEqual([500, 'Somethin'])
  await expect.poll(misconfigured.log).toContain(`${server.url}/docs/errors#unauthorized`)
}

test('each package is listed with its address, its hashes and the command that installs it', async () => {
  expect(packages.map(({ name }) => name)).toEqual([
    '@tollgate/node',
    '@tollgate/widget',
    'tollgate-captcha',
    'tollgate/tollgate',
    'tollgate-wordpress',
  ])
  for (const { file, version, url, integrity, sha256, install } of packages) {
    expect(file).toContain(`-${version}`)
    // Composer finds the file in its repository
    expect(install).toContain(file.startsWith('tollgate-php') ? `composer ${new URL(url).origin}/sdk ` : url)
    const reply = await fetch(url)
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    const content = Buffer.from(await reply.arrayBuffer())
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha256)
    expect(`sha512-${createHash('sha512').update(content).digest('base64')}`).toBe(integrity)
  }
  expect(wheel.install).toContain(`#sha256=${wheel.sha256}`)
})

test.each(['sdks.json', 'none.provenance.json', 'tollgate-node-0.0.0.tgz', '..%2Fserver%2Fmain.js', ''])(
  'nothing else is served: /sdk/%s',
  async (path) => {
    expect((await fetch(`${server.url}/sdk/${path}`)).status).toBe(404)
  },
)

test('every document and example names these files', () => {
  const files = new Set(packages.map(({ file }) => file))
  const documents = [
    ...['quick-start', 'backend', 'front-end'].map((name) => `docs/${name}.md`),
    ...['node', 'python', 'widget'].map((name) => `sdk/${name}/README.md`),
  ]
  const examples = ['node', 'python', 'php'].flatMap((language) =>
    readdirSync(`sdk/${language}/examples`).map((name) => `sdk/${language}/examples/${name}`),
  )
  for (const document of [...documents, 'sdk/php/README.md', ...examples].filter((path) =>
    /\.(md|ts|py|php)$/.test(path),
  )) {
    const text = readFileSync(document, 'utf8')
    const named = [...text.matchAll(/\/sdk\/([\w.-]+\.(?:tgz|whl|zip))/g)].map(([, file]) => file ?? '')
    expect([document, named.length > 0 || !documents.includes(document)]).toEqual([document, true])
    expect([document, named.filter((file) => !files.has(file))]).toEqual([document, []])
    // each would be somebody else's, or nothing
    expect([document, /(?:npm install|pip install)[^\n]*\s(?:@tollgate\/\w+|tollgate)\s*$/m.test(text)]).toEqual([
      document,
      false,
    ])
  }
})

test('the same sources make the same bytes, in another folder, with another umask and in another time zone', async () => {
  const clone = join(folder, 'clone')
  mkdirSync(join(clone, 'node_modules'), { recursive: true })
  for (const path of [
    'sdk',
    'integrations',
    'scripts',
    'widget/types.ts',
    'LICENSE',
    'package.json',
    'tsconfig.base.json',
  ])
    cpSync(path, join(clone, path), { recursive: true, filter: (file) => !/(?:dist|node_modules|LICENSE)$/.test(file) })
  cpSync('LICENSE', join(clone, 'LICENSE'))
  // what the archives contain of it has to be below the folder
  cpSync('node_modules/yaml', join(clone, 'node_modules/yaml'), { recursive: true })
  for (const name of ['@types', 'fflate', 'smol-toml', 'typescript', 'vite'])
    symlinkSync(resolve('node_modules', name), join(clone, 'node_modules', name))
  const build = 'node sdk/node/build.mjs && node sdk/widget/build.mjs && node scripts/sdks.mjs again'
  const command = `chmod -R go-rwx . && umask 077 && ${build}`
  await run('sh', ['-c', command], { cwd: clone, env: { ...process.env, TZ: 'Asia/Tokyo' } })
  expect(statSync(join(clone, 'sdk/node/dist/esm/index.js')).mode & 0o777).toBe(0o600)
  for (const { file } of packages)
    expect([file, readFileSync(join(clone, 'again', file)).equals(readFileSync(join('dist/sdk', file)))]).toEqual([
      file,
      true,
    ])
}, 120_000)

test('the provenance names the hash of each package, and the commit if nothing was changed', async () => {
  const reply = await fetch(provenance)
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  const statement = (await reply.json()) as {
    subject: { name: string; digest: { sha256: string } }[]
    predicate: { buildDefinition: { resolvedDependencies: { digest: { gitCommit: string } }[] } }
  }
  expect(statement.subject).toEqual(packages.map(({ file, sha256 }) => ({ name: file, digest: { sha256 } })))
  for (const { digest } of statement.predicate.buildDefinition.resolvedDependencies)
    expect(digest.gitCommit).toMatch(/^[0-9a-f]{40}$/)
})

test('the package of the component has no dependencies, and types for each framework', async () => {
  const project = join(folder, 'widget')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  // npm asks the registry for peers that it does not install
  const npm = ['install', '--registry=http://127.0.0.1:9/', '--fetch-retries=0', `--cache=${join(folder, 'npm')}`]
  await run('npm', [...npm, '--no-audit', find('@tollgate/widget').url], { cwd: project })
  expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@tollgate'])
  writeFileSync(
    join(project, 'use.ts'),
    `import { load, type ErrorCode } from '@tollgate/widget'
import { Tollgate as ForReact, useTollgate } from '@tollgate/widget/react'
import { Tollgate as ForSvelte, tollgate } from '@tollgate/widget/svelte'
import { Tollgate as ForVue } from '@tollgate/widget/vue'

const options = { url: '', sitekey: '', intent: async (signal: AbortSignal) => String(signal.aborted) }
ForReact({ ...options, theme: 'dark', onError: (code: ErrorCode) => console.error(code) })
export const { value, reset }: { value: string; reset: () => void } = useTollgate(options)
export const names: string[] = [(await load({ url: '' })).render('#x'), typeof ForSvelte, typeof ForVue, typeof tollgate]
// @ts-expect-error no such theme
ForReact({ ...options, theme: 'blue' })
// @ts-expect-error the intent is missing
ForReact({ url: '', sitekey: '' })
// @ts-expect-error no such property
export const props: InstanceType<typeof ForVue>['$props'] = { ...options, color: 'blue' }
`,
  )
  const paths = Object.fromEntries(
    ['vue', 'svelte', 'svelte/action'].map((name) => [name, [resolve('node_modules', name)]]),
  )
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
    paths: { ...paths, react: [resolve('node_modules/@types/react')] },
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }))
  const { stdout } = await run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', project]).catch(
    (failure: { stdout: string }) => failure,
  )
  expect(stdout).toBe('')
})

test('the package of an earlier version is still served, as it was', async () => {
  const earlier = node.url.replace(node.version, '0.9.0')
  expect((await fetch(earlier)).status).toBe(404)
  const sql = new pg.Client({ connectionString: database.url })
  await sql.connect()
  // as a node of that version has left it
  const { rows } = await sql.query<{ content: Buffer }>('select content from kept_file where path = $1', [
    `sdk/${node.file}`,
  ])
  const path = 'sdk/tollgate-node-0.9.0.tgz'
  const content = rows[0]?.content ?? Buffer.alloc(0)
  await sql.query('insert into kept_file (path, content, mac) values ($1, $2, $3)', [
    path,
    content,
    macOfKeptFile(path, content),
  ])
  await sql.end()
  await expect.poll(async () => (await fetch(earlier)).status, { timeout: 10_000 }).toBe(200)
  expect((await download(earlier)).equals(await download(node.url))).toBe(true)
})

test('a changed SDK without a new version does not replace what was served, and the log says so', async () => {
  const sql = new pg.Client({ connectionString: database.url })
  await sql.connect()
  const path = `sdk/${wheel.file}`
  const content = gzipSync('what was served first')
  await sql.query('update kept_file set content = $1, mac = $2 where path = $3', [
    content,
    macOfKeptFile(path, content),
    path,
  ])
  const other = await start()
  try {
    expect((await download(`${other.url}/sdk/${wheel.file}`)).toString()).toBe('what was served first')
    const reply = (await (await fetch(`${other.url}/sdk.json`)).json()) as { packages: Listed[] }
    expect(reply.packages.find(({ file }) => file === wheel.file)?.sha256).toBe(
      createHash('sha256').update('what was served first').digest('hex'),
    )
    expect(other.output()).toContain('this SDK was changed without a new version')
  } finally {
    await other.end()
    await sql.query('delete from kept_file where path = $1', [`sdk/${wheel.file}`])
    await sql.end()
  }
})

describe('npm install, without a registry', () => {
  let project: string
  const program = (name: string, code: string, ...args: string[]) => {
    writeFileSync(join(project, name), code)
    return run(process.execPath, [name, ...args], { cwd: project }).then(({ stdout }) => stdout.trim())
  }

  beforeAll(async () => {
    project = join(folder, 'node')
    mkdirSync(project)
    writeFileSync(join(project, 'package.json'), '{ "private": true }')
    const npm = ['install', '--registry=http://127.0.0.1:9/', `--cache=${join(folder, 'npm')}`, '--no-audit', node.url]
    await run('npm', npm, { cwd: project })
  })

  test('writes address and hash into the lockfile, and can be repeated from it', async () => {
    const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { resolved?: string; integrity?: string }>
    }
    expect(lock.packages['node_modules/@tollgate/node']).toMatchObject({
      resolved: node.url,
      integrity: node.integrity,
    })
    rmSync(join(project, 'node_modules'), { recursive: true })
    await run('npm', ['ci', '--registry=http://127.0.0.1:9/', `--cache=${join(folder, 'npm')}`, '--no-audit'], {
      cwd: project,
    })
    expect(existsSync(join(project, 'node_modules/@tollgate/node/dist/esm/index.js'))).toBe(true)
  })

  test.each([
    [
      'an ES module',
      'use.mjs',
      `import { createIdempotencyKey, createNonce, testKeys, Tollgate } from '@tollgate/node'`,
    ],
    [
      'CommonJS',
      'use.cjs',
      `const { createIdempotencyKey, createNonce, testKeys, Tollgate } = require('@tollgate/node')`,
    ],
  ])('%s that verifies with the test key passes', async (_, file, load) => {
    const code = `${load}
      const [, , url, intentId, response] = process.argv
      const client = new Tollgate({ url, ...testKeys.pass })
      const page = { action: 'signup', hostname: '${HOSTNAME}' }
      const asked = response
        ? client.verify({ ...page, intentId, response, idempotencyKey: createIdempotencyKey() })
        : client.createIntent({ ...page, nonce: createNonce() })
      asked.then((value) => console.log(value.assessment ?? value.intentId))`
    const intentId = await program(file, code, server.url)
    expect(await program(file, code, server.url, intentId, await solve(intentId))).toBe('passed')
  })

  test('the code of the README runs as it is', async () => {
    expect(readFileSync('README.md', 'utf8')).toContain(`npm install http://localhost:3000/sdk/${node.file} express`)
    const code = block('README.md', 'js\n// shop.mjs')
    const { result } = await visitProgram((port) => startExpress(project, 'shop.mjs', code, port), signUp)
    expect(result).toEqual([
      [403, 'Please o'],
      [409, 'Please o'],
      [409, 'Please o'],
      [200, 'Welcome!'],
      [200, 'Welcome!'],
      [200, 'Welcome!'],
    ])
  })

  test('the program of the quick start for Express takes a form once it is verified, and explains failures', async () => {
    const code = block('docs/quick-start.md', 'js\n// server.mjs')
    const start = (...given: [string, number]) => startExpress(project, 'server.mjs', ...given)
    await expectProgram(start, code, 'testKeys.pass')
    // a service that does not answer does not serve its documentation either
    const lost = await visitProgram(
      (port) => start(code.replaceAll(server.url, 'http://localhost:2'), port),
      async (url) => (await openForm(url)).shown,
    )
    expect(lost.result).toEqual([503, 'Please <'])
    await expect.poll(lost.log).toContain('ECONNREFUSED')
    expect(lost.log()).not.toContain('/docs/')
  })

  test('the program of the quick start for Flask takes a form once it is verified, and explains failures', async (context) => {
    // Debian's has Flask where the first in PATH has not
    const flask = [python ?? 'python3', '/usr/bin/python3'].find(
      (command) => spawnSync(command, ['-c', 'import flask']).status === 0,
    )
    if (flask === undefined && !process.env['CI']) context.skip('there is no Flask')
    const env = { ...process.env, PYTHONPATH: resolve('sdk/python/src') }
    const code = block('docs/quick-start.md', 'python\n# app.py')
    await expectProgram(
      (changed, port) => {
        writeFileSync(join(project, 'app.py'), changed)
        const args = ['-m', 'flask', 'run', '--port', String(port)]
        return spawn(flask ?? 'python3', args, { cwd: project, stdio: STDERR, env })
      },
      code,
      'TEST_KEYS["pass"]',
    )
  })

  test.each(['mts', 'cts'])('a .%s file finds its types', async (extension) => {
    const code = `import { Tollgate, type Decision } from '@tollgate/node'
      export const verify = (client: Tollgate): Promise<Decision> => client.verify({
        response: '', intentId: '', action: '', hostname: '', idempotencyKey: '' })
      // @ts-expect-error a number is no action
      export const wrong = (client: Tollgate) => client.createIntent({ action: 1, nonce: '', hostname: '' })\n`
    writeFileSync(join(project, `types.${extension}`), code)
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--ignoreConfig']
    const types = ['--types', 'node', '--typeRoots', resolve('node_modules/@types')]
    const args = [resolve('node_modules/typescript/bin/tsc'), ...options, ...types, `types.${extension}`]
    expect((await run(process.execPath, args, { cwd: project })).stdout).toBe('')
  })
})

// a machine without Python builds and serves the wheel; CI has to have one
describe.skipIf(python === undefined && !process.env['CI'])(
  'pip install into a new environment, without an index',
  () => {
    let interpreter: string
    const inside = (...args: string[]) => run(interpreter, args, { cwd: folder }).then(({ stdout }) => stdout.trim())

    beforeAll(async () => {
      const environment = join(folder, 'venv')
      await run(python ?? 'python3', ['-m', 'venv', environment])
      interpreter = join(environment, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python')
      const pip = ['-m', 'pip', '--disable-pip-version-check', '--no-cache-dir', 'install', '--no-index']
      await inside(...pip, `${wheel.url}#sha256=${wheel.sha256}`)
    })

    test('installs this version, whole: pip finds nothing missing and every file is as its record says', async () => {
      expect(await inside('-m', 'pip', 'check')).toBe('No broken requirements found.')
      const check = `
import base64, hashlib, importlib.metadata as metadata
wheel = metadata.distribution("tollgate-captcha")
for file in wheel.files:
    if file.hash:
        digest = hashlib.new(file.hash.mode, file.locate().read_bytes()).digest()
        assert base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == file.hash.value, file
print(wheel.version, wheel.metadata["Requires-Python"], wheel.requires)`
      expect(await inside('-I', '-c', check)).toBe(`${wheel.version} >=3.9 None`)
    })

    test('a download that was altered is refused', async () => {
      const wrong = `${wheel.url}#sha256=${'0'.repeat(64)}`
      const pip = ['-m', 'pip', '--no-cache-dir', 'install', '--no-index', '--force-reinstall', wrong]
      await expect(inside(...pip)).rejects.toThrow(/do not match the hashes/i)
    })

    test('a program that verifies with the test key passes', async () => {
      writeFileSync(
        join(folder, 'use.py'),
        `import sys
import tollgate
url, *solved = sys.argv[1:]
client = tollgate.Tollgate(url=url, **tollgate.TEST_KEYS["pass"])
page = {"action": "signup", "hostname": "${HOSTNAME}"}
if solved:
    client.verify(intent_id=solved[0], response=solved[1], idempotency_key=tollgate.create_idempotency_key(), **page)
    print("passed")
else:
    print(client.create_intent(nonce=tollgate.create_nonce(), **page).intent_id)
`,
      )
      const intentId = await inside('use.py', server.url)
      expect(await inside('use.py', server.url, intentId, await solve(intentId))).toBe('passed')
    })

    test('has the files and the metadata that setuptools gives it', async (context) => {
      const probe = 'import setuptools, wheel; assert int(setuptools.__version__.split(".")[0]) >= 61'
      // Debian's own has them where the first in PATH has not
      const builder = [python ?? 'python3', '/usr/bin/python3'].find(
        (command) => spawnSync(command, ['-c', probe]).status === 0,
      )
      if (builder === undefined && !process.env['CI']) context.skip('there is no setuptools with wheel')
      const project = join(folder, 'project')
      cpSync('sdk/python', project, { recursive: true, filter: (path) => !/tests$|__pycache__|egg-info/.test(path) })
      cpSync('LICENSE', join(project, 'LICENSE'))
      const script = `from setuptools import build_meta; build_meta.build_wheel('dist')`
      await run(builder ?? 'python3', ['-c', script], { cwd: project })
      const [theirs, ours] = [join(project, 'dist', wheel.file), join('dist/sdk', wheel.file)].map((path) =>
        unzipSync(readFileSync(path)),
      )
      // newer versions of setuptools have a folder for licences
      const name = (path: string) => path.replace('.dist-info/licenses/', '.dist-info/')
      expect(Object.keys(ours ?? {}).toSorted()).toEqual(
        Object.keys(theirs ?? {})
          .map(name)
          .toSorted(),
      )
      const metadata = (files: Record<string, Uint8Array> | undefined) => {
        const path = Object.keys(files ?? {}).find((file) => file.endsWith('/METADATA')) ?? ''
        const [fields = '', ...body] = Buffer.from(files?.[path] ?? [])
          .toString()
          .replaceAll('\r\n', '\n')
          .split('\n\n')
        // which version of the format, and what that adds, is the tool's
        const own = fields.split('\n').filter((line) => !/^(Metadata-Version|Dynamic): /.test(line))
        return { fields: own.toSorted(), body: body.join('\n\n').trim() }
      }
      expect(metadata(ours)).toEqual(metadata(theirs))
      expect(metadata(ours).fields.length).toBeGreaterThan(10)
      const code = (files: Record<string, Uint8Array> | undefined) =>
        Object.entries(files ?? {}).flatMap(([path, content]) =>
          path.startsWith('tollgate/') ? [[path, Buffer.from(content).toString()]] : [],
        )
      expect(code(ours).length).toBeGreaterThan(10)
      expect(new Map(code(ours) as [string, string][])).toEqual(new Map(code(theirs) as [string, string][]))
    })
  },
)

const hasComposer = spawnSync('composer', ['--version']).status === 0

// a machine without PHP builds and serves the archive; CI has to have it and Composer
describe.skipIf((php === undefined || !hasComposer) && !process.env['CI'])(
  'composer require, without Packagist',
  () => {
    let project: string
    const composer = (...args: string[]) =>
      run('composer', ['--no-interaction', '--no-plugins', ...args], {
        cwd: project,
        env: { ...process.env, COMPOSER_HOME: join(folder, 'composer'), COMPOSER_ALLOW_SUPERUSER: '1' },
      })

    beforeAll(async () => {
      project = join(folder, 'php')
      mkdirSync(project)
      writeFileSync(join(project, 'composer.json'), '{ "repositories": [{ "packagist.org": false }] }')
      for (const command of archive.install.split(' && ')) {
        const [program, ...args] = command.split(' ')
        expect(program).toBe('composer')
        await composer(...args)
      }
    })

    test('writes address and hash into the lockfile, and can be repeated from it', async () => {
      const lock = JSON.parse(readFileSync(join(project, 'composer.lock'), 'utf8')) as { packages: unknown[] }
      const sha1 = createHash('sha1')
        .update(await download(archive.url))
        .digest('hex')
      expect(lock.packages).toMatchObject([
        { name: 'tollgate/tollgate', version: archive.version, dist: { type: 'zip', url: archive.url, shasum: sha1 } },
      ])
      rmSync(join(project, 'vendor'), { recursive: true })
      await composer('install')
      const installed = readdirSync(join(project, 'vendor/tollgate/tollgate')).toSorted()
      expect(installed).toEqual(['LICENSE', 'README.md', 'autoload.php', 'composer.json', 'src'])
    })

    test('a download that was altered is refused', async () => {
      const path = join(project, 'composer.lock')
      const lock = readFileSync(path, 'utf8')
      writeFileSync(path, lock.replace(/"shasum": "\w+"/, `"shasum": "${'0'.repeat(40)}"`))
      rmSync(join(project, 'vendor'), { recursive: true })
      await expect(composer('install', '--no-cache')).rejects.toThrow(/checksum verification of the file failed/i)
      writeFileSync(path, lock)
      await composer('install')
    })

    test('the program of the quick start for PHP takes a form once it is verified, and explains failures', async () => {
      const code = block('docs/quick-start.md', 'php\n<?php // index.php')
      await expectProgram(
        (changed, port) => {
          writeFileSync(join(project, 'index.php'), changed)
          const args = ['-S', `localhost:${port}`, 'index.php']
          return spawn(php ?? 'php', args, { cwd: project, stdio: STDERR })
        },
        code,
        "TestKeys::get('pass')",
        (json) => `json_decode('${json}', true)`,
      )
    })

    test('the archive works without Composer', async () => {
      const unpacked = join(folder, 'unpacked')
      for (const [path, content] of Object.entries(unzipSync(await download(archive.url)))) {
        mkdirSync(join(unpacked, path, '..'), { recursive: true })
        writeFileSync(join(unpacked, path), content)
      }
      const code = `require 'tollgate/autoload.php';
      $client = new Tollgate\\Tollgate('${server.url}', ...Tollgate\\TestKeys::get('pass'));
      $intent = $client->createIntent('signup', Tollgate\\Random::createNonce(), '${HOSTNAME}');
      $token = Tollgate\\Testing::solve('${server.url}', $intent);
      $key = Tollgate\\Random::createIdempotencyKey();
      echo $client->verify($token, $intent->intentId, 'signup', '${HOSTNAME}', $key)->assessment;`
      expect((await run(php ?? 'php', ['-r', code], { cwd: unpacked })).stdout).toBe('passed')
    })
  },
)
