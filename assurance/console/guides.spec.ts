import { consoleUrl } from '../../e2e/setup/member.ts'
import { expect, test } from '../../e2e/setup/test.ts'

for (const width of [1280, 375]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`no guide is wider than a page of ${width} px (${colorScheme})`, async ({ page, service }) => {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      await page.goto(`${consoleUrl(service)}/docs`)
      const links = await page.locator('.pages a').evaluateAll((all) => all.map((link) => link.getAttribute('href')))
      expect(links.length).toBeGreaterThan(15)
      for (const href of links.filter((link) => link !== '/docs/api')) {
        await page.goto(`${consoleUrl(service)}${href}`)
        const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect([href, excess]).toEqual([href, 0])
      }
    })
  }
}
