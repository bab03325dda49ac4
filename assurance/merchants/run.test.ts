import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMerchant } from '../../sdk/kit/careless/merchant.ts'
import { testKeys } from '../../sdk/kit/keys.ts'
import { aboutMerchant, sumUp, writeReport } from '../../sdk/kit/report.ts'
import { accept } from '../../sdk/kit/run.ts'
import { listen } from '../../sdk/testing/listen.ts'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { launchChromium } from '../../test/support/chromium.ts'

let app: TestApp
let closedBrowser: Browser
beforeAll(async () => {
  app = await openTestApp({ TEST_KEYS: 'on' })
  closedBrowser = await launchChromium()
  await closedBrowser.close()
})
afterAll(() => app.close())

const careful = { name: 'a careful merchant', start: startMerchant }

test.concurrent('with the limits of test keys, it waits and judges correctly', { timeout: 300_000 }, async () => {
  const strict = await openTestApp({ TEST_KEYS: 'on', TEST_KEYS_PER_MINUTE: '12' })
  const waits: number[] = []
  const results = await accept(careful, {
    target: strict.url,
    keys: testKeys('pass'),
    only: [4],
    onWait: (seconds) => waits.push(seconds),
  })
  await strict.close()
  expect(writeReport(aboutMerchant('x'), results)).not.toMatch(/FAILED|unclear/)
  expect(results.filter(({ outcome }) => outcome === 'ok').length).toBeGreaterThanOrEqual(7)
  expect(waits.length).toBeGreaterThanOrEqual(1)
})

test.concurrent('a browser that ends makes its probes unclear; the others are run', { timeout: 120_000 }, async () => {
  const results = await accept(careful, { target: app.url, keys: testKeys('pass'), only: [2], browser: closedBrowser })
  const unclear = results.filter(({ outcome }) => outcome === 'unclear')
  expect(unclear).toMatchObject([{ check: 0, happened: expect.stringMatching(/^the kit could not go on: \P{Cc}+$/u) }])
  expect(results.filter(({ check, outcome }) => check === 2 && outcome === 'ok').length).toBeGreaterThan(5)
  const report = writeReport(aboutMerchant('x'), results)
  expect(report).toContain('An unclear check says nothing about the subject')
  expect(report).not.toContain('FAILED')
  expect(sumUp(results)).toMatch(/^\d+ passed, 0 failed, 1 unclear, \d+ skipped\.$/)
})

test.concurrent('a service that is lost meanwhile makes probes unclear, not failed', { timeout: 120_000 }, async () => {
  let redemptions = 0
  const relay = async (request: IncomingMessage, response: ServerResponse) => {
    const reply = await forward(request)
    if (request.url === '/siteverify' && ++redemptions > 1) request.socket.destroy()
    else response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text())
  }
  const failing = await listen((request, response) => void relay(request, response))
  const results = await accept(careful, { target: failing.url, keys: testKeys('pass'), only: [2] })
  await failing.close()
  const outcomes = new Set(results.map(({ outcome }) => outcome))
  expect([...outcomes].toSorted()).toEqual(['ok', 'skipped', 'unclear'])
  const unclear = results.filter(({ outcome }) => outcome === 'unclear')
  for (const { happened } of unclear) expect(happened).toContain(`${failing.url}/siteverify cannot be reached`)
})

async function forward(request: IncomingMessage): Promise<Response> {
  const { authorization = '', origin = '' } = request.headers
  const headers = { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0', authorization, origin }
  return fetch(app.url + request.url, { method: 'POST', headers, body: await text(request) })
}
