import type { Locator } from '@playwright/test'
import { age } from '../test/support/age.ts'
import { expect, test } from './setup/test.ts'
import {
  check,
  expectReceipt,
  fillOrder,
  passCheck,
  placeOrder,
  prepareEmail,
  prepareOrder,
  token,
} from './setup/visitor.ts'

test('an order is placed once, under its decision, and one unit is charged', async ({ page, merchant, service }) => {
  await prepareOrder(page, merchant.shop)
  const intent = await page.locator('.svc-captcha').getAttribute('data-intent')
  await placeOrder(page).click()
  await expectReceipt(page)
  await expect(page.getByText('1 × Harbour saddle')).toBeVisible()
  await expect(page.getByText(`Checked by Tollgate as dec_${intent?.replaceAll('-', '')}`)).toBeVisible()
  expect(await merchant.books()).toMatchObject({ orders: 1, letters: 0, fromQuota: 1, balance: 0 })
  expect(await service.tollgate('reconcile')).toMatchObject({ ok: true, mismatches: [] })

  await page.getByRole('link', { name: 'Your activity' }).click()
  await expect(page.getByRole('row', { name: /Order Done PW-\d+/ })).toBeVisible()
})

test('an order that takes longer than its intent lives is placed without a reload', async ({
  page,
  merchant,
  service,
}) => {
  await page.clock.install()
  await prepareOrder(page, merchant.shop)
  const intent = page.locator('.svc-captcha')
  const first = await intent.getAttribute('data-intent')
  await page.evaluate('window.isSamePage = true')
  await age(service.sql, [merchant.tenantId], 301)
  await page.clock.fastForward('05:01')
  await expect(token(page)).toHaveValue('')
  await page.getByLabel('Quantity').focus()
  await passCheck(page)
  expect(await intent.getAttribute('data-intent')).not.toBe(first)
  expect(await page.evaluate('window.isSamePage')).toBe(true)
  await placeOrder(page).click()
  await expectReceipt(page)
  expect(await merchant.books()).toMatchObject({ orders: 1, decisions: 1, fromQuota: 1 })
})

test('a sign-up is taken once, under its decision, and one unit is charged', async ({ page, merchant }) => {
  await prepareEmail(page, merchant.shop)
  await page.getByRole('button', { name: 'Sign me up' }).click()
  await expect(page.getByRole('heading', { name: 'You’re on the list' })).toBeVisible()
  await expect(page.getByText(/^Checked by Tollgate as dec_[0-9a-f]{32}$/)).toBeVisible()
  expect(await merchant.books()).toMatchObject({ orders: 0, letters: 1, decisions: 1, fromQuota: 1 })
})

test('a keyboard is enough', async ({ page, merchant }) => {
  await page.goto(`${merchant.shop}/checkout?product=bell`)
  const tabTo = async (target: Locator) => {
    const focused = target.and(page.locator(':focus'))
    for (let tabs = 0; tabs < 20 && (await focused.count()) === 0; tabs++) await page.keyboard.press('Tab')
    await expect(target).toBeFocused()
  }
  await tabTo(page.getByRole('link', { name: 'Skip to the content' }))
  await page.keyboard.press('Enter')
  await tabTo(page.getByRole('radio', { name: 'Brass bell' }))
  await page.keyboard.press('ArrowDown')
  await tabTo(page.getByLabel('Quantity'))
  await page.keyboard.type('3')
  await tabTo(page.getByLabel('Name'))
  await page.keyboard.type('Ada Lovelace')
  await tabTo(page.getByLabel('E-mail'))
  await page.keyboard.type('ada@example.com')
  await tabTo(page.getByLabel('Delivery address'))
  await page.keyboard.type('12 Square')
  await tabTo(placeOrder(page))
  await page.keyboard.press('Space')
  await expectReceipt(page)
  await expect(page.getByText('3 × Harbour saddle')).toBeVisible()
  expect(await merchant.books()).toMatchObject({ orders: 1, fromQuota: 1 })
})

test('a form sent while the check is at work goes by itself when it is done, once', async ({ page, merchant }) => {
  let proceed = () => {}
  const held = new Promise<void>((resolve) => {
    proceed = resolve
  })
  await page.route('**/solve', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${merchant.shop}/checkout`)
  await fillOrder(page)
  await placeOrder(page).dblclick()
  await expect(check(page)).toHaveText('Verifying you are human')
  expect(await merchant.books()).toMatchObject({ orders: 0 })
  proceed()
  await expectReceipt(page)
  expect(await merchant.books()).toMatchObject({ orders: 1, fromQuota: 1 })
})

test('a form with a mistake costs nothing, says where it is, and can be sent again', async ({ page, merchant }) => {
  await prepareOrder(page, merchant.shop)
  await page.getByLabel('E-mail').fill('ada at example')
  await placeOrder(page).click()
  await expect(page.getByRole('alert')).toContainText('Enter an e-mail address')
  await expect(page.getByLabel('E-mail')).toHaveAttribute('aria-invalid', 'true')
  expect(await merchant.books()).toMatchObject({ orders: 0, decisions: 0, fromQuota: 0 })

  await page.getByLabel('E-mail').fill('ada@example.com')
  await passCheck(page)
  await placeOrder(page).click()
  await expectReceipt(page)
  expect(await merchant.books()).toMatchObject({ orders: 1, decisions: 1, fromQuota: 1 })
})
