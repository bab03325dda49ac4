import { check, token } from '../../e2e/setup/visitor.ts'
import { boxOf, formOf, REFUSED, type Site } from './shop.ts'
import { expect, expectSignUp, sendEarly, sendVerified, test, worksWith } from './works.ts'

const HTMX = worksWith('htmx', 'htmx.org')
const scripts = ['htmx.org/dist/htmx.js']
/** As documented by htmx: the answer to a refused form is swapped in as well. */
const head = `<meta name="htmx-config" content='${JSON.stringify({
  responseHandling: [
    { code: '[23]..', swap: true },
    { code: '422', swap: true },
  ],
})}'>`
const form = (site: Site) => formOf(site, 'hx-post="/signup" hx-target="this" hx-swap="outerHTML"')

test('a form with `hx-post`, sent early', HTMX, async ({ page, open }) => {
  const shop = await open({ scripts, form })
  await sendEarly(page, () => page.goto(shop.url))
  await expectSignUp(page, shop)
  expect(page.url()).toBe(shop.url)
})

test('swapped in by `hx-get`', HTMX, async ({ page, open }) => {
  const pages = { '/': () => '<button hx-get="/form" hx-swap="outerHTML">Sign up</button>' }
  const shop = await open({ scripts, form, pages })
  await page.goto(shop.url)
  await sendEarly(page, () => page.getByRole('button', { name: 'Sign up' }).click())
  await expectSignUp(page, shop)
})

test('swapped back with errors (422)', HTMX, async ({ page, open }) => {
  const shop = await open({ scripts, head, form })
  await page.goto(shop.url)
  await sendVerified(page, REFUSED)
  await expect(page.getByLabel('Comment')).toHaveValue('')
  await sendVerified(page)
  await expectSignUp(page, shop, 2)
})

test('morphed with errors, by the extension of idiomorph', HTMX, async ({ page, open }) => {
  const shop = await open({
    scripts: [...scripts, 'idiomorph/dist/idiomorph-ext.js'],
    head,
    form: (site) => formOf(site, 'hx-ext="morph" hx-post="/signup" hx-target="this" hx-swap="morph:outerHTML"'),
  })
  await page.goto(shop.url)
  const first = await page.locator('.svc-captcha').getAttribute('data-intent')
  await sendVerified(page, REFUSED)
  await expect(page.locator('.svc-captcha')).not.toHaveAttribute('data-intent', first ?? '')
  await sendVerified(page)
  await expectSignUp(page, shop, 2)
})

test('Back to a form that `hx-boost` has sent, with `data-renew`', HTMX, async ({ page, open }) => {
  const pages = {
    '/': (site: Site) => `<div hx-boost="true">${formOf(site, '', boxOf(site, 'data-renew="/intent"'))}</div>`,
  }
  const shop = await open({ scripts, pages })
  await page.goto(shop.url)
  await page.evaluate('window.marked = true')
  await sendVerified(page)
  await expectSignUp(page, shop)
  await page.goBack()
  await expect(token(page)).toHaveValue('')
  await expect(check(page)).not.toHaveText('Verified')
  await page.getByLabel('Comment').fill('hello')
  await page.getByRole('button', { name: 'Send' }).click()
  await expectSignUp(page, shop, 2)
  expect(await page.evaluate('window.marked')).toBe(true)
})
