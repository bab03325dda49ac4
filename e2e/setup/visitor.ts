import type { Locator, Page } from '@playwright/test'
import { expect } from './test.ts'
import type { Trial } from './trial.ts'

/** What a visitor sees and does in the shop and in the component. */

export async function fillOrder(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'Harbour saddle' }).check()
  await page.getByLabel('Name').fill('Ada Lovelace')
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByLabel('Delivery address').fill('12 St James’s Square\nLondon')
}

/** Opens the order form, fills it in and waits for the token. */
export async function prepareOrder(page: Page, shop: string): Promise<void> {
  await page.goto(`${shop}/checkout`)
  await fillOrder(page)
  await passCheck(page)
}

/** Opens the newsletter form, fills it in and waits for the token. */
export async function prepareEmail(page: Page, shop: string): Promise<void> {
  await page.goto(`${shop}/signup`)
  await page.getByLabel('E-mail').fill('ada@example.com')
  await passCheck(page)
}

export async function passCheck(page: Page): Promise<void> {
  await expect(check(page)).toHaveText('Verified')
  await expect(token(page)).toHaveValue(/^tgr_/)
}

/** The component's status text. */
export function check(within: Page | Locator): Locator {
  return within.getByRole('group', { name: 'Human verification' }).getByRole('status')
}

/** The form field that contains the token. */
export function token(within: Page | Locator): Locator {
  return within.locator('[name="svc-captcha-response"]')
}

/** Replaces the token when the form is collected, as an attacker's script would. */
export async function plant(page: Page, value: string): Promise<void> {
  await page.evaluate(
    `addEventListener('formdata', ({ formData }) => formData.set('svc-captcha-response', ${JSON.stringify(value)}))`,
  )
}

export function placeOrder(page: Page): Locator {
  return page.getByRole('button', { name: 'Place the order' })
}

export async function expectReceipt(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Thank you, Ada Lovelace' })).toBeVisible()
  await expect(page.getByText(/PW-\d+/)).toBeVisible()
}

/** An event of the component, as recorder.js stores it. */
export type RecordedEvent = {
  name: string
  frame: number
  id: string
  ratio?: number
  code?: string
  requestId?: string
  field?: string
}

/** The events of the component so far, in order. */
export const events = (page: Page): Promise<RecordedEvent[]> => page.evaluate<RecordedEvent[]>('recorder.events')

/** The checkbox that starts the verification where it does not start by itself. */
export const checkbox = (within: Page | Locator): Locator =>
  within.getByRole('checkbox', { name: 'Verify you are human' })

/** Counts the requests that the page sends to this endpoint from now on. */
export function countRequests(page: Page, endpoint: 'challenge' | 'solve'): () => number {
  let count = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith(`/${endpoint}`)) count += 1
  })
  return () => count
}

/** Hides or shows the page as switching tabs does. In a headless browser every tab is visible. */
export async function setVisible(page: Page, visible: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, value: ${!visible} })
    document.dispatchEvent(new Event('visibilitychange'))`)
}

/** Delays the responses of this endpoint until the returned function is called. */
export async function delayResponses(page: Page, endpoint: 'challenge' | 'solve'): Promise<() => void> {
  let proceed = () => {}
  const delayed = new Promise<void>((resolve) => {
    proceed = resolve
  })
  await page.route(`**/${endpoint}`, async (route) => {
    await delayed
    await route.continue().catch(() => undefined)
  })
  return () => proceed()
}

/** Lets time pass in the page's installed clock until it has a token. */
export async function runUntilSolved(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.runFor(2_000)
      return (await events(page)).at(-1)?.name
    })
    .toBe('solved')
}

/** Lets time pass in the page's installed clock until the `count`th error. */
export async function runUntilError(page: Page, count = 1): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.runFor(1_000)
      return (await events(page)).filter(({ name }) => name === 'error').length
    })
    .toBe(count)
}

/** Presses Send in the form of the component. It arrives with a token that the service accepts for its intent. */
export async function expectSent(page: Page, trial: Trial, within: Page | Locator = page): Promise<void> {
  let intent = await within.locator('.svc-captcha').first().getAttribute('data-intent')
  let arrived: string | undefined
  page.on('request', (request) => {
    if (request.isNavigationRequest()) arrived ??= request.url()
    // an intent that is renewed; the page that the form leads to has a component, too
    else if (!arrived && request.method() === 'POST' && request.url().endsWith('/challenge'))
      intent = String((request.postDataJSON() as Record<string, unknown>)['intent_id'])
  })
  await within.getByRole('button', { name: 'Send' }).first().click()
  await expect.poll(() => arrived).toBeTruthy()
  const sent = new URL(arrived ?? '').searchParams.getAll('svc-captcha-response')
  expect(sent).toEqual([expect.stringMatching(/^tgr_/)])
  expect(await trial.redeem(intent ?? '', sent[0] ?? '')).toBe(200)
}
