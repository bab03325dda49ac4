import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ensureBrowser } from '../../scripts/browser.mjs'
import { findFrameworkPython, findPython } from '../../scripts/python.mjs'
import type { Result } from '../../sdk/acceptance/probe.ts'
import { failedChecks, writeReport } from '../../sdk/acceptance/report.ts'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { makeSite } from '../../test/support/make.ts'

type Report = { merchant: string; results: Result[] }

// CI installs all of it, so there a missing Python or framework fails
const isCi = process.env['CI'] !== undefined
const MERCHANTS: [file: string, runs: boolean][] = [
  ['shop', true],
  ['express', true],
  ['fastify', true],
  ['next', true],
  ['guideCheckout', true],
  ['guideWithoutSdk', true],
  ['shopPython', isCi || findPython() !== undefined],
  ['flask', isCi || findFrameworkPython() !== undefined],
  ['django', isCi || findFrameworkPython() !== undefined],
  ['guidePython', isCi || findFrameworkPython() !== undefined],
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
  }
})
afterAll(() => app.close())

/** As `npm run accept -- --json`: in a process of its own, where the kit's searches keep no other merchant's relay waiting. */
async function accept(file: string, sitekey: string, secret: string): Promise<Report> {
  const options = ['--adapter', `${import.meta.dirname}/${file}.ts`, '--tollgate', app.url, '--sitekey', sitekey]
  const program = ['--import', 'tsx', 'sdk/acceptance/main.ts', ...options, '--json']
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
for (const [file, runs] of MERCHANTS)
  test.runIf(runs)(`${file} passes the six acceptance checks`, { concurrent: true, timeout: LIMIT_MS }, async () => {
    const { tenantId, sitekey, secret } = await makeSite(app.ctx, { hostnames: ['localhost'], quota: 100_000 })
    const { merchant, results } = await accept(file, sitekey, secret)
    const report = writeReport(merchant, results)
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
