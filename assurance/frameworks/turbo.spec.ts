import type { Page } from '@playwright/test'
import { check, token } from '../../e2e/setup/visitor.ts'
import { boxOf, formOf, REFUSED, type Shop, type Site } from './shop.ts'
import { expect, expectSignUp, sendEarly, sendVerified, test, worksWith } from './works.ts'

const TURBO = worksWith('Turbo', '@hotwired/turbo')
const scripts = ['@hotwired/turbo/dist/turbo.es2017-umd.js']
const LINK = '<a href="/">Sign up</a>'

/** Whether the document is still the first one: Turbo replaces its body only. */
const mark = (page: Page) => page.evaluate('window.marked = true')
const isMarked = (page: Page) => page.evaluate('window.marked === true')

test('a form, sent early', TURBO, async ({ page, open }) => {
  const shop = await open({ scripts })
  await sendEarly(page, () => page.goto(shop.url))
  await mark(page)
  await expectSignUp(page, shop)
  expect(await isMarked(page)).toBe(true)
})

test('brought by a visit', TURBO, async ({ page, open }) => {
  const shop = await open({ scripts, pages: { '/start': () => LINK } })
  await page.goto(`${shop.url}start`)
  await mark(page)
  await sendEarly(page, () => page.getByRole('link', { name: 'Sign up' }).click())
  await expectSignUp(page, shop)
  expect(await isMarked(page)).toBe(true)
})

test('shown again with errors (422)', TURBO, async ({ page, open }) => {
  const shop = await open({ scripts })
  await page.goto(shop.url)
  await mark(page)
  await sendVerified(page, REFUSED)
  await expect(page.getByLabel('Comment')).toHaveValue('')
  await sendVerified(page)
  await expectSignUp(page, shop, 2)
  expect(await isMarked(page)).toBe(true)
})

test('shown again with errors in a `<turbo-frame>`', TURBO, async ({ page, open }) => {
  const framed = (site: Site) => `<turbo-frame id="frame">${formOf(site, 'data-turbo-frame="frame"')}</turbo-frame>`
  const pages = { '/welcome': () => '<turbo-frame id="frame"><h1>Welcome</h1></turbo-frame>' }
  const shop = await open({ scripts, form: framed, pages })
  await page.goto(shop.url)
  await sendVerified(page, REFUSED)
  await expect(page.getByLabel('Comment')).toHaveValue('')
  await sendVerified(page)
  await expectSignUp(page, shop, 2)
})

test('Back to a form that Turbo has sent', TURBO, async ({ page, open }) => {
  const shop = await open({ scripts })
  await page.goto(shop.url)
  await mark(page)
  const first = await page.locator('.svc-captcha').getAttribute('data-intent')
  await sendVerified(page)
  await expectSignUp(page, shop)
  await page.goBack()
  await expect(page.locator('.svc-captcha')).not.toHaveAttribute('data-intent', first ?? '')
  await sendVerified(page)
  await expectSignUp(page, shop, 2)
  expect(await isMarked(page)).toBe(true)
})

/** Sends a form by the page's own script, follows a link and comes back to the copy of the page in the cache. */
async function sendAndReturn(page: Page, shop: Shop): Promise<void> {
  await page.goto(shop.url)
  await mark(page)
  await sendVerified(page)
  await expectSignUp(page, shop)
  await page.getByRole('link', { name: 'Elsewhere' }).click()
  await expect(page.getByRole('heading', { name: 'Elsewhere' })).toBeVisible()
  await page.goBack()
}

const ELSEWHERE = '<a href="/elsewhere">Elsewhere</a>'
const OWN_HANDLER = 'onsubmit="signUp(event)"'

test('Back to a cached form that a script has sent', TURBO, async ({ page, open }) => {
  const form = (site: Site) => formOf(site, OWN_HANDLER) + ELSEWHERE
  const shop = await open({ scripts, form, pages: { '/elsewhere': () => '<h1>Elsewhere</h1>' } })
  await sendAndReturn(page, shop)
  await expect(check(page)).toContainText('Verification expired')
  expect([await isMarked(page), await token(page).inputValue()]).toEqual([true, ''])
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(check(page)).toHaveText('Verified')
  await sendVerified(page)
  await expectSignUp(page, shop, 2)
})

test('Back to a cached form that a script has sent, with `data-renew`', TURBO, async ({ page, open }) => {
  const form = (site: Site) => formOf(site, OWN_HANDLER, boxOf(site, 'data-renew="/intent"')) + ELSEWHERE
  const shop = await open({ scripts, form, pages: { '/elsewhere': () => '<h1>Elsewhere</h1>' } })
  await sendAndReturn(page, shop)
  await expect(token(page)).toHaveValue('')
  await page.getByLabel('Comment').fill('hello')
  await page.getByRole('button', { name: 'Send' }).click()
  await expectSignUp(page, shop, 2)
  expect(await isMarked(page)).toBe(true)
})

test('Back to a cached form that was not sent', TURBO, async ({ page, open }) => {
  const shop = await open({
    scripts,
    pages: { '/': (site) => formOf(site) + ELSEWHERE, '/elsewhere': () => '<h1>Elsewhere</h1>' },
  })
  await page.goto(shop.url)
  await mark(page)
  await expect(check(page)).toHaveText('Verified')
  await page.getByRole('link', { name: 'Elsewhere' }).click()
  await expect(page.getByRole('heading', { name: 'Elsewhere' })).toBeVisible()
  await page.goBack()
  await sendVerified(page)
  await expectSignUp(page, shop)
  expect(await isMarked(page)).toBe(true)
})

test('a link to a form that was sent', TURBO, async ({ page, open }) => {
  const shop = await open({ scripts, pages: { '/welcome': () => `<h1>Welcome</h1>${LINK}` } })
  await page.goto(shop.url)
  await mark(page)
  const first = await page.locator('.svc-captcha').getAttribute('data-intent')
  await sendVerified(page)
  await expectSignUp(page, shop)
  await page.getByRole('link', { name: 'Sign up' }).click()
  await expect(page.locator('.svc-captcha')).not.toHaveAttribute('data-intent', first ?? '')
  await sendVerified(page)
  await expectSignUp(page, shop, 2)
  expect(await isMarked(page)).toBe(true)
})

test('a refresh that morphs the page to a new intent', TURBO, async ({ page, open }) => {
  const shop = await open({ scripts, head: '<meta name="turbo-refresh-method" content="morph">' })
  await page.goto(shop.url)
  await mark(page)
  await expect(check(page)).toHaveText('Verified')
  const first = await page.locator('.svc-captcha').getAttribute('data-intent')
  await page.evaluate('Turbo.session.refresh(location.href)')
  await expect(page.locator('.svc-captcha')).not.toHaveAttribute('data-intent', first ?? '')
  await sendVerified(page)
  await expectSignUp(page, shop)
  expect(await isMarked(page)).toBe(true)
})
