import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { testKeys } from '@tollgate/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { solvePuzzles } from '../../test/support/solver.ts'
import { backendSnippets, type Facts, LANGUAGES, type Language } from './siteSnippets.ts'

// Runs the snippets exactly as the console shows them, in a folder outside the project.

const run = promisify(execFile)
const { sitekey, secret } = testKeys.pass
const folder = mkdtempSync(join(tmpdir(), 'tollgate-snippets-'))
const session = 'a'.repeat(64)
let app: TestApp
let facts: Facts

beforeAll(async () => {
  app = await openTestApp()
  facts = { origin: app.url, hostname: 'localhost', sitekey }
  mkdirSync(join(folder, 'node_modules/@tollgate'), { recursive: true })
  symlinkSync(resolve('sdk/node'), join(folder, 'node_modules/@tollgate/node'), 'junction')
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await app.close()
})

/** The program in a language: both backend snippets, one after the other. */
const program = (language: Language) => {
  const { open, redeem } = backendSnippets(language, facts)
  return `${open}\n\n\n${redeem}\n`
}

async function earn(intentId: unknown): Promise<string> {
  const from = { origin: 'http://localhost' }
  const { body } = await app.client.challenge(testKeys.pass, intentId, from)
  const solution = solvePuzzles(body as { seed: string; count: number; target: number })
  const fields = { intent_id: intentId, challenge: body['challenge'], solution }
  return String((await app.client.solve(testKeys.pass, fields, from)).body['response'])
}

/** The value of an expression that imports the Node program, evaluated in a separate process. */
async function evaluate(expression: string): Promise<unknown> {
  writeFileSync(join(folder, 'signup.mjs'), program('node'))
  writeFileSync(
    join(folder, 'run.mjs'),
    `import { env } from 'node:process'
    import { openForm, submit } from './signup.mjs'
    const { default: pg } = await import(env.DRIVER)
    const db = new pg.Pool({ connectionString: env.DATABASE })
    console.log(JSON.stringify(await ${expression}))
    await db.end()`,
  )
  const env = {
    TOLLGATE_SECRET: secret,
    DRIVER: pathToFileURL(createRequire(import.meta.url).resolve('pg')).href,
    DATABASE: app.ownerDatabaseUrl,
  }
  const { stdout } = await run(process.execPath, ['run.mjs'], { cwd: folder, env })
  return JSON.parse(stdout)
}

test('the Node snippets accept a form once, refuse a changed form, and throw if the verification fails', async () => {
  await app.sql.query(backendSnippets('node', facts).tables ?? '')
  type Form = { attempt: string; intentId: string }
  const show = () => evaluate(`openForm(db, '${session}')`) as Promise<Form>
  const submit = (...submissions: object[]) => {
    const sent = submissions.map((each) => `submit(db, '${session}', ${JSON.stringify(each)})`)
    return evaluate(`Promise.all([${sent.join(', ')}].map((sent) => sent.catch(({ code }) => code)))`)
  }
  const { attempt, intentId } = await show()
  // both now, because a redeemed intent gets no more challenges
  const [token, otherToken] = [await earn(intentId), await earn(intentId)]
  const said = { attempt, payload: { email: 'ada@example.com' }, token }
  expect(await submit({ ...said, token: '' }, { ...said, payload: null })).toEqual(['incomplete', 'incomplete'])
  expect(await submit({ ...said, attempt: 'x' }, { ...said, attempt: undefined })).toEqual(['foreign', 'foreign'])
  expect(await evaluate(`submit(db, '${'b'.repeat(64)}', ${JSON.stringify(said)})`)).toBe('foreign')
  expect(await submit(said, said, said)).toEqual(['done', 'done', 'done'])
  const changes = [
    { ...said, payload: { email: 'eve@example.com' } },
    { ...said, payload: null },
    { ...said, token: otherToken },
  ]
  expect(await submit(...changes)).toEqual(['changed', 'changed', 'changed'])
  expect(await submit(said)).toEqual(['done'])

  const other = await show()
  expect(await submit({ ...said, attempt: other.attempt })).toEqual(['response-invalid'])
  const { rows } = await app.sql.query('select attempt_id, payload from orders')
  expect(rows).toEqual([{ attempt_id: attempt, payload: said.payload }])
})

const python = process.env['PYTHON'] ?? 'python3'
const hasPython = spawnSync(python, ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0

test.skipIf(!hasPython)('the Python snippets load with the SDK', async () => {
  writeFileSync(join(folder, 'signup.py'), program('python'))
  const env = { ...process.env, PYTHONPATH: resolve('sdk/python/src'), TOLLGATE_SECRET: secret }
  const check = 'import signup; print(callable(signup.open_form), callable(signup.submit), signup.tollgate is not None)'
  const { stdout } = await run(python, ['-c', check], { cwd: folder, env })
  expect(stdout.trim()).toBe('True True True')
})

test('the tables are those of the guide, and both languages return what it calls the results', () => {
  const guide = readFileSync('docs/backend.md', 'utf8')
  for (const language of ['node', 'python'] as const) {
    const { tables = '', redeem } = backendSnippets(language, facts)
    expect(guide).toContain(tables)
    for (const result of ['foreign', 'incomplete', 'changed']) {
      expect(redeem).toMatch(new RegExp(`return ['"]${result}['"]`))
      expect(guide).toContain(`return { ok: false, code: '${result}'`)
      expect(guide).toContain(`return "${result}"`)
    }
  }
})

const has = (program: string) => spawnSync(program, ['--version']).error === undefined

test.skipIf(!['bash', 'curl', 'openssl'].every(has))(
  'the curl snippets can be run again with the same result',
  async () => {
    const { open, redeem } = backendSnippets('curl', facts)
    const env = { ...process.env, TOLLGATE_SECRET: secret }
    const shell = async (script: string) => {
      const { stdout } = await run('bash', ['-c', script], { env })
      return stdout.match(/\{"[^}]*\}/g) ?? []
    }
    const call = open.slice(open.indexOf('curl '))
    const [intent = '', again] = await shell(`${open}\n${call}`)
    expect(again).toBe(intent)
    const { intent_id } = JSON.parse(intent) as { intent_id: string }
    const filled = `IDEMPOTENCY_KEY=${'k'.repeat(16)}\n${redeem}`
      .replace('INTENT_ID=…', `INTENT_ID=${intent_id}`)
      .replace('TOKEN=…', `TOKEN=${await earn(intent_id)}`)
    const [decision = '', repeated] = await shell(`${filled}\n${redeem.slice(redeem.indexOf('curl '))}`)
    expect(JSON.parse(decision)).toMatchObject({ success: true, intent_id })
    expect(repeated).toBe(decision)
  },
)

test.each(Object.keys(LANGUAGES) as Language[])('the %s snippets create a random idempotency key', (language) => {
  const { open, redeem } = backendSnippets(language, facts)
  expect(open).toMatch(/IDEMPOTENCY_KEY=\$\(openssl rand|createIdempotencyKey\(\)|create_idempotency_key\(\)/)
  expect(redeem).not.toMatch(/idempotency_?key["']?\s*[:=]\s*["']?\$?(?:INTENT_ID|intent_?id)/i)
})
