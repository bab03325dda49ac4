import type { Page, Request, Route } from '@playwright/test'
import { expectAccessible } from '../../e2e/setup/accessible.ts'
import { consoleUrl, openTenant, signIn } from '../../e2e/setup/member.ts'
import { makeSite } from '../../e2e/setup/site.ts'
import { openStaff } from '../../e2e/setup/staff.ts'
import { expect, test } from '../../e2e/setup/test.ts'
import { fillTenant } from '../../e2e/setup/world.ts'
import { CONSOLE_PATHS } from '../../server/contract/consolePaths.ts'

const LAYOUT_SHIFT = 0.01

/** The sum of the shifts, and what moved. */
const SHIFTS = `window.shift = { sum: 0, moved: [] }
new PerformanceObserver((list) => {
  for (const { hadRecentInput, value, sources } of list.getEntries()) {
    if (hadRecentInput) continue
    shift.sum += value
    for (const { node } of sources) shift.moved.push(node?.outerHTML?.slice(0, 120) ?? node?.textContent)
  }
}).observe({ type: 'layout-shift', buffered: true })`

/**
 * WCAG 2.2, 2.5.8: the controls of less than 24 pixels around which there is no room of 24 pixels either. Links within text are
 * no targets of their own.
 */
const SMALL_TARGETS = `(() => {
  const targets = [...document.querySelectorAll('main :is(a[href], button, input, summary), aside :is(a[href], button)')]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && getComputedStyle(each).display !== 'inline')
    .map((each) => ({ each, rect: each.getBoundingClientRect() }))
    .filter(({ rect }) => rect.width > 1)
  const isNear = (x, y, { left, right, top, bottom }) =>
    Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom)) < 12
  return targets
    .filter(({ rect }) => rect.width < 24 || rect.height < 24)
    .filter(({ each, rect }) => targets.some((other) => other.each !== each && !other.each.contains(each) &&
      isNear(rect.x + rect.width / 2, rect.y + rect.height / 2, other.rect)))
    .map(({ each, rect }) => Math.round(rect.width) + '×' + Math.round(rect.height) + ' ' + each.outerHTML.slice(0, 120))
})()`

/** What the page needs before it has anything to show. */
const FIRST = /session\.me|system\.overview/

/** Waits for two frames: what a response changed is drawn, and shifts are recorded. */
const DRAWN = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'

/**
 * Opens a page whose data arrive after it is shown, one call at a time. Returns how far its parts moved meanwhile.
 */
async function openSlowly(page: Page, url: string): Promise<{ sum: number; moved: string[] }> {
  const held: Route[] = []
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.route(/\/trpc\//, async (route) => {
    if (FIRST.test(route.request().url())) await route.continue()
    else held.push(route)
  })
  await page.goto(url)
  await expect(page.locator('main h1').first()).toBeVisible()
  await expect.poll(() => page.evaluate('document.fonts.status')).toBe('loaded')
  await page.waitForLoadState('load')
  // answers lead to further calls
  for (let quiet = 0; quiet < 3; ) {
    const route = held.shift()
    if (route) {
      const isIts = (request: Request) => request === route.request()
      // a page may cancel a call that it no longer needs, also while it is held here
      if (route.request().failure() === null) {
        const ended = Promise.race([
          page.waitForEvent('requestfinished', isIts),
          page.waitForEvent('requestfailed', isIts),
        ])
        await route.continue()
        await ended
      }
      quiet = 0
    } else quiet++
    await page.evaluate(DRAWN)
  }
  await expect(page.locator('[aria-busy=true], [data-waiting]')).toHaveCount(0)
  await page.evaluate(DRAWN)
  return page.evaluate('shift')
}

/** The paths of the console, as its router has them. */
const pathsOf = (page: Page) => page.evaluate<string[]>('Object.keys(__TSR_ROUTER__.routesByPath).filter(Boolean)')

/** The pages for who is not signed in. */
const SIGNED_OUT: ReadonlySet<string> = new Set([
  CONSOLE_PATHS.start,
  CONSOLE_PATHS.signIn,
  CONSOLE_PATHS.signUp,
  CONSOLE_PATHS.twoFactor,
  CONSOLE_PATHS.verifyEmail,
  CONSOLE_PATHS.forgot,
  CONSOLE_PATHS.reset,
  CONSOLE_PATHS.invitation,
  CONSOLE_PATHS.sharedIncident,
])

const isStaff = (path: string) => path.startsWith(CONSOLE_PATHS.staff)

test.describe('every page', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  for (const width of [1280, 375]) {
    const isWide = width === 1280
    test(`does not move while its data arrive, has no small target and can be used by everybody, ${width} pixels wide`, {
      tag: isWide ? '@accessible' : [],
    }, async ({ page, service, owner, site }) => {
      test.setTimeout(1_200_000)
      const world = await fillTenant(service, owner, site)
      await page.addInitScript(SHIFTS)
      await page.goto(consoleUrl(service))
      await expect(page.locator('main h1')).toBeVisible()
      const paths = await pathsOf(page)
      const params = {
        'decisions/$id': `decisions/${world.decision}`,
        'incidents/$id': `incidents/${world.incident}`,
        'trace/$id': `trace/${world.decision}`,
        'tenants/$tenant': `tenants/${owner.slug}`,
        'webhooks/$id': `webhooks/${world.webhook}`,
        'invite/$id': `invite/${world.invitation}`,
        'o/$tenant': `o/${owner.slug}`,
        $site: site.id,
        $month: new Date().toISOString().slice(0, 7),
        $reference: world.reference,
        $token: world.token,
      }
      const visit = async (path: string) => {
        const url = Object.entries(params).reduce((url, [param, value]) => url.replace(param, value), path)
        expect(url, 'a parameter without a value').not.toContain('$')
        await page.setViewportSize({ width, height: 900 })
        const { sum, moved } = await openSlowly(page, consoleUrl(service) + url)
        expect.soft(sum, `${path}: ${moved.join('\n')}`).toBeLessThanOrEqual(LAYOUT_SHIFT)
        expect.soft(await page.evaluate<string[]>(SMALL_TARGETS), path).toEqual([])
        if (isWide) await test.step(path, () => expectAccessible(page))
      }
      for (const path of paths.filter((path) => !isStaff(path) && !SIGNED_OUT.has(path))) await visit(path)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await page.context().clearCookies()
      for (const path of SIGNED_OUT) await visit(path)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await openStaff(page, service, 'lead')
      for (const path of paths.filter(isStaff)) await visit(path)
    })
  }
})

test('the tab of the page is in view at 375 pixels, on every page with tabs', async ({
  page,
  service,
  owner,
  site,
}) => {
  await page.setViewportSize({ width: 375, height: 800 })
  const base = `${consoleUrl(service)}/o/${owner.slug}`
  const settings = ['settings', 'settings/api-keys', 'settings/webhooks']
  const pages = ['decisions', 'refusals', 'grants', 'feedback', 'members', 'members?tab=roles', 'audit', ...settings]
  const ofSite = ['', '/keys', '/hostnames', '/networks', '/integrate', '/settings']
  for (const url of [...pages.map((path) => `${base}/${path}`), ...ofSite.map((path) => site.path + path)]) {
    await page.goto(url)
    const tab = page.locator('main nav a[aria-current=page]').first()
    await expect(tab, url).toBeInViewport({ ratio: 0.9 })
  }
  await page.goto(`${site.path}/integrate?language=wordpress`)
  await expect(page.getByRole('tab', { name: 'WordPress', selected: true })).toBeInViewport({ ratio: 0.9 })
})

test('what a control shows is its name', async ({ page, service }) => {
  const owner = await openTenant(service)
  await makeSite(service, owner)
  await signIn(page, service, owner)
  await page.goto(consoleUrl(service))
  const account = page.getByRole('complementary').getByRole('button', { name: /Account menu$/ })
  await expect(account).toHaveAccessibleName(`Pat Person ${owner.email} Account menu`)
  await account.click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('menuitemradio', { name: 'UTC', exact: true }).click()
  await expect(page.getByRole('menuitemradio', { name: 'UTC', exact: true })).toBeChecked()
})
