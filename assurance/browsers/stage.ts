import { expect } from 'vitest'
import type { Shop, ShopOptions } from './shop.ts'
import type { Browser } from './webdriver.ts'

/** What a case uses. */
export type Stage = {
  browser: () => Browser
  /** Opens a shop, and its page in the browser. */
  visit: (options?: ShopOptions) => Promise<Shop>
  /** The same without the page. */
  shop: (options?: ShopOptions) => Promise<Shop>
}

/** The parts of the component. */
export const BOX = '.svc-captcha [data-tollgate]'
export const STATUS = `${BOX} >>> [role=status]`
export const CHECKBOX = `${BOX} >>> [role=checkbox]`

/** Of `expect.poll`, for a machine that is slow and busy. */
export const PATIENCE = { timeout: 30_000, interval: 50 }

/** The token in the form. */
export const tokenIn = (browser: Browser, root = 'document') =>
  browser.evaluate<string>(`${root}.querySelector('[name="svc-captcha-response"]').value`)

/** Waits until the box shows that the visitor is verified; nothing went wrong on the page. */
export async function expectVerified(browser: Browser, status = 'Verified'): Promise<void> {
  await expect.poll(() => browser.text(STATUS), PATIENCE).toBe(status)
  expect(await browser.evaluate('recorder.errors')).toEqual([])
}

/** Waits until the form was sent for the `count`th time, with a token that is good for the visitor's current intent. */
export async function expectOrder(shop: Shop, count = 1): Promise<Record<string, string>> {
  await expect.poll(() => shop.orders.length, PATIENCE).toBe(count)
  const order = shop.orders[count - 1] ?? {}
  expect(await shop.redeem(order['svc-captcha-response'])).toBe(200)
  return order
}
