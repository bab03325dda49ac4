import type { Page } from '@playwright/test'
import type { Merchant } from './setup/merchant.ts'
import { expect, test } from './setup/test.ts'
import { check, token } from './setup/visitor.ts'

/** A form of a page of its own with the check in it. */
function form(merchant: Merchant, intent: string, attributes = ''): string {
  return `<form method="get"><label>Comment <input name="comment"></label>
    <div class="svc-captcha" data-sitekey="${merchant.sitekey}" data-intent="${intent}" data-endpoint="${merchant.tollgate}" ${attributes}></div>
    <button>Send</button></form>`
}

/** Counts the challenges that the page asks for. */
function countChallenges(page: Page): () => number {
  let count = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/challenge')) count += 1
  })
  return () => count
}

const start = (page: Page) => page.getByRole('checkbox', { name: 'Verify you are human' })

test('at the first focus in the form, and not before', async ({ page, merchant, serve }) => {
  const challenges = countChallenges(page)
  await page.goto(
    await serve(`<input aria-label="Search">${form(merchant, await merchant.intent(), 'data-start="focus"')}`),
  )
  await expect(start(page)).toBeVisible()
  await page.getByLabel('Search').focus()
  await expect(start(page)).toBeVisible()
  expect(challenges()).toBe(0)
  await page.getByLabel('Comment').focus()
  await expect(check(page)).toHaveText('Verified')
  expect(challenges()).toBe(1)
})

test('when the form is sent, which then goes by itself', async ({ page, merchant, serve }) => {
  const challenges = countChallenges(page)
  await page.goto(await serve(form(merchant, await merchant.intent(), 'data-start="submit"')))
  await page.getByLabel('Comment').fill('hello')
  await expect(start(page)).toBeVisible()
  expect(challenges()).toBe(0)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/\?comment=hello&svc-captcha-response=tgr_/)
  expect(challenges()).toBe(1)
})

test('when its box is pressed, with the keyboard as well', async ({ page, merchant, serve }) => {
  await page.goto(await serve(form(merchant, await merchant.intent(), 'data-start="submit"')))
  await expect(start(page)).toBeVisible()
  await page.getByLabel('Comment').focus()
  await page.keyboard.press('Tab')
  await expect(start(page)).toBeFocused()
  await page.keyboard.press('Space')
  await expect(check(page)).toHaveText('Verified')
  // the focus stays where it was, and the next Tab leads on
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Send' })).toBeFocused()
})

test('when the page renders it, and its callback gets the token', async ({ page, merchant, serve }) => {
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

test('three on one page, each with a token of its own', async ({ page, merchant, serve }) => {
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

test('on a page that allows next to nothing', async ({ page, merchant, serve }) => {
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

  test('on a page that allows no workers', async ({ page, merchant, serve }) => {
    const policy = `worker-src 'none'`
    await page.goto(await serve(form(merchant, await merchant.intent()), { policy }))
    await expect(check(page)).toHaveText('Verified')
  })
})

test('in the language of the page', async ({ page, merchant, serve }) => {
  await page.goto(await serve(`<div lang="de">${form(merchant, await merchant.intent())}</div>`))
  await expect(page.getByRole('group', { name: 'Prüfung auf menschliche Nutzung' }).getByRole('status')).toHaveText(
    'Geprüft',
  )
})
