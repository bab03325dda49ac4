import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ensureBrowser } from '../../../scripts/browser.mjs'
import { findPython } from '../../../scripts/python.mjs'
import { openTestApp, type TestApp } from '../../../server/testing/app.ts'
import { makeSite } from '../../../server/testing/make.ts'
import { loadAdapter } from '../adapter.ts'
import { failedChecks, writeReport } from '../report.ts'
import { accept, type Options } from '../run.ts'

// each merchant is a process of its own, and an outage costs each of them its time-outs
const LIMIT_MS = 300_000

let app: TestApp
let options: Options & { browser: NonNullable<Options['browser']> }
beforeAll(async () => {
  process.env['ACCEPT_DATABASE_URL'] = inject('cluster')
  process.env['PYTHON'] = findPython() ?? ''
  app = await openTestApp({ TEST_KEYS: 'on' })
  const { sitekey, secret } = await makeSite(app.ctx, { hostnames: ['localhost'], quota: 100_000 })
  const executablePath = await ensureBrowser()
  const browser = await chromium.launch({
    args: ['--no-sandbox', '--disable-gpu'],
    ...(executablePath && { executablePath }),
  })
  options = { target: app.url, keys: { sitekey, secret }, browser }
})
afterAll(async () => {
  await options.browser.close()
  await app.close()
})

const MERCHANTS = ['shop', 'express', 'fastify', 'next']
const PYTHON_MERCHANTS = ['shopPython', 'flask', 'django']

async function expectAccepted(file: string): Promise<void> {
  const adapter = await loadAdapter(`${import.meta.dirname}/${file}.ts`)
  const before = await decisions()
  const results = await accept(adapter, options)
  const report = writeReport(adapter.name, results)
  // the report belongs into CI's log
  process.stdout.write(`\n${report}\n`)
  expect(failedChecks(results)).toEqual([])
  expect(results.filter(({ outcome }) => outcome === 'skipped')).toHaveLength(1)
  expect((await decisions()) - before).toBeGreaterThan(0)
}

async function decisions(): Promise<number> {
  const { rows } = await app.sql.query<{ n: number }>('select count(*)::int as n from decision')
  return rows[0]?.n ?? 0
}

test.each(MERCHANTS)('%s passes the six acceptance checks', { timeout: LIMIT_MS }, expectAccepted)

test.runIf(findPython()).each(PYTHON_MERCHANTS)(
  '%s passes the six acceptance checks',
  { timeout: LIMIT_MS },
  expectAccepted,
)
