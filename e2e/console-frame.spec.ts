import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './setup/accessible.ts'
import { decide } from './setup/decided.ts'
import { consoleUrl, type Member, makeMember, openOverview, openTenant, signIn, tenantUrl } from './setup/member.ts'
import { button, heading } from './setup/page.ts'
import type { Service } from './setup/service.ts'
import { makeSite } from './setup/site.ts'
import { expect, test } from './setup/test.ts'

/** Tables that are wider than what shows them. */
const CUT_OFF = `[...document.querySelectorAll('table')]
  .filter((table) => table.scrollWidth > table.parentElement.clientWidth)
  .map((table) => table.ariaLabel)`

test('the skip link comes first and leads into the page', async ({ page, service }) => {
  await openOverview(page, service)
  await page.reload()
  // what comes after the link
  await expect(page.locator('main a').first()).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.locator('main :focus')).toBeVisible()
})

test('a dialog takes the focus and gives it back to what opened it', async ({ page, service }) => {
  await openOverview(page, service)
  await page.goto(`${consoleUrl(service)}/account`)
  const opener = button(page.getByRole('region', { name: 'Two-factor authentication' }), 'Turn on')
  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Turn on two-factor authentication' })
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
})

test('a theme that was chosen is kept, whatever the system asks for', async ({ page, service }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(`${consoleUrl(service)}/sign-in`)
  const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  const light = await background()
  await page.getByRole('group', { name: 'Theme' }).getByTitle('Dark').click()
  await expect.poll(background).not.toBe(light)
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
  expect(await background()).not.toBe(light)
  await page.getByRole('group', { name: 'Theme' }).getByTitle('Follow the system').click()
  await expect.poll(background).toBe(light)
})

test('a menu and a list of values are disabled until they are loaded, then open', async ({ page, site }) => {
  const held: (() => void)[] = []
  await page.route(/\/(SelectBox|MenuParts)-[^/]+\.js$/, (route) => void held.push(() => void route.continue()))
  await page.goto(site.path)
  const period = page.getByLabel('Period', { exact: true })
  const menu = button(page, 'Tenant Pennywheel: switch')
  // until then it is a button, named by its label and its value
  await expect(button(page, 'Period: Last 7 days')).toBeDisabled()
  await expect(menu).toBeDisabled()
  for (const release of held) release()
  await expect(period).toBeEnabled()
  await period.press('ArrowDown')
  await expect(page.getByRole('option', { name: 'Last 7 days' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(period).toBeFocused()
  await expect(menu).toBeEnabled()
  await menu.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Create tenant' })).toBeVisible()
})

test('the present tab is seen where not all of them fit', async ({ page, site }) => {
  await page.setViewportSize({ width: 320, height: 800 })
  await page.goto(`${site.path}/settings`)
  const tabs = page.getByRole('navigation', { name: 'Pages of the site' })
  await expect(tabs.getByRole('link', { name: 'Settings' })).toBeInViewport({ ratio: 0.9 })
  await tabs.getByRole('link', { name: 'Keys' }).click()
  await expect(tabs.getByRole('link', { name: 'Keys' })).toBeInViewport({ ratio: 0.9 })
})

test('tabs between the pages of one entry of the navigation are above the titles of these pages', async ({
  page,
  service,
  owner,
}) => {
  const top = async (part: Locator) => (await part.boundingBox())?.y
  const pages = {
    '/decisions': 'Decisions',
    '/feedback': 'Decisions',
    '/members': 'Team',
    '/audit': 'Team',
    '/settings': 'Settings',
    '/settings/api-keys': 'Settings',
    '/settings/webhooks': 'Settings',
  }
  for (const [path, tabs] of Object.entries(pages)) {
    await page.goto(tenantUrl(service, owner, path))
    const title = heading(page, /./)
    await expect(title).toBeVisible()
    const bar = page.getByRole('navigation', { name: tabs })
    expect(await top(bar), path).toBeLessThan(Number(await top(title)))
  }
})

test('a long name without spaces pushes nothing out of its table', async ({ page, service }) => {
  const endless = 'Donaudampfschifffahrtsgesellschaftskapitaenswitwenverein'
  const owner = await openTenant(service, endless)
  await service.operator.createSite(owner.tenantId, { name: endless, hostname: `${endless.toLowerCase()}.example` })
  // the overview has its tables from the first traffic on
  await decide(service, await makeSite(service, owner))
  const viewer = await makeMember(service, owner, 'viewer')
  await service.sql.query('update "user" set name = $2, email = $3 where id = $1', [
    viewer.userId,
    endless,
    `${endless.toLowerCase()}.${viewer.email}`,
  ])
  await signIn(page, service, owner)
  for (const path of ['', '/sites', '/members', '/audit']) {
    await page.goto(tenantUrl(service, owner, path))
    await expect(page.getByRole('table').first()).toHaveAttribute('aria-busy', 'false')
    expect.soft(await page.evaluate<string[]>(CUT_OFF), path).toEqual([])
  }
})

test.describe('while the service is away', () => {
  test.use({ expectedErrors: /Failed to fetch/ })
  test.afterEach(async ({ service }) => {
    await service.restart()
  })

  test('a page that was not loaded yet says so within the shell, and comes when the service is back', async ({
    page,
    service,
  }) => {
    await openOverview(page, service)
    await service.kill()
    await page.getByRole('link', { name: 'Incidents' }).click()
    await expect(heading(page, 'This page failed to load')).toBeVisible()
    await expect(page.getByRole('alert')).toContainText('Can’t reach Tollgate')
    await expect(page.getByRole('link', { name: 'Sites', exact: true })).toBeVisible()
    await service.restart()
    await button(page, 'Retry now').click()
    await expect(heading(page, 'Incidents')).toBeVisible()
  })
})

test('an unknown page is shown with the sidebar, so that other pages can be reached', async ({ page, service }) => {
  const owner = await openOverview(page, service)
  const nav = page.getByRole('navigation', { name: 'Pages' })
  for (const path of ['nowhere', 'settings/nowhere', 'sites/no-id']) {
    await page.goto(tenantUrl(service, owner, `/${path}`))
    await expect(heading(page, 'Page not found')).toBeVisible()
    await expect(nav).toBeVisible()
  }
  await page.goto(tenantUrl(service, owner, '/sites/01a1f8fd-268e-73cd-bbc9-adb9876dbbc2'))
  await expect(heading(page, 'Site not found')).toBeVisible()
  await nav.getByRole('link', { name: 'Team' }).click()
  await expect(heading(page, 'Members')).toBeFocused()

  // a tenant of others has no rail to show
  await page.goto(`${consoleUrl(service)}/o/nobody-s`)
  await expect(heading(page, 'Page not found')).toBeVisible()
  await expect(nav).toBeHidden()
})

test('a new tenant is shown one way to begin, which leads to the form for it', async ({ page, service }) => {
  await openOverview(page, service)
  const steps = page.getByRole('region', { name: 'Get started' })
  await expect(steps).toContainText('1 of 4 steps done')
  // figures would all be zero
  await expect(page.getByText('Completion rate')).toHaveCount(0)
  const titles = await steps.getByRole('listitem').locator('p:first-child').allInnerTexts()
  const primary = page.locator('main .bg-brand').and(page.getByRole('link').or(page.getByRole('button')))
  await expect(primary).toHaveText(['Continue set-up'])
  await primary.click()
  const current = page.locator('[aria-current=step]')
  await expect(current.getByRole('heading', { name: 'Create your first site' })).toBeVisible()
  await expect(current.getByLabel('Hostname')).toBeVisible()
  expect(await page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(
    titles.map((title) =>
      title.replace('missing', title.startsWith('Create') ? 'Now' : 'Later').replace('done', 'Done'),
    ),
  )
})

const OBSERVE_SHIFTS = `
  globalThis.shifts = []
  new PerformanceObserver((list) => globalThis.shifts.push(...list.getEntries().map(({ value }) => value)))
    .observe({ type: 'layout-shift', buffered: true })`
const SHIFTED = 'shifts.reduce((sum, value) => sum + value, 0)'
/** Waits for two frames: what a response changed is drawn, and shifts are recorded. */
const DRAWN = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'

test('the checklist of a new tenant is there with the page, and moves nothing', { tag: '@accessible' }, async ({
  page,
  service,
}) => {
  const owner = await openOverview(page, service)
  await page.goto('about:blank')
  await page.addInitScript(OBSERVE_SHIFTS)
  await page.goto(tenantUrl(service, owner))
  await expect(page.getByText('Get started')).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  expect(await page.evaluate<number>(SHIFTED)).toBeLessThan(0.01)
})

for (const width of [1280, 375])
  test(`the set-up page of a tenant with a site moves nothing while it loads, ${width} pixels wide`, async ({
    page,
    service,
  }) => {
    const owner = await openOverview(page, service)
    const { id } = await makeSite(service, owner)
    await page.goto('about:blank')
    await page.setViewportSize({ width, height: 900 })
    await page.addInitScript(OBSERVE_SHIFTS)
    // each answer and each script arrives alone
    let queue: Promise<void> = Promise.resolve()
    await page.route(/\/trpc\/|\/assets\/.*\.js$|\/sdk\.json$/, async (route) => {
      const previous = queue
      const pass = async () => {
        await previous
        await page.evaluate(DRAWN)
        await route.continue()
        await (await route.request().response())?.finished()
        await page.evaluate(DRAWN)
      }
      queue = pass()
      await queue
    })
    await page.goto(`${consoleUrl(service)}/welcome?tenant=${owner.slug}&site=${id}`, { waitUntil: 'commit' })
    await expect(page.getByText('Waiting for your first verification')).toBeVisible()
    await expect(page.getByText('npm install').first()).toBeVisible()
    expect(await page.evaluate<number>(SHIFTED)).toBeLessThan(0.01)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

test.describe('for everybody', { tag: '@accessible' }, () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  type Prepare = (page: Page, service: Service, owner: Member) => Promise<string>

  async function inviteOwner(page: Page, service: Service, { email }: Member): Promise<string> {
    const host = await openTenant(service, 'Harbour')
    await page.context().clearCookies()
    await signIn(page, service, host)
    const data = { tenant: host.slug, email, role: 'developer' }
    const headers = { origin: consoleUrl(service) }
    const invited = await page.request.post(`${consoleUrl(service)}/trpc/members.invite`, { data, headers })
    expect(invited.status()).toBe(200)
    const { rows } = await service.sql.query<{ id: string }>('select id from invitation where email = $1', [email])
    await page.context().clearCookies()
    await signIn(page, service, { ...host, email })
    return `invite/${rows[0]?.id}`
  }

  async function makeFirstSite(_page: Page, service: Service, owner: Member): Promise<string> {
    const { id } = await makeSite(service, owner)
    return `welcome?tenant=${owner.slug}&site=${id}`
  }

  /** What each page shows once it is there, and where it is. */
  const open: Record<string, string> = {
    'This page just verified you': '',
    'Verify yourself, then break it': 'try',
    'Sign in': 'sign-in',
    'Create an account': 'sign-up',
    'Confirm your e-mail address': 'verify-email#token=x',
    'Forgot your password?': 'forgot',
    'Choose a new password': 'reset#token=x',
    'Two-factor authentication': 'two-factor',
  }
  const own: Record<string, Prepare> = {
    'Get started': async (_page, _service, { slug }) => `o/${slug}`,
    'Browsers that are signed in to your account.': async () => 'account',
    'Create another tenant': async () => 'welcome',
    'Waiting for your first verification': makeFirstSite,
    'The invitation expires': inviteOwner,
  }

  async function expectUsable(page: Page, service: Service, path: string, shows: string): Promise<void> {
    await page.goto(`${consoleUrl(service)}/${path}`)
    await expect(page.getByRole('main').getByText(shows).first()).toBeVisible()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    await expectAccessible(page)
  }

  for (const [shows, path] of Object.entries(open)) {
    test(`“${shows}” can be used, light and dark, wide and narrow`, async ({ page, service }) => {
      test.setTimeout(240_000)
      await expectUsable(page, service, path, shows)
    })
  }

  for (const [shows, prepare] of Object.entries(own)) {
    test(`“${shows}” can be used, light and dark, wide and narrow`, async ({ page, service }) => {
      test.setTimeout(240_000)
      const owner = await openOverview(page, service)
      await expectUsable(page, service, await prepare(page, service, owner), shows)
    })
  }
})
