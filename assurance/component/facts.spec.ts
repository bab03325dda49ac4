import type { Page } from '@playwright/test'
import { expect, test } from '../../e2e/setup/test.ts'
import { check, mockRenewals, renewWith } from '../../e2e/setup/visitor.ts'

/** The facts that the component sends from now on with each POST, by the end of its path. */
function watchFacts(page: Page): Record<string, string | undefined> {
  const sent: Record<string, string | undefined> = {}
  page.on('request', (request) => {
    const path = /\/(challenge|solve|intent)$/.exec(request.url())?.[1]
    if (path && request.method() === 'POST') sent[path] = request.headers()['svc-captcha-facts']
  })
  return sent
}

test('a person’s browser sends no facts', async ({ page, trial, visit }) => {
  const sent = watchFacts(page)
  await visit(await trial.form())
  await expect(check(page)).toHaveText('Verified')
  expect(sent).toEqual({ challenge: undefined, solve: undefined })
})

test('a browser that a program drives says so', async ({ page, trial, visit }) => {
  // what Chromium itself says unless it is told not to (playwright.config.ts)
  await page.addInitScript(`Object.defineProperty(navigator, 'webdriver', { get: () => true })`)
  const sent = watchFacts(page)
  await visit(await trial.form())
  await expect(check(page)).toHaveText('Verified')
  expect(sent).toEqual({ challenge: 'webdriver', solve: 'webdriver' })
})

test('a form is idle if a script submits it on an untouched page', async ({ page, trial, visit }) => {
  const sent = watchFacts(page)
  // not from the test: the browser takes what Playwright evaluates for an action of the user
  const script = `<script>addEventListener('svc-captcha:ready', () => document.forms[0].requestSubmit())</script>`
  await visit(script + (await trial.form('data-start="submit"')))
  await page.waitForURL(/svc-captcha-response=tgr_/)
  expect(sent).toEqual({ challenge: 'idle', solve: 'idle' })

  await visit(await trial.form('data-start="submit"'))
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/svc-captcha-response=tgr_/)
  expect(sent).toEqual({ challenge: undefined, solve: undefined })
})

test('a renewal on an untouched page is idle, and the merchant gets no facts', async ({ page, trial, visit }) => {
  // every look of the test at the page counts as an action of its user
  await page.addInitScript(
    `Object.defineProperty(navigator, 'userActivation', { get: () => ({ hasBeenActive: false }) })`,
  )
  const sent = watchFacts(page)
  await mockRenewals(page, renewWith(trial.intent))
  await page.clock.install()
  const script = `<script>addEventListener('svc-captcha:expired', () => document.forms[0].comment.focus())</script>`
  await visit(script + (await trial.form('data-renew="/intent"')))
  await expect(check(page)).toHaveText('Verified')
  expect(sent).toEqual({ challenge: undefined, solve: undefined })
  await page.clock.fastForward('05:01')
  await expect(check(page)).toHaveText('Verified')
  expect(sent).toEqual({ intent: undefined, challenge: 'idle', solve: 'idle' })
})

test('a filled honeypot is a fact, in the widget’s own form only', async ({ page, trial, visit }) => {
  const sent = watchFacts(page)
  const trap = (value: string) => `<input name="website" value="${value}" data-svc-captcha-honeypot hidden>`
  const form = async (value: string) =>
    `<form>${trap('elsewhere')}</form>${(await trial.form()).replace('<form>', `<form>${trap(value)}`)}`
  await visit(await form(''))
  await expect(check(page)).toHaveText('Verified')
  expect(sent).toEqual({ challenge: undefined, solve: undefined })
  await visit(await form('https://spam.example'))
  await expect(check(page)).toHaveText('Verified')
  expect(sent).toEqual({ challenge: 'honeypot', solve: 'honeypot' })
})
