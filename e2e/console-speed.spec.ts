import type { Request } from '@playwright/test'
import { createTestClient } from '../test/support/client.ts'
import { consoleUrl, tenantUrl } from './setup/member.ts'
import { expect, test } from './setup/test.ts'

/**
 * Requests until the overview can be used, with the page itself, its fonts and its data. Two fewer than the goal of 12, so that
 * the menus, which are loaded as soon as it can be used, are not among them.
 */
const REQUESTS = 10
/** Of these as sent, bodies and headers, with Brotli and without the fonts, which no text waits for. */
const BYTES = 190_000
/** Of an asset. */
const HEADER_BYTES = 600
const LAYOUT_SHIFT = 0.01

const SHIFTS = `window.shift = 0
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value
}).observe({ type: 'layout-shift', buffered: true })`

test('the overview can be used after few requests, which are small, and nothing moves', async ({
  page,
  service,
  owner,
  site,
}) => {
  await service.sql.query("update site set base_work = 1024, challenge_kind = 'sha256' where id = $1", [site.id])
  const client = createTestClient(service.url)
  const earned = await client.earn(site, { hostname: 'localhost' }, { origin: 'http://localhost:3001' })
  expect((await client.siteverify(site, earned)).status).toBe(200)
  await page.addInitScript(SHIFTS)

  // later ones wait: what is shown by then needs no more
  const requests: Request[] = []
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/*', async (route) => {
    if (requests.length >= REQUESTS) await held
    else requests.push(route.request())
    await route.continue()
  })
  await page.goto(tenantUrl(service, owner), { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  await expect(page.getByText('Completion rate').first()).toBeVisible()

  const first = requests.map((request) => request.url().replace(consoleUrl(service), ''))
  const call = first.find((url) => url.startsWith('/trpc/'))
  expect(call).toContain('session.me')
  expect(call).toContain('tenants.summary')
  release()
  let bytes = 0
  for (const request of requests) {
    await request.response()
    const { responseBodySize, responseHeadersSize } = await request.sizes()
    if (request.resourceType() !== 'font') bytes += responseBodySize + responseHeadersSize
    if (request.url().includes('/assets/')) expect(responseHeadersSize, request.url()).toBeLessThan(HEADER_BYTES)
  }
  expect(bytes).toBeLessThanOrEqual(BYTES)

  await page.waitForLoadState('networkidle')
  expect(await page.evaluate<number>('window.shift')).toBeLessThanOrEqual(LAYOUT_SHIFT)
})

test('the frame of the console is shown before any script has loaded', async ({ page, service, owner }) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(tenantUrl(service, owner), { waitUntil: 'commit' })
  await expect(page.locator('#shell .rail')).toBeVisible()
  release()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('#shell')).toBeHidden()
})
