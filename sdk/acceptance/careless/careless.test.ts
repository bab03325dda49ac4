import { readFileSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureBrowser } from '../../../scripts/browser.mjs'
import { openTestApp, type TestApp } from '../../../test/support/app.ts'
import { makeSite } from '../../../test/support/make.ts'
import type { Keys } from '../keys.ts'
import type { CheckNumber } from '../probe.ts'
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

const IN_BROWSER = new Set<Carelessness>(['trusts-callback', 'answers-old-success'])

async function judge(
  careless?: Carelessness,
  { only, name = careless ?? 'a careful merchant' }: { only?: readonly CheckNumber[]; name?: string } = {},
) {
  const results = await accept(
    { name, start: (settings) => startMerchant(settings, careless) },
    {
      target: app.url,
      keys,
      // browser probes are the slowest and detect few of these mistakes
      browser: careless === undefined || IN_BROWSER.has(careless) ? browser : undefined,
      ...(only && { only }),
    },
  )
  return { results, failed: failedChecks(results), report: writeReport(name, results) }
}

test('a correct merchant passes every probe', { timeout: 300_000 }, async () => {
  const { results, report, failed } = await judge()
  // with the report, so that a failure shows it
  expect({ failed, report }).toEqual({ failed: [], report })
  expect(results.filter(({ outcome }) => outcome === 'skipped').map(({ name }) => name)).toEqual([
    'submit a real token 301 seconds after the form was opened',
  ])
  for (const check of [1, 2, 3, 4, 5, 6]) expect(report).toContain(`\n${check}. `)
})

test('the reports in the guide match real ones', { timeout: 300_000 }, async () => {
  const guide = readFileSync('docs/going-live.md', 'utf8')
  const shown = [...guide.matchAll(/^```text\n([^]*?)^```$/gm)].flatMap(([, block = '']) =>
    / passed, \d+ failed/.test(block) ? [block.trim()] : [],
  )
  const passed = await judge(undefined, { only: [4], name: 'my shop' })
  const failed = await judge('answers-old-success', { only: [4], name: 'my shop' })
  expect(shown).toHaveLength(2)
  expect(passed.report).toBe(shown[0])
  // the guide shows the first failure and the summary of the failing report; how many probes fail depends on races
  const withoutCounts = (text: string) => text.replace(/\d+ (passed|failed)/g, 'N $1')
  for (const part of shown[1]?.split('\n\n') ?? []) expect(withoutCounts(failed.report)).toContain(withoutCounts(part))
})

// each runs the checks that it must fail, after the form itself; the correct one above runs all
test.concurrent.each<[Carelessness, CheckNumber[], RegExp, runs?: CheckNumber[]]>([
  ['trusts-callback', [1], /call the component’s callback/],
  ['takes-expired', [1], /expired \(test key TESTexpired\)/],
  // it accepts every token, so also those of others
  ['trusts-presence', [1, 2], /one character changed/],
  ['takes-intent-of-form', [2], /choose the intent by the form/],
  ['forgets-session', [2], /in the session of another visitor/],
  ['takes-host-header', [2], /forged Host/],
  ['new-key-per-try', [3], /cut off after the redemption/],
  ['derives-key', [3], /made of the intent’s id/],
  ['executes-twice', [3], /ten times at once/],
  ['answers-old-success', [4], /after success: send the same form with other content/],
  ['overwrites-content', [4], /after a failure of the service: send the same form with other content/],
  ['fails-open', [5], /answers 402 quota-exceeded/],
  ['takes-any-200', [5], /answers 200 with success false/],
  ['says-nothing', [5], /no message/],
  ['logs-form', [6], /for the token/],
  // this happens when a token is refused
  ['logs-secret', [6], /for the secret key/, [1, 6]],
  ['logs-cookie', [6], /for the session/],
  ['token-in-address', [6], /an address carries a token/],
  ['may-be-cached', [6], /no-store/],
])('a merchant that %s fails check %j', { timeout: 300_000 }, async (careless, checks, named, runs = checks) => {
  const { failed, report } = await judge(careless, { only: runs })
  expect({ failed, report }).toEqual({ failed: checks, report })
  expect(report.slice(report.indexOf('FAILED ')).replaceAll(/\s+/g, ' ')).toMatch(named)
  expect(report).not.toContain(keys.secret)
})
