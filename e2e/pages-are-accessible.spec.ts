import type { Page } from '@playwright/test'
import { expectAccessible } from './setup/accessible.ts'
import type { Merchant } from './setup/merchant.ts'
import { expect, test } from './setup/test.ts'
import { check, expectReceipt, passCheck, placeOrder, prepareOrder } from './setup/visitor.ts'

/** What stands on the page, when it does. */
const pages: Record<string, (page: Page, merchant: Merchant, tollgate: string) => Promise<void>> = {
  'the front page': async (page, { shop }) => {
    await page.goto(shop)
  },
  'the order form with its check passed': (page, { shop }) => prepareOrder(page, shop),
  'the order form with mistakes': async (page, { shop }) => {
    await page.goto(`${shop}/checkout`)
    await passCheck(page)
    await placeOrder(page).click()
    await expect(page.getByRole('alert')).toBeVisible()
    await passCheck(page)
  },
  'a check at work': async (page, { shop }) => {
    await page.route('**/solve', () => {})
    await page.goto(`${shop}/signup`)
    await expect(page.getByRole('progressbar')).toBeVisible()
  },
  'a check that failed': async (page, { shop }) => {
    await page.route('**/challenge', (route) => route.abort())
    await page.goto(`${shop}/signup`)
    await expect(check(page)).toContainText('No connection')
  },
  'the receipt': async (page, { shop }) => {
    await prepareOrder(page, shop)
    await placeOrder(page).click()
    await expectReceipt(page)
  },
  'the activity of a visitor': async (page, { shop }) => {
    await prepareOrder(page, shop)
    await placeOrder(page).click()
    await expectReceipt(page)
    await page.goto(`${shop}/signup`)
    await page.goto(`${shop}/activity`)
    await expect(page.getByRole('row')).toHaveCount(3)
  },
  'a page that is not there': async (page, { shop }) => {
    await page.goto(`${shop}/nowhere`)
  },
  'the page of the service': async (page, _, tollgate) => {
    await page.goto(tollgate)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  },
}

test.use({ contextOptions: { reducedMotion: 'reduce' } })

for (const [what, open] of Object.entries(pages)) {
  test(`${what} can be used by everybody, light and dark, wide and narrow`, { tag: '@accessible' }, async ({
    page,
    merchant,
    service,
  }) => {
    await open(page, merchant, service.url)
    await expectAccessible(page)
  })
}

test.describe('without units', () => {
  test.use({ quota: 0 })

  test('the page of a refusal can be used by everybody, light and dark, wide and narrow', {
    tag: '@accessible',
  }, async ({ page, merchant }) => {
    await page.goto(`${merchant.shop}/checkout`)
    await expect(page.getByRole('link', { name: 'Try again' })).toBeVisible()
    await expectAccessible(page)
  })
})
