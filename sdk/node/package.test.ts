import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { makeKey } from '../../test/support/manage.ts'
import { makeOwnedTenant } from '../../test/support/tenant.ts'
import { readVectors } from '../testing/vectors.ts'
import { testKeys } from './src/testKeys.ts'

// The package as a merchant would use it: packed, and installed into an empty project without a network.

const run = promisify(execFile)
const README = readFileSync('sdk/node/README.md', 'utf8')

let folder: string
let packed: string[]

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tollgate-sdk-')))
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await run('npm', pack, { cwd: 'sdk/node' })
  const [archive] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[]
  packed = archive?.files.map(({ path }) => path) ?? []
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  await run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', `./${archive?.filename}`], {
    cwd: folder,
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a program of the merchant's. Rejects where it fails. */
async function start(name: string, code: string, flags: string[] = []): Promise<string> {
  writeFileSync(join(folder, name), code)
  return (await run(process.execPath, [...flags, name], { cwd: folder })).stdout
}

test('the package contains only what is used', () => {
  const modules = readdirSync('sdk/node/src')
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
  // the modules of the command line are not in the CommonJS part
  const ofLibrary = readdirSync('sdk/node/dist/cjs').flatMap((file) => /^(\w+)\.js$/.exec(file)?.[1] ?? [])
  expect(ofLibrary).not.toContain('yaml')
  const built = Object.entries({ esm: modules, cjs: ofLibrary }).flatMap(([format, names]) =>
    names.flatMap((name) => [`dist/${format}/${name}.js`, `dist/${format}/${name}.d.ts`]),
  )
  const others = ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'browser.js', 'dist/cjs/package.json']
  expect(packed.toSorted()).toEqual([...built, ...others].toSorted())
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@tollgate'])
  const { version } = JSON.parse(readFileSync('sdk/node/package.json', 'utf8')) as { version: string }
  expect(readFileSync('sdk/node/dist/cjs/send.js', 'utf8')).toContain(`'tollgate-node/${version}'`)
  expect(readFileSync('sdk/node/CHANGELOG.md', 'utf8')).toContain(`## ${version}\n`)
})

describe('a program that uses it', () => {
  const use = `
    const client = new Tollgate({ url: 'https://tollgate.example', ...testKeys.pass })
    client.verify({}).catch((error) =>
      console.log(error instanceof RefusedError, error instanceof TollgateError, error.name, error.field))`
  const said = 'true true RefusedError response\n'
  const names = 'RefusedError, testKeys, Tollgate, TollgateError'

  test('may be an ES module', async () => {
    expect(await start('use.mjs', `import { ${names} } from '@tollgate/node'${use}`)).toBe(said)
  })

  test('may be CommonJS', async () => {
    expect(await start('use.cjs', `const { ${names} } = require('@tollgate/node')${use}`)).toBe(said)
  })

  test.each(['use.mjs', 'use.cjs'])('is not bundled for a browser: %s', async (name) => {
    const code = `import('@tollgate/node').catch((error) => console.log(error.message))`
    expect(await start(`browser-${name}`, code, ['--conditions=browser'])).toContain('it belongs into your backend')
  })
})

test.each(['mts', 'cts'])(
  'its types are found and strict in a .%s file, without those of a browser',
  async (extension) => {
    const file = `consumer.${extension}`
    writeFileSync(
      join(folder, file),
      `import { createNonce, type Decision, hashSession, RefusedError, renderWidget, testKeys, Tollgate, TollgateError } from '@tollgate/node'

const client: Tollgate = new Tollgate({ url: 'https://tollgate.example', ...testKeys.pass, timeout: 1_000 })

export async function use(session: string | undefined, signal: AbortSignal): Promise<string> {
  const binding = { action: 'checkout', hostname: 'shop.example' }
  const { intentId, expiresAt } = await client.createIntent({ ...binding, nonce: createNonce(), session }, { signal })
  const ends: number = expiresAt
  try {
    const decision: Decision = await client.verify({ ...binding, intentId, response: 'tgr_x', idempotencyKey: 'x' })
    const passed: 'passed' = decision.assessment
    await client.feedback({ decisionId: passed, eventId: 'x', outcome: 'unknown', businessType: 'x', occurredAt: new Date() })
    await client.revokeGrant({ session: hashSession('x', 'x') })
  } catch (error) {
    if (error instanceof RefusedError) return error.requestId ?? ''
    if (error instanceof TollgateError && error.retryable) return String(error.retryAfter)
  }
  // @ts-expect-error the nonce is missing
  await client.createIntent(binding)
  // @ts-expect-error a grant or a session, not both
  await client.revokeGrant({ grantId: 'x', session: 'x' })
  // @ts-expect-error no such theme
  return renderWidget({ url: '', sitekey: '', intentId, theme: 'blue' }) + ends
}
`,
    )
    mkdirSync(join(folder, extension), { recursive: true })
    const config = {
      compilerOptions: {
        strict: true,
        exactOptionalPropertyTypes: true,
        module: 'nodenext',
        target: 'es2022',
        lib: ['es2022'],
        types: ['node'],
        typeRoots: [resolve('node_modules/@types')],
        noEmit: true,
      },
      files: [`../${file}`],
    }
    writeFileSync(join(folder, extension, 'tsconfig.json'), JSON.stringify(config))
    const { stdout } = await run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', extension], {
      cwd: folder,
    })
    expect(stdout).toBe('')
  },
)

describe('its README', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await openTestApp()
  })
  afterAll(() => app.close())

  test('its command checks an integration: exit code 0, 1 with errors, 2 for unusable options', async () => {
    const bin = join(folder, 'node_modules/.bin/tollgate')
    const command = async (args: string[], secret: string = testKeys.pass.secret) =>
      run(bin, args, {
        cwd: folder,
        env: { PATH: process.env['PATH'], TOLLGATE_URL: app.url, TOLLGATE_SECRET: secret },
      })
        .then(({ stdout }) => ({ code: 0, stdout, stderr: '' }))
        .catch((failure: { code: number; stdout: string; stderr: string }) => failure)
    const doctor = ['doctor', '--hostname', 'shop.example', '--json']
    const { code, stdout } = await command(doctor)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      checks: expect.arrayContaining(
        [{ check: 'secret', status: 'ok' }].map((check) => expect.objectContaining(check)),
      ),
    })
    const refused = await command(['doctor'], `${testKeys.pass.secret.slice(0, 20)}1${testKeys.pass.secret.slice(21)}`)
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('`secret` is mistyped')
    const other = await command([...doctor, '--sitekey', testKeys.hard.sitekey])
    expect(other.code).toBe(1)
    expect(JSON.parse(other.stdout)).toMatchObject({ ok: false })
    expect((await command(['docter'])).code).toBe(2)
  })

  test('the command exports the state of a tenant as a file, and finds nothing to change in it', async () => {
    const { tenant, owner } = await makeOwnedTenant(app)
    const { key } = await makeKey(app, { tenantId: tenant.id, createdBy: owner.userId })
    const bin = join(folder, 'node_modules/.bin/tollgate')
    const env = { PATH: process.env['PATH'], TOLLGATE_URL: app.url, TOLLGATE_KEY: key }
    const file = join(folder, 'tollgate.yaml')
    writeFileSync(file, 'version: 1\nsites: { shop: { name: Shop, hostnames: [shop.example] } }\n')
    await run(bin, ['apply', 'tollgate.yaml'], { cwd: folder, env })
    writeFileSync(file, (await run(bin, ['export'], { cwd: folder, env })).stdout)
    expect(readFileSync(file, 'utf8')).toContain('base_work: 1048576')
    const again = await run(bin, ['apply', 'tollgate.yaml', '--plan', '--prune'], { cwd: folder, env })
    expect(again.stdout).toBe('No changes.\n')
    await expect(run(bin, ['apply'], { cwd: folder, env })).rejects.toMatchObject({ code: 1 })
  })

  test('its table lists every error', () => {
    const rows = [...README.matchAll(/^\| `(\w+Error)` \| (.+?) \|/gm)].flatMap(([, name, codes = '']) =>
      [...codes.matchAll(/`([a-z-]+)`/g)].map(([, code]) => `${name} ${code}`),
    )
    expect(rows.toSorted()).toEqual(
      readVectors('errors')
        .map((kind) => `${kind.class} ${kind.code}`)
        .toSorted(),
    )
  })
})
