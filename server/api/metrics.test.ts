import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { makeSite } from '../../test/support/make.ts'

const TOKEN = 'a-token-for-prometheus'

let open: TestApp
let guarded: TestApp
beforeAll(async () => {
  ;[open, guarded] = await Promise.all([openTestApp(), openTestApp({ METRICS_TOKEN: TOKEN })])
})
afterAll(() => Promise.all([open.close(), guarded.close()]))

const read = (app: TestApp, headers: Record<string, string> = {}) => fetch(`${app.url}/metrics`, { headers })

/** The value of a line such as `name{a="b"}`. */
async function value(line: string): Promise<number> {
  const text = await (await read(open)).text()
  const found = text.split('\n').find((one) => one.startsWith(`${line} `))
  return Number(found?.slice(line.length + 1) ?? 0)
}

test('the first scrape counts the CPU time since the process began, and has no impossible values', async () => {
  const { user, system } = process.cpuUsage()
  const text = await (await read(open)).text()
  const valueOf = (name: string) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1])
  expect(valueOf('process_cpu_seconds_total')).toBeGreaterThanOrEqual((user + system) / 1e6)
  expect(valueOf('process_cpu_user_seconds_total')).toBeGreaterThanOrEqual(user / 1e6)
  expect(valueOf('nodejs_eventloop_lag_min_seconds')).toBeLessThan(60)
  expect(text).not.toMatch(/ nan$/im)
})

test('counts answers by endpoint and code, and requests by queue', async () => {
  const site = await makeSite(open.ctx)
  const ok = 'tollgate_answers_total{endpoint="/intents",code="ok"}'
  const refused = 'tollgate_answers_total{endpoint="/intents",code="bad-request"}'
  const items = 'tollgate_queue_items_total{queue="open_intents"}'
  const before = await Promise.all([ok, refused, items].map(value))
  await open.client.intent(site)
  await open.client.intent(site, { hostname: 'elsewhere.example' })
  const after = await Promise.all([ok, refused, items].map(value))
  expect(after.map((n, i) => n - (before[i] ?? 0))).toEqual([1, 1, 1])
  expect(await (await read(open)).text()).toContain('process_resident_memory_bytes')
})

test('refuses forwarded requests', async () => {
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])
    expect((await read(open, { [name]: '127.0.0.1' })).status).toBe(404)
})

test('requires the token if one is set, from any address', async () => {
  expect((await read(guarded)).status).toBe(404)
  expect((await read(guarded, { authorization: 'Bearer a-token-for-prometheuz' })).status).toBe(404)
  const named = { authorization: `Bearer ${TOKEN}`, 'x-forwarded-for': '203.0.113.7' }
  expect((await read(guarded, named)).status).toBe(200)
})
