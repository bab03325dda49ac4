import type { FrameLocator, Locator, Page, Request, Route } from '@playwright/test'
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
export function token(within: Page | Locator | FrameLocator): Locator {
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
export async function delayResponses(page: Page, endpoint: 'challenge' | 'solve' | 'script.js'): Promise<() => void> {
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

/** Lets time pass in the page's installed clock, in steps of `step` milliseconds, until `isReached`. */
export async function runUntil(page: Page, isReached: () => unknown, step = 1_000): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.runFor(step)
      return isReached()
    })
    .toBe(true)
}

/** Lets time pass in the page's installed clock until it has a token. */
export const runUntilSolved = (page: Page): Promise<void> =>
  runUntil(page, async () => (await events(page)).at(-1)?.name === 'solved', 2_000)

/** Lets time pass in the page's installed clock until the `count`th error. */
export const runUntilError = (page: Page, count = 1): Promise<void> =>
  runUntil(page, async () => (await events(page)).filter(({ name }) => name === 'error').length === count)

/** Answers the page's renewals of its intent; returns the requests. */
export async function mockRenewals(
  page: Page,
  respond: (route: Route, turn: number) => Promise<void> | undefined,
): Promise<Request[]> {
  const asked: Request[] = []
  await page.route('**/intent', async (route) => {
    asked.push(route.request())
    await respond(route, asked.length)
  })
  return asked
}

export const renewWith = (next: () => Promise<string>) => async (route: Route) =>
  route.fulfill({ json: { intent_id: await next() } })

/** Waits for the token, and lets it expire in the page's installed clock. */
export async function expire(page: Page, within: Page | FrameLocator = page): Promise<void> {
  await expect(token(within)).toHaveValue(/^tgr_/)
  await page.clock.fastForward('05:01')
  await expect(token(within)).toHaveValue('')
}

/** The lines that the component writes to the console from now on. */
export function linesOf(page: Page): string[] {
  const lines: string[] = []
  page.on('console', (message) => {
    if (message.text().startsWith('Tollgate: ')) lines.push(message.text())
  })
  return lines
}

/** An answer in place of the service, which scripts of any origin can read. */
export const answer =
  (status: number, json: object, headers: Record<string, string> = {}) =>
  (route: Route): Promise<void> =>
    route.fulfill({
      status,
      json,
      headers: { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*', ...headers },
    })

/** The solver's files that the page requests from now on, and the kinds of the challenges that it gets. */
export function watchSolver(page: Page): { files: () => string[]; kinds: () => Promise<unknown[]> } {
  const files = new Set<string>()
  const kinds: Promise<unknown>[] = []
  page.on('request', (request) => {
    const file = /\/solver-[\w-]+\/([\w.]+)$/.exec(request.url())?.[1]
    if (file) files.add(file)
  })
  page.on('response', (response) => {
    if (response.request().method() === 'POST' && response.url().endsWith('/challenge'))
      kinds.push(response.json().then((body: { kind: unknown }) => body.kind))
  })
  return { files: () => [...files].toSorted(), kinds: () => Promise.all(kinds) }
}

/** Waits for the token, which the service accepts for the intent of the page. */
export async function expectPass(page: Page, trial: Trial): Promise<void> {
  await passCheck(page)
  expect(await trial.redeem(await intentOf(page), await token(page).inputValue())).toBe(200)
}

/** The intent that the page's first component names. */
export const intentOf = async (page: Page | Locator): Promise<string> =>
  (await page.locator('.svc-captcha').first().getAttribute('data-intent')) ?? ''

/** Presses Send in the form of the component. It arrives with a token that the service accepts for its intent. */
export async function expectSent(page: Page, trial: Trial, within: Page | Locator = page): Promise<void> {
  let intent = await intentOf(within)
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
  expect(await trial.redeem(intent, sent[0] ?? '')).toBe(200)
}
