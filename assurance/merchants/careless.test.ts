import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMerchant } from '../../sdk/kit/careless/merchant.ts'
import type { Keys } from '../../sdk/kit/keys.ts'
import type { CheckNumber } from '../../sdk/kit/probe.ts'
import { aboutMerchant, failedChecks, writeReport } from '../../sdk/kit/report.ts'
import { accept } from '../../sdk/kit/run.ts'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { launchChromium } from '../../test/support/chromium.ts'
import { makeSite } from '../../test/support/make.ts'

let app: TestApp
let keys: Keys
let browser: Browser
/** The names of all probes, and of those that a wrong merchant failed. */
let probes: string[] = []
const caught = new Set<string>()
beforeAll(async () => {
  app = await openTestApp({ TEST_KEYS: 'on' })
  const { sitekey, secret } = await makeSite(app.ctx, { hostnames: ['localhost'], quota: 100_000 })
  keys = { sitekey, secret }
  browser = await launchChromium()
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

/** Judges again, at most twice, if a busy machine left something unclear. */
async function judge(careless?: string, only?: readonly CheckNumber[], inBrowser = careless === undefined) {
  const name = careless ?? 'a careful merchant'
  const once = () =>
    accept(
      { name, start: (settings) => startMerchant(settings, careless) },
      { target: app.url, keys, browser: inBrowser ? browser : undefined, ...(only && { only }) },
    )
  let results = await once()
  for (let again = 0; again < 2 && results.some(({ outcome }) => outcome === 'unclear'); again++) results = await once()
  return { results, failed: failedChecks(results), report: writeReport(aboutMerchant(name), results) }
}

test('a correct merchant passes every probe', { timeout: 300_000 }, async () => {
  const { results, report, failed } = await judge()
  probes = results.map(({ name }) => name)
  // with the report, so that a failure shows it
  expect({ failed, report }).toEqual({ failed: [], report })
  expect(results.filter(({ outcome }) => outcome === 'unclear')).toEqual([])
  expect(results.filter(({ outcome }) => outcome === 'skipped').map(({ name }) => name)).toEqual([
    'submit a real token 301 seconds after the form was opened',
  ])
  for (const check of [1, 2, 3, 4, 5, 6]) expect(report).toContain(`\n${check}. `)
})

/** The checks that it runs after the form itself, and the probes of them that must fail. */
type Wrong = [careless: string, runs: CheckNumber[], caughtBy: RegExp[], inBrowser?: boolean]

const REFUSED = /^\/siteverify answers (?!409)[45]\d\d/
const WRONG_PASS = /^\/siteverify answers 20\d/
const WRONG_INTENT = /^\/intents answers 200 with/
const NO_INTENT = /^\/intents (answers [45]\d\d|ends the connection)/
const RACE_OF_CONTENTS = /two different contents .* at once/
const GONE_VISITOR = /the visitor’s connection ends/

const WRONG: Wrong[] = [
  ['never-acts', [], [/^a visitor completes the form in a browser$/, /^a visitor completes the form$/], true],
  ['trusts-callback', [1], [/call the component’s callback/], true],
  // it accepts every token, so also those of others
  [
    'trusts-presence',
    [1, 2],
    [
      /right shape/,
      /one character/,
      /by hand/,
      /TEST(expired|spent)/,
      /same visitor/,
      /another (action|site)/,
      /by the form/,
    ],
    true,
  ],
  [
    'needs-no-token',
    [1],
    [/without the token field/, /an? (empty|\w+CAPTCHA|hCaptcha|Turnstile test) token/, /10 kB/, /in the browser/],
    true,
  ],
  ['asks-without-token', [1], [/calls of \/siteverify without a token/]],
  ['takes-expired', [1], [/TESTexpired/]],
  ['takes-redeemed', [1, 5], [/TESTspent/, /^\/siteverify answers 409/]],
  ['acts-before-verifying', [1], [/has not answered yet/]],
  ['takes-intent-of-form', [2], [/choose the intent by the form/, /what \/siteverify was called with/]],
  ['forgets-session', [2], [/in the session of another visitor/, /token of another visitor’s form/]],
  ['one-intent-per-visitor', [2], [/another form of the same visitor/]],
  ['takes-host-header', [2], [/forged Host/]],
  ['redeems-with-host-header', [2], [/forged Host/]],
  ['new-key-per-try', [3], [/^the answer of \/siteverify/, /one token, one request/]],
  ['new-key-per-submission', [3], [/^the answer of \/siteverify is/, /one token, one request/]],
  ['new-nonce-per-try', [3], [/^the answer of \/intents/]],
  ['key-from-intent', [3], [/nonces and idempotency keys/]],
  ['key-from-nonce', [3], [/nonces and idempotency keys/]],
  ['predictable-key', [3], [/nonces and idempotency keys/]],
  ['executes-twice', [3], [/ten times at once/, /a completed submission again/, GONE_VISITOR]],
  ['checks-then-acts', [3], [/ten times at once/]],
  // also caught by the probe that runs at that moment
  ['acts-again-later', [3], [/executions in all/, /./]],
  ['answers-old-success', [4], [/after success.*content/, /after success.*token/]],
  ['overwrites-content', [4], [/after a failure.*content/]],
  ['unfreezes-after-failure', [4], [/after a failure.*content/]],
  ['executes-sent-content', [4], [/after a failure.*content/]],
  ['compares-email-only', [4], [/after success.*content/, /after a failure.*content/]],
  ['takes-other-token', [4], [/after success.*token/, /after a failure.*token/]],
  ['takes-parameters-of-form', [4], [/redemption parameters as fields/]],
  ['acts-on-401', [5], [/^\/siteverify answers 401/]],
  ['opens-at-second-503', [5], [/^\/siteverify answers 503/]],
  ['fails-open', [5], [REFUSED, WRONG_PASS, /does not answer/, /TEST(quota|down)/]],
  ['takes-timeout', [5], [/^\/siteverify does not answer/]],
  ['takes-any-200', [5], [WRONG_PASS]],
  ['takes-any-intent', [5], [WRONG_INTENT]],
  ['shows-form-anyway', [5], [NO_INTENT, WRONG_INTENT, /TESTlimit/]],
  [
    'says-nothing',
    [5],
    [/^\/siteverify answers (402|429|5\d\d)/, WRONG_PASS, /does not answer/, NO_INTENT, WRONG_INTENT, /TEST/],
  ],
  ['follows-redirects', [6], [/^\/intents redirects/, /^\/siteverify redirects/]],
  ['logs-form', [6], [/logged for the token/]],
  ['logs-part-of-token', [6], [/logged for the token/]],
  ['logs-token-in-base64', [6], [/logged for the token/]],
  // this happens when a token is refused
  ['logs-secret', [1, 6], [/logged for the secret key/]],
  ['logs-cookie', [6], [/logged for the session/]],
  ['logs-part-of-cookie', [6], [/logged for the session/]],
  ['secret-in-page', [6], [/every page for the secret key/]],
  ['secret-in-address', [6], [/every call to the service for the secret key/]],
  ['key-in-page', [6], [/for idempotency keys/]],
  ['token-in-address', [6], [/every address for tokens/]],
  ['shows-typed-html', [6], [/type HTML into the fields/]],
  ['may-be-cached', [6], [/headers of every page that carries an intent/]],
]

// each fails the probes that are meant for its mistake, and no other of the check
test.concurrent.each(WRONG)(
  '%s is caught',
  { timeout: 300_000 },
  async (careless, only, caughtBy, inBrowser = false) => {
    const { results, report } = await judge(careless, only, inBrowser)
    const names = results.flatMap(({ outcome, name }) => (outcome === 'failed' ? [name] : []))
    for (const name of names) caught.add(name)
    const missing = caughtBy.filter((pattern) => !names.some((name) => pattern.test(name)))
    // how many of these race with each other depends on the machine
    const meant = [
      ...caughtBy,
      ...(only.includes(4) ? [RACE_OF_CONTENTS] : []),
      ...(careless === 'checks-then-acts' ? [GONE_VISITOR] : []),
    ]
    const others = names.filter((name) => !meant.some((pattern) => pattern.test(name)))
    expect({ missing, others, report }).toEqual({ missing: [], others: [], report })
    expect(report).not.toContain(keys.secret)
  },
)

test('each probe catches a wrong merchant', () => {
  const slow = 'submit a real token 301 seconds after the form was opened'
  expect(probes.filter((name) => !caught.has(name))).toEqual([slow])
})
