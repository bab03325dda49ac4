import type { Locator, Page } from '@playwright/test'
import { expect } from './test.ts'

/** What a visitor sees and does in the shop and at the check. */

export async function fillOrder(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Harbour saddle' }).check()
  await page.getByLabel('Name').fill('Ada Lovelace')
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByLabel('Delivery address').fill('12 St James’s Square\nLondon')
}

/** Opens the order form, fills it in and waits for the check. */
export async function prepareOrder(page: Page, shop: string): Promise<void> {
  await page.goto(`${shop}/checkout`)
  await fillOrder(page)
  await passCheck(page)
}

/** Opens the form of the letter, fills it in and waits for the check. */
export async function prepareEmail(page: Page, shop: string): Promise<void> {
  await page.goto(`${shop}/signup`)
  await page.getByLabel('E-mail').fill('ada@example.com')
  await passCheck(page)
}

export async function passCheck(page: Page): Promise<void> {
  await expect(check(page)).toHaveText('Verified')
  await expect(token(page)).toHaveValue(/^tgr_/)
}

/** What the check says. */
export function check(within: Page | Locator): Locator {
  return within.getByRole('group', { name: 'Human verification' }).getByRole('status')
}

/** The field in which the check leaves its token. */
export function token(within: Page | Locator): Locator {
  return within.locator('input[name="svc-captcha-response"]')
}

/** Puts another token into the form, as a script of an attacker would. */
export async function plant(page: Page, value: string): Promise<void> {
  await token(page).evaluate((field: { value: string }, planted) => {
    field.value = planted
  }, value)
}

export function placeOrder(page: Page): Locator {
  return page.getByRole('button', { name: 'Place the order' })
}

export async function expectReceipt(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Thank you, Ada Lovelace' })).toBeVisible()
  await expect(page.getByText(/PW-\d+/)).toBeVisible()
}

/** What the check tells the page, in order; kept by recorder.js. */
export type Told = { name: string; frame: number; id: string; ratio?: number; code?: string; requestId?: string }

export const told = (page: Page): Promise<Told[]> => page.evaluate<Told[]>('recorder.events')

/** The box that a visitor presses where the check does not begin by itself. */
export const start = (within: Page | Locator): Locator => within.getByRole('checkbox', { name: 'Verify you are human' })

/** Counts the requests that the page sends to this endpoint from now on. */
export function countRequests(page: Page, endpoint: 'challenge' | 'solve'): () => number {
  let count = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith(`/${endpoint}`)) count += 1
  })
  return () => count
}

/** Hides the page, or shows it again, as switching tabs does: a browser without a screen shows every tab. */
export async function look(page: Page, seen: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, value: ${!seen} })
    document.dispatchEvent(new Event('visibilitychange'))`)
}
