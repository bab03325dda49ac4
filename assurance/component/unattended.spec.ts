import type { Page, Route } from '@playwright/test'
import { expect, test } from '../../e2e/setup/test.ts'
import {
  check,
  countRequests,
  expectSent,
  expire,
  mockRenewals,
  renewWith,
  runUntilError,
  token,
} from '../../e2e/setup/visitor.ts'

/** Pages on which something fails and passes, while the visitor does nothing but fill in the form and send it. */

const down = (route: Route) => route.abort('connectionrefused')
const up = (page: Page) => page.unroute('**/challenge')
const text = (page: Page, value: string) => page.getByLabel('Comment').pressSequentially(value)

/** A page whose button is disabled until there is a token. */
const DISABLED = `<script>
  const button = (disabled) => () => { document.querySelector('[name=by]').disabled = disabled }
  addEventListener('svc-captcha:ready', button(true))
  addEventListener('svc-captcha:expired', button(true))
  addEventListener('svc-captcha:solved', button(false))
</script>`

/** An element whose own shadow root contains the field, as those of Ionic or Shoelace. */
const CUSTOM = `<script>customElements.define('x-input', class extends HTMLElement {
  connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<input aria-label="Inner">' }
})</script>`

/** What the visitor does when the failure is over, by what the page has around its form. */
const PAGES: Readonly<
  Record<string, { before?: string; form?: (form: string) => string; act?: (page: Page) => unknown }>
> = {
  'a button that is disabled until there is a token': {
    before: DISABLED,
    act: (page) => page.getByLabel('Comment').focus(),
  },
  'a field inside a custom element': {
    before: CUSTOM,
    form: (form) => form.replace('<button', '<x-input></x-input><button'),
    act: (page) => page.getByLabel('Inner').focus(),
  },
  'a field that belongs to the form by its attribute': {
    form: (form) => `${form.replace('<form', '<form id="own"')}<input aria-label="Outer" form="own">`,
    act: (page) => page.getByLabel('Outer').focus(),
  },
  'a frame around the form that gets the focus': {
    form: (form) => form.replace('<button', '<div contenteditable aria-label="Editor"></div><button'),
    act: (page) => page.getByLabel('Editor').click(),
  },
  'a page that the browser has kept meanwhile': {
    act: (page) => page.evaluate(`void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`),
  },
  'a dialog that is closed and opened again': {
    form: (form) => `<dialog>${form}</dialog><script>document.querySelector('dialog').showModal()</script>`,
    act: async (page) => {
      await page.keyboard.press('Escape')
      // nobody opens it again before it was drawn closed
      await page.evaluate(`new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))`)
      await page.evaluate(`document.querySelector('dialog').showModal()`)
    },
  },
  'a form of another component before it': {
    form: (form) => `<form id="search"><input aria-label="Search"></form>${form}`,
  },
}

for (const [title, { before = '', form = String, act }] of Object.entries(PAGES)) {
  test(`after a failure: ${title}`, async ({ page, trial, visit }) => {
    await page.clock.install()
    await page.route('**/challenge', down)
    await visit(before + form(await trial.form()))
    await runUntilError(page)
    await up(page)
    await act?.(page)
    if (act) await expect(check(page)).toHaveText('Verified')
    await expectSent(page, trial)
  })
}

test('an event of the browser that comes too early does not use up the recovery', async ({ page, trial, visit }) => {
  await page.clock.install()
  await page.route('**/challenge', down)
  await visit(await trial.form())
  await runUntilError(page)
  for (let times = 2; times < 5; times++) {
    await page.evaluate(`void dispatchEvent(new Event('online'))`)
    await runUntilError(page, times)
  }
  await up(page)
  await expectSent(page, trial)
})

test('of two forms, the one that is sent tries again', async ({ page, trial, visit }) => {
  await page.clock.install()
  await page.route('**/challenge', down)
  await visit(`<main>${await trial.form()}</main><aside>${await trial.form()}</aside>`)
  await runUntilError(page, 2)
  await up(page)
  const challenges = countRequests(page, 'challenge')
  await page.locator('aside').getByLabel('Comment').focus()
  await expect(check(page.locator('aside'))).toHaveText('Verified')
  await expect(check(page.locator('main'))).toContainText('No connection')
  expect(challenges()).toBe(1)
  await expectSent(page, trial, page.locator('aside'))
})

test.describe('an intent that was renewed', () => {
  test('expires without a connection, and the next focus renews it', async ({ page, trial, visit }) => {
    await page.clock.install()
    await mockRenewals(page, renewWith(trial.intent))
    await visit(await trial.form('data-renew="/intent"'))
    await expire(page)
    await page.route('**/challenge', down)
    await text(page, 'a')
    await runUntilError(page)
    await trial.age(301)
    await up(page)
    await page.getByRole('button', { name: 'Send' }).focus()
    await expect(check(page)).not.toContainText('No connection')
    await expectSent(page, trial)
  })

  /** Failures of the merchant's server that pass. */
  const PASSING: Readonly<Record<string, (route: Route) => Promise<void>>> = {
    'cannot be reached': down,
    'is deployed anew': (route) => route.fulfill({ status: 502, contentType: 'text/html', body: 'Bad Gateway' }),
    'limits its visitors': (route) => route.fulfill({ status: 429, headers: { 'retry-after': '61' }, body: '' }),
  }
  for (const [what, answer] of Object.entries(PASSING)) {
    test(`is asked for again by the next focus when the page’s server ${what}`, async ({ page, trial, visit }) => {
      await page.clock.install()
      await visit(await trial.form('data-renew="/intent"'))
      await expire(page)
      await page.route('**/intent', answer)
      await text(page, 'a')
      await runUntilError(page)
      await page.unroute('**/intent')
      await mockRenewals(page, renewWith(trial.intent))
      await page.clock.fastForward('01:05')
      await page.getByRole('button', { name: 'Send' }).focus()
      await expect(check(page)).toHaveText('Verified')
      await expectSent(page, trial)
    })
  }
})

test('an intent that expires while the visitor types is renewed', async ({ page, trial, visit }) => {
  await page.clock.install()
  await mockRenewals(page, renewWith(trial.intent))
  await visit(DISABLED + (await trial.form('data-renew="/intent" data-size="invisible"')))
  await expect(token(page)).toHaveValue(/^tgr_/)
  await text(page, 'a')
  await page.clock.fastForward('05:01')
  await expect(page.getByRole('button', { name: 'Send' })).toBeDisabled()
  await text(page, 'b')
  await expect(token(page)).toHaveValue(/^tgr_/)
  await expectSent(page, trial)
})
