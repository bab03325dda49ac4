import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ensureBrowser } from '../../scripts/browser.mjs'
import { findPhp } from '../../scripts/php.mjs'
import { findFrameworkPython, findPython } from '../../scripts/python.mjs'
import type * as examples from '../../sdk/kit/adapters/examples.ts'
import type { Result } from '../../sdk/kit/check.ts'
import { aboutMerchant, failedChecks, writeReport } from '../../sdk/kit/report.ts'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { makeSite } from '../../test/support/make.ts'

type Report = { merchant: string; results: Result[] }

// CI installs all of it, so there a missing Python, PHP or framework fails
const isCi = process.env['CI'] !== undefined
const hasFrameworks = isCi || findFrameworkPython() !== undefined
const php = findPhp(['pdo_sqlite'])
const MERCHANTS: [name: keyof typeof examples, runs: boolean][] = [
  ['shop', true],
  ['express', true],
  ['fastify', true],
  ['next', true],
  ['flask', hasFrameworks],
  ['django', hasFrameworks],
  // its rows are counted with Python
  ['php', isCi || (php !== undefined && findPython() !== undefined)],
]
const LIMIT_MS = 600_000

let app: TestApp
let env: NodeJS.ProcessEnv
beforeAll(async () => {
  app = await openTestApp({ TEST_KEYS: 'on' })
  env = {
    ...process.env,
    ACCEPT_DATABASE_URL: inject('cluster'),
    CHROMIUM: await ensureBrowser(),
    PYTHON: findPython(),
    ...(php === undefined ? {} : { PHP: php }),
  }
})
afterAll(() => app.close())

/** As `npm run accept -- --json`: in a process of its own, where the kit's searches keep no other merchant's relay waiting. */
async function accept(name: string, sitekey: string, secret: string): Promise<Report> {
  const options = ['--adapter', `sdk/kit/adapters/examples.ts#${name}`, '--tollgate', app.url, '--sitekey', sitekey]
  const program = ['--import', 'tsx', 'sdk/kit/main.ts', 'accept', ...options, '--json']
  const child = promisify(execFile)(process.execPath, program, {
    env: { ...env, TOLLGATE_SECRET: secret },
    timeout: LIMIT_MS - 10_000,
    maxBuffer: 1e7,
  })
  // the report says what failed; without one, the error does
  const { stdout } = await child.catch((error: { stdout: string }) => {
    if (!error.stdout) throw error
    return error
  })
  return JSON.parse(stdout) as Report
}

/** What the service has decided for a tenant, and what it has charged for that. */
async function booksOf(tenantId: string) {
  const { rows } = await app.sql.query<{ decisions: number; charged: number }>(
    `select (select count(*)::int from decision where tenant_id = $1) as decisions,
            (select coalesce(sum(used), 0)::int from quota_period where tenant_id = $1) as charged`,
    [tenantId],
  )
  return rows[0]
}

// each merchant is a process of its own with a database of its own; what it waits for, it waits for beside the others
for (const [name, runs] of MERCHANTS)
  test(`${name} passes the six acceptance checks`, { concurrent: true, timeout: LIMIT_MS }, async ({ skip }) => {
    if (!runs) skip('its language or its framework is not installed')
    const { tenantId, sitekey, secret } = await makeSite(app.ctx, { hostnames: ['localhost'], quota: 100_000 })
    const { merchant, results } = await accept(name, sitekey, secret)
    const report = writeReport(aboutMerchant(merchant), results)
    // the report belongs into CI's log
    process.stdout.write(`\n${report}\n`)
    expect({ failed: failedChecks(results), report }).toEqual({ failed: [], report })
    expect({ unclear: results.filter(({ outcome }) => outcome === 'unclear'), report }).toEqual({ unclear: [], report })
    expect(results.filter(({ outcome }) => outcome === 'skipped').map(({ name }) => name)).toEqual([
      'submit a real token 301 seconds after the form was opened',
    ])
    const books = await booksOf(tenantId)
    expect(books?.decisions).toBeGreaterThan(10)
    expect(books?.charged).toBe(books?.decisions)
  })
