import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { test as base, expect } from '../../e2e/setup/test.ts'
import { check, delayResponses } from '../../e2e/setup/visitor.ts'
import { openShop, type Shop, type ShopOptions } from './shop.ts'

export { expect } from '../../e2e/setup/test.ts'

type PerTest = {
  /** Opens a merchant's sign-up. */
  open: (options?: ShopOptions) => Promise<Shop>
}

export const test = base.extend<PerTest>({
  open: async ({ trial }, use) => {
    const shops: Shop[] = []
    await use(async (options) => {
      const shop = await openShop(trial, options)
      shops.push(shop)
      return shop
    })
    await Promise.all(shops.map((shop) => shop.close()))
  },
})

/** Details of a test whose title docs/works-with.md lists, once it has passed. `from`: the package, if it has another name. */
export function worksWith(name: string, from = name.toLowerCase()) {
  const { version } = JSON.parse(readFileSync(`node_modules/${from}/package.json`, 'utf8')) as { version: string }
  return { annotation: { type: 'works with', description: `${name} ${version}` } }
}

const send = (page: Page) => page.getByRole('button', { name: 'Send' }).click()

/** Enters a comment, and sends the form while the component works. */
export async function sendEarly(page: Page, act: () => Promise<unknown>): Promise<void> {
  const proceed = await delayResponses(page, 'challenge')
  await act()
  await page.getByLabel('Comment').fill('hello')
  await expect(check(page)).toHaveText('Verifying you are human')
  await send(page)
  proceed()
}

/** Enters a comment, and sends the form when the visitor is verified. */
export async function sendVerified(page: Page, comment = 'hello'): Promise<void> {
  await page.getByLabel('Comment').fill(comment)
  await expect(check(page)).toHaveText('Verified')
  await send(page)
}

/** The sign-up has arrived, as the last of `count`, with a token that the service accepts. */
export async function expectSignUp(page: Page, { signUps }: Shop, count = 1): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible()
  await expect.poll(() => signUps.length).toBe(count)
  expect(signUps.at(-1)).toEqual({ comment: 'hello', status: 200 })
}

const toggle = (page: Page) => page.getByRole('button', { name: 'Show or hide' })

/** Hides what the page's button hides, and shows it again. */
export async function hideAndShow(page: Page): Promise<void> {
  await expect(check(page)).toHaveText('Verified')
  await toggle(page).click()
  await expect(check(page)).toBeHidden()
  await toggle(page).click()
}
