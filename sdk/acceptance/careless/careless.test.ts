import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureBrowser } from '../../../scripts/browser.mjs'
import { openTestApp, type TestApp } from '../../../server/testing/app.ts'
import { makeSite } from '../../../server/testing/make.ts'
import type { Keys } from '../keys.ts'
import { failedChecks, writeReport } from '../report.ts'
import { accept } from '../run.ts'
import { type Carelessness, startMerchant } from './merchant.ts'

let app: TestApp
let keys: Keys
let browser: Browser
beforeAll(async () => {
  app = await openTestApp({ TEST_KEYS: 'on' })
  const { sitekey, secret } = await makeSite(app.ctx, { hostnames: ['localhost'], quota: 100_000 })
  keys = { sitekey, secret }
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

async function judge(careless?: Carelessness) {
  const name = careless ?? 'a careful merchant'
  const results = await accept(
    { name, start: (settings) => startMerchant(settings, careless) },
    // the browser's probes concern one kind of carelessness, and cost more than all others
    { target: app.url, keys, browser: careless === undefined || careless === 'trusts-callback' ? browser : undefined },
  )
  return { results, failed: failedChecks(results), report: writeReport(name, results) }
}

test('a merchant that keeps every duty passes every probe', { timeout: 300_000 }, async () => {
  const { results, report, failed } = await judge()
  // with the report, so that a failure shows it
  expect({ failed, report }).toEqual({ failed: [], report })
  expect(results.filter(({ outcome }) => outcome === 'skipped').map(({ name }) => name)).toEqual([
    'submit a real token 301 seconds after the form was opened',
  ])
  for (const check of [1, 2, 3, 4, 5, 6]) expect(report).toContain(`\n${check}. `)
})

test.concurrent.each<[Carelessness, number[], RegExp]>([
  ['trusts-callback', [1], /call the component’s callback/],
  ['takes-expired', [1], /expired \(test key TESTexpired\)/],
  // it takes every token for good, so also those of others
  ['trusts-presence', [1, 2], /one character changed/],
  ['takes-intent-of-form', [2], /choose the intent by the form/],
  ['forgets-session', [2], /in the session of another visitor/],
  ['takes-host-header', [2], /forged Host/],
  ['draws-key-anew', [3], /cut off after the redemption/],
  ['derives-key', [3], /made of the intent’s id/],
  ['executes-twice', [3], /ten times at once/],
  ['answers-old-success', [4], /after success: send the same form with other content/],
  ['overwrites-content', [4], /after a failure of the service: send the same form with other content/],
  ['fails-open', [5], /answers 402 quota-exceeded/],
  ['takes-any-200', [5], /answers 200 with success false/],
  ['says-nothing', [5], /no message/],
  ['logs-form', [6], /for the token/],
  ['logs-secret', [6], /for the secret key/],
  ['logs-cookie', [6], /for the session/],
  ['token-in-address', [6], /an address carries a token/],
  ['may-be-cached', [6], /no-store/],
])('a merchant that %s fails check %j', { timeout: 300_000 }, async (careless, checks, named) => {
  const { failed, report } = await judge(careless)
  expect({ failed, report }).toEqual({ failed: checks, report })
  expect(report.slice(report.indexOf('FAILED '))).toMatch(named)
  expect(report).not.toContain(keys.secret)
})
