import type { Page } from '@playwright/test'
import type { Merchant } from './setup/merchant.ts'
import { expect, test } from './setup/test.ts'
import { check, token } from './setup/visitor.ts'

/** A form with the component. */
function form(merchant: Merchant, intent: string, attributes = ''): string {
  return `<form method="get"><label>Comment <input name="comment"></label>
    <div class="svc-captcha" data-sitekey="${merchant.sitekey}" data-intent="${intent}" data-endpoint="${merchant.tollgate}" ${attributes}></div>
    <button>Send</button></form>`
}

/** Counts the challenges that the page requests. */
function countChallenges(page: Page): () => number {
  let count = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/challenge')) count += 1
  })
  return () => count
}

const checkbox = (page: Page) => page.getByRole('checkbox', { name: 'Verify you are human' })

test('start=focus starts on the first focus in the form, and not before', async ({ page, merchant, serve }) => {
  const challenges = countChallenges(page)
  await page.goto(
    await serve(`<input aria-label="Search">${form(merchant, await merchant.intent(), 'data-start="focus"')}`),
  )
  await expect(checkbox(page)).toBeVisible()
  await page.getByLabel('Search').focus()
  await expect(checkbox(page)).toBeVisible()
  expect(challenges()).toBe(0)
  await page.getByLabel('Comment').focus()
  await expect(check(page)).toHaveText('Verified')
  expect(challenges()).toBe(1)
})

test('start=submit starts on submit, and then submits the form', async ({ page, merchant, serve }) => {
  const challenges = countChallenges(page)
  await page.goto(await serve(form(merchant, await merchant.intent(), 'data-start="submit"')))
  await page.getByLabel('Comment').fill('hello')
  await expect(checkbox(page)).toBeVisible()
  expect(challenges()).toBe(0)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/\?comment=hello&svc-captcha-response=tgr_/)
  expect(challenges()).toBe(1)
})

test('pressing the box starts the verification, with the keyboard too', async ({ page, merchant, serve }) => {
  await page.goto(await serve(form(merchant, await merchant.intent(), 'data-start="submit"')))
  await expect(checkbox(page)).toBeVisible()
  await page.getByLabel('Comment').focus()
  await page.keyboard.press('Tab')
  await expect(checkbox(page)).toBeFocused()
  await page.keyboard.press('Space')
  await expect(check(page)).toHaveText('Verified')
  // The focus does not move, and Tab moves to the next field.
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Send' })).toBeFocused()
})

test('render starts the verification, and the callback gets the token', async ({ page, merchant, serve }) => {
  const url = await serve('<form id="form"><div id="here"></div></form>', { query: '?render=explicit' })
  const options = { sitekey: merchant.sitekey, intent: await merchant.intent(), endpoint: merchant.tollgate }
  await page.goto(url)
  await page.waitForFunction('window.svcCaptcha')
  await page.evaluate(
    `svcCaptcha.render('#here', { ...${JSON.stringify(options)}, callback: (token) => { window.given = token } })`,
  )
  await expect(check(page)).toHaveText('Verified')
  expect(await page.evaluate('given')).toBe(await token(page).inputValue())
})

test('three components on one page each get their own token', async ({ page, merchant, serve }) => {
  const intents = await Promise.all([merchant.intent(), merchant.intent(), merchant.intent()])
  await page.goto(await serve(intents.map((intent) => form(merchant, intent)).join('')))
  const tokens: string[] = []
  for (const each of await page.locator('form').all()) {
    await expect(check(each)).toHaveText('Verified')
    tokens.push(await token(each).inputValue())
  }
  expect(tokens).toHaveLength(3)
  expect(new Set(tokens).size).toBe(3)
})

test('the component works with a minimal Content Security Policy', async ({ page, merchant, serve }) => {
  const policy = [
    `default-src 'none'`,
    `script-src ${merchant.tollgate}`,
    `connect-src ${merchant.tollgate}`,
    'worker-src blob:',
  ].join('; ')
  await page.goto(await serve(form(merchant, await merchant.intent()), { policy }))
  await expect(check(page)).toHaveText('Verified')
  await expect(page.getByRole('group', { name: 'Human verification' })).toHaveCSS('border-top-width', '1px')
})

test.describe('without workers', () => {
  test.use({ expectedErrors: /Content Security Policy directive: "worker-src 'none'"/ })

  test('the component works if the policy forbids workers', async ({ page, merchant, serve }) => {
    const policy = `worker-src 'none'`
    await page.goto(await serve(form(merchant, await merchant.intent()), { policy }))
    await expect(check(page)).toHaveText('Verified')
  })
})

test('the language is that of the nearest lang attribute', async ({ page, merchant, serve }) => {
  await page.goto(await serve(`<div lang="de">${form(merchant, await merchant.intent())}</div>`))
  await expect(page.getByRole('group', { name: 'Prüfung auf menschliche Nutzung' }).getByRole('status')).toHaveText(
    'Geprüft',
  )
})
