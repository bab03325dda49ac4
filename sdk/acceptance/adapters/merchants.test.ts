import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ensureBrowser } from '../../../scripts/browser.mjs'
import { findFrameworkPython, findPython } from '../../../scripts/python.mjs'
import { openTestApp, type TestApp } from '../../../test/support/app.ts'
import { makeSite } from '../../../test/support/make.ts'
import { loadAdapter } from '../adapter.ts'
import { failedChecks, writeReport } from '../report.ts'
import { accept } from '../run.ts'

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
let browser: Browser
beforeAll(async () => {
  process.env['ACCEPT_DATABASE_URL'] = inject('cluster')
  app = await openTestApp({ TEST_KEYS: 'on' })
  const executablePath = await ensureBrowser()
  browser = await chromium.launch({
    args: ['--no-sandbox', '--disable-gpu'],
    ...(executablePath && { executablePath }),
  })
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

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
    const adapter = await loadAdapter(`${import.meta.dirname}/${file}.ts`)
    const results = await accept(adapter, { target: app.url, keys: { sitekey, secret }, browser })
    const report = writeReport(adapter.name, results)
    // the report belongs into CI's log
    process.stdout.write(`\n${report}\n`)
    expect({ failed: failedChecks(results), report }).toEqual({ failed: [], report })
    expect(results.filter(({ outcome }) => outcome === 'unclear')).toEqual([])
    expect(results.filter(({ outcome }) => outcome === 'skipped').map(({ name }) => name)).toEqual([
      'submit a real token 301 seconds after the form was opened',
    ])
    const books = await booksOf(tenantId)
    expect(books?.decisions).toBeGreaterThan(10)
    expect(books?.charged).toBe(books?.decisions)
  })
