import { consoleUrl } from './setup/member.ts'
import { expect, test } from './setup/test.ts'

test('the search finds an error code by keyboard alone and leads to its row', async ({ page, service }) => {
  const problems: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  await page.goto(`${consoleUrl(service)}/docs/component`)
  await expect(page.getByRole('button', { name: 'Search' })).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('already-rede')
  const first = page.getByRole('option').first()
  await expect(first).toContainText('Errors › already-redeemed')
  await expect(first).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/docs\/errors#already-redeemed$/)
  await expect(page.locator('#already-redeemed')).toBeInViewport()
  expect(problems).toEqual([])
})

test('a search without a result says so', async ({ page, service }) => {
  await page.goto(`${consoleUrl(service)}/docs/quick-start`)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.keyboard.type('qqqqqqqq')
  await expect(page.getByRole('status')).toHaveText('No page contains “qqqqqqqq”.')
})

test('a link to a section of the former single guide leads to its page', async ({ page, service }) => {
  await page.goto(`${consoleUrl(service)}/docs/integration#signs-of-automation`)
  await expect(page).toHaveURL(/\/docs\/component#signs-of-automation$/)
  await expect(page.locator('#signs-of-automation')).toBeInViewport()
})

for (const width of [1280, 375]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`no guide is wider than a page of ${width} px (${colorScheme})`, async ({ page, service }) => {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      await page.goto(`${consoleUrl(service)}/docs/integration`)
      const links = await page.locator('.pages a').evaluateAll((all) => all.map((link) => link.getAttribute('href')))
      expect(links.length).toBeGreaterThan(15)
      for (const href of links.filter((link) => link !== '/docs')) {
        await page.goto(`${consoleUrl(service)}${href}`)
        const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect([href, excess]).toEqual([href, 0])
      }
    })
  }
}
