import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { testKeys } from '@tollgate/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LANGUAGES, type Language } from '../../server/contract/languages.ts'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { solvePuzzles } from '../../test/support/solver.ts'
import { backendSnippets, type Facts, QUICK_STARTS } from './siteSnippets.ts'

const run = promisify(execFile)
const { sitekey, secret } = testKeys.pass
let app: TestApp
let facts: Facts

beforeAll(async () => {
  app = await openTestApp()
  facts = { origin: app.url, hostname: 'localhost', sitekey }
})
afterAll(() => app.close())

async function earn(intentId: unknown): Promise<string> {
  const from = { origin: 'http://localhost' }
  const { body } = await app.client.challenge(testKeys.pass, intentId, from)
  const solution = solvePuzzles(body as { seed: string; count: number; target: number })
  const fields = { intent_id: intentId, challenge: body['challenge'], solution }
  return String((await app.client.solve(testKeys.pass, fields, from)).body['response'])
}

test.each([
  ['node', 'sdk/node/examples/attempts.ts', 'createIntent', 'tollgate.verify'],
  ['python', 'sdk/python/examples/flask_app.py', 'create_intent', 'tollgate.verify'],
  ['php', 'sdk/php/examples/signup.php', 'createIntent', '$tollgate->verify'],
] as const)(
  'the %s snippets are parts of the example that the acceptance kit runs',
  (language, file, opens, redeems) => {
    const { open, redeem } = backendSnippets(language, facts)
    const example = readFileSync(file, 'utf8')
    // it begins with the site's facts
    expect(example).toContain(open.slice(-1_000))
    expect(example).toContain(redeem)
    expect(open).toContain(opens)
    expect(redeem).toContain(redeems)
  },
)

test.each([
  ['node', 'sdk/node/examples/server.mjs', 2, 3],
  ['python', 'sdk/python/examples/app.py', 4, 2],
  ['php', 'sdk/php/examples/index.php', 4, 3],
] as const)(
  'the short %s program is that of the quick start, with the keys of the environment and the hostname for production',
  (language, file, added, removed) => {
    const program = QUICK_STARTS[language].program('shop.example')
    const [lines, quoted] = [program, readFileSync(file, 'utf8')].map((text) => text.trim().split('\n')) as [
      string[],
      string[],
    ]
    const without = (from: string[], others: string[]) => from.filter((line) => !others.includes(line))
    expect([without(lines, quoted).length, without(quoted, lines).length]).toEqual([added, removed])
    for (const name of ['TOLLGATE_URL', 'TOLLGATE_SITEKEY', 'TOLLGATE_SECRET']) expect(program).toContain(name)
    expect(program).not.toMatch(/test_?keys|localhost:3000/i)
    expect(program).toContain("in production 'shop.example'\n")
    expect(QUICK_STARTS[language].program('localhost')).not.toContain('in production')
  },
)

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
