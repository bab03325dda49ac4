import type { Browser, Page } from '@playwright/test'
import { type Merchant, openMerchant } from '../../e2e/setup/merchant.ts'
import type { Service } from '../../e2e/setup/service.ts'
import { expect, test } from '../../e2e/setup/test.ts'
import {
  expectReceipt,
  fillOrder,
  passCheck,
  placeOrder,
  plant,
  prepareEmail,
  prepareOrder,
  token,
} from '../../e2e/setup/visitor.ts'

const NOTHING = { orders: 0, letters: 0, decisions: 0, fromQuota: 0, balance: 0 }

type World = { page: Page; merchant: Merchant; service: Service; browser: Browser }

/** Tokens that do not belong into the form of `page`, whose check is passed. */
const forgeries: Record<string, (world: World) => Promise<string>> = {
  'made up': async () => `tgr_${'A'.repeat(120)}`,
  'with its first character changed': async ({ page }) => alter(await token(page).inputValue(), 'tgr_'.length),
  'with its middle changed': async ({ page }) => {
    const own = await token(page).inputValue()
    return alter(own, Math.floor(own.length / 2))
  },
  'with its last but one character changed': async ({ page }) => {
    const own = await token(page).inputValue()
    return alter(own, own.length - 2)
  },
  'of another site': async ({ service, browser }) => {
    const other = await openMerchant(service, 1)
    try {
      return await earn(browser, other.shop)
    } finally {
      await other.close()
    }
  },
  'of another visitor': async ({ browser, merchant }) => earn(browser, merchant.shop),
  'of another form of the same visitor': async ({ page, merchant }) => {
    const tab = await page.context().newPage()
    await prepareOrder(tab, merchant.shop)
    return token(tab).inputValue()
  },
  'of the sign-up': async ({ page, merchant }) => {
    const tab = await page.context().newPage()
    await prepareEmail(tab, merchant.shop)
    return token(tab).inputValue()
  },
}

for (const [what, forge] of Object.entries(forgeries)) {
  test(`a token ${what} buys nothing`, async ({ page, merchant, service, browser }) => {
    await prepareOrder(page, merchant.shop)
    await plant(page, await forge({ page, merchant, service, browser }))
    await placeOrder(page).click()
    await expect(page.getByRole('alert')).toContainText('The check didn’t fit this form')
    expect(await merchant.books()).toEqual(NOTHING)
  })
}

test('whose token did not fit goes on with what was typed', async ({ page, merchant }) => {
  await prepareOrder(page, merchant.shop)
  await plant(page, 'tgr_broken')
  await placeOrder(page).click()
  await expect(page.getByRole('alert')).toContainText('The check didn’t fit this form')
  await expect(page.getByRole('alert')).toBeFocused()
  await expect(page.getByLabel('Name')).toHaveValue('Ada Lovelace')
  await passCheck(page)
  await placeOrder(page).click()
  await expectReceipt(page)
  expect(await merchant.books()).toMatchObject({ orders: 1, decisions: 1, fromQuota: 1 })
})

test('a token that has bought something buys nothing more', async ({ page, merchant }) => {
  await prepareOrder(page, merchant.shop)
  const spent = await token(page).inputValue()
  await placeOrder(page).click()
  await expectReceipt(page)
  await prepareOrder(page, merchant.shop)
  await plant(page, spent)
  await placeOrder(page).click()
  await expect(page.getByRole('alert')).toContainText('The check didn’t fit this form')
  expect(await merchant.books()).toMatchObject({ orders: 1, decisions: 1, fromQuota: 1 })
})

test('the form of another visitor buys nothing, even with its token', async ({ page, merchant, browser }) => {
  const stranger = await browser.newPage()
  await prepareOrder(stranger, merchant.shop)
  const attempt = await stranger.locator('input[name="attempt"]').inputValue()
  const earned = await token(stranger).inputValue()
  await stranger.close()

  await prepareOrder(page, merchant.shop)
  await page.locator('input[name="attempt"]').evaluate((field: { value: string }, value) => {
    field.value = value
  }, attempt)
  await plant(page, earned)
  await placeOrder(page).click()
  await expect(page.getByRole('heading', { name: 'This form isn’t yours' })).toBeVisible()
  expect(await merchant.books()).toEqual(NOTHING)
})

test('an intent for the letter places no order', async ({ page, merchant }) => {
  await prepareEmail(page, merchant.shop)
  const form = {
    attempt: await page.locator('input[name="attempt"]').inputValue(),
    'svc-captcha-response': await token(page).inputValue(),
    product: 'bell',
    quantity: '1',
    name: 'Ada',
    email: 'ada@example.com',
    address: '1 Road',
  }
  const reply = await page.request.post(`${merchant.shop}/checkout`, { form })
  expect(reply.status()).toBe(403)
  expect(await merchant.books()).toEqual(NOTHING)
})

test('an expired intent buys nothing, and a fresh form takes over what was typed', async ({
  page,
  merchant,
  service,
}) => {
  await prepareOrder(page, merchant.shop)
  const { rowCount } = await service.sql.query(
    `update intent set created_at = created_at - interval '301 s', expires_at = expires_at - interval '301 s'
     where id = $1`,
    [await page.locator('.svc-captcha').getAttribute('data-intent')],
  )
  expect(rowCount).toBe(1)
  await placeOrder(page).click()
  await expect(page.getByRole('alert')).toContainText('The check ran out of time')
  expect(await merchant.books()).toEqual(NOTHING)

  await expect(page.getByRole('radio', { name: 'Harbour saddle' })).toBeChecked()
  await passCheck(page)
  await placeOrder(page).click()
  await expectReceipt(page)
  expect(await merchant.books()).toMatchObject({ orders: 1, decisions: 1, fromQuota: 1 })
})

const pretences = {
  'sends the form without the check': `document.querySelector('form').submit()`,
  'says that the check is passed': `
    const box = document.querySelector('.svc-captcha')
    box.dispatchEvent(new CustomEvent('svc-captcha:solved', { bubbles: true, detail: { response: '' } }))
    document.querySelector('form').submit()`,
  'takes the check away and sends the form': `
    window.svcCaptcha.remove(document.querySelector('.svc-captcha'))
    document.querySelector('form').requestSubmit()`,
}

for (const [what, script] of Object.entries(pretences)) {
  test(`a script that ${what} buys nothing`, async ({ page, merchant }) => {
    await page.route('**/challenge', (route) => route.abort())
    await page.goto(`${merchant.shop}/checkout`)
    await fillOrder(page)
    await expect(token(page)).toHaveValue('')
    await page.evaluate(script)
    await expect(page.getByRole('alert')).toContainText('Please complete the check')
    expect(await merchant.books()).toEqual(NOTHING)
  })
}

function alter(text: string, at: number): string {
  return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
}

/** A token that another visitor has earned in the order form of `shop`. */
async function earn(browser: Browser, shop: string): Promise<string> {
  const stranger = await browser.newPage()
  await prepareOrder(stranger, shop)
  const earned = await token(stranger).inputValue()
  await stranger.close()
  return earned
}
