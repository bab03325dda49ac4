import type { Page } from '@playwright/test'
import { expect, test } from '../../e2e/setup/test.ts'
import { check, checkbox, expectPass, mockRenewals, renewWith, token } from '../../e2e/setup/visitor.ts'

const TOKEN = 'svc-captcha-response'
const RESTORE = `Object.defineProperty(window, 'restore', { value: () => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })) })`

/** The values that the form would submit under the token's name, right after `script`. */
const collected = (page: Page, script = '') =>
  page.evaluate<string[]>(`${script}; new FormData(document.forms[0]).getAll('${TOKEN}')`)

test.describe('a form that is reset still has the token', () => {
  const FIELDS: Readonly<Record<string, string>> = {
    'in the component’s field': '',
    'in a text area of the page': `<textarea name="${TOKEN}" hidden></textarea>`,
    'in a text field of the page': `<input name="${TOKEN}" hidden>`,
    'in a hidden field of the page': `<input type="hidden" name="${TOKEN}">`,
  }
  for (const [place, field] of Object.entries(FIELDS)) {
    test(place, async ({ page, trial, visit }) => {
      await visit(`<form>${field}${await trial.box()}<button type="reset">Reset</button><button>Send</button></form>`)
      await expect(check(page)).toHaveText('Verified')
      await page.getByRole('button', { name: 'Reset' }).click()
      // also for scripts that read the fields themselves
      await expect.poll(() => page.evaluate(`document.forms[0].elements['${TOKEN}'].value`)).toMatch(/^tgr_/)
      expect(await collected(page, 'document.forms[0].reset()')).toEqual([expect.stringMatching(/^tgr_/)])
      await page.evaluate(
        `document.forms[0].addEventListener('submit', ({ target }) => { window.seen = target.elements['${TOKEN}'].value })`,
      )
      await page.evaluate('document.forms[0].reset(); document.forms[0].requestSubmit()')
      await page.waitForURL(new RegExp(`${TOKEN}=tgr_`))
      expect(new URL(page.url()).searchParams.getAll(TOKEN)).toEqual([expect.stringMatching(/^tgr_/)])
    })
  }
})

test('a field that is rendered after the verification has the token when it is read', async ({
  page,
  trial,
  visit,
}) => {
  await visit(`<form>${await trial.box()}<main></main><button type="button">Send</button></form>
    <script>document.querySelector('[type=button]').addEventListener('click', () => { window.read = document.forms[0].elements['${TOKEN}'].value })</script>`)
  await expect(check(page)).toHaveText('Verified')
  await page.evaluate(`document.querySelector('main').innerHTML = '<input type="hidden" name="${TOKEN}">'`)
  await page.getByRole('button', { name: 'Send' }).click()
  expect(await page.evaluate('read')).toMatch(/^tgr_/)
  await page.evaluate(`document.querySelector('main').replaceChildren()`)
  await page.getByRole('button', { name: 'Send' }).click()
  expect(await page.evaluate('read')).toMatch(/^tgr_/)
})

test('the token is not part of the page’s HTML, and is not kept by a clone', async ({ page, trial, visit }) => {
  await visit(await trial.form())
  await expect(token(page)).toHaveValue(/^tgr_/)
  expect(
    await page.evaluate('document.documentElement.outerHTML + new XMLSerializer().serializeToString(document)'),
  ).not.toContain('tgr_')
})

/** What happens on the page before the visitor returns by the back/forward cache, and whether the token may have been used. */
const RETURNS: Readonly<Record<string, [script: string, used: boolean]>> = {
  'only an autosave has read the form': ['new FormData(form)', false],
  'a draft was sent by a button that skips the component': [
    'form.requestSubmit(form.querySelector("[name=draft]"))',
    false,
  ],
  'a submit was prevented before the values were read': ['form.requestSubmit()', false],
  'a script has sent the values of a submit': ['send = true; form.requestSubmit()', true],
  'a script has sent the values, after an autosave': ['new FormData(form); send = true; form.requestSubmit()', true],
}

for (const [title, [script, used]] of Object.entries(RETURNS)) {
  test(`a page that comes back ${used ? 'asks for a new intent' : 'keeps its token'}: ${title}`, async ({
    page,
    trial,
    visit,
  }) => {
    await page.addInitScript(RESTORE)
    const form = `<form><input name="comment" aria-label="Comment">${await trial.box()}<button>Send</button>
      <button name="draft" data-svc-captcha-skip>Draft</button></form>`
    await visit(`${form}<script>
        form = document.forms[0]
        send = false
        form.addEventListener('submit', (event) => { event.preventDefault(); if (send) new FormData(form) })</script>`)
    await expect(check(page)).toHaveText('Verified')
    await page.evaluate(`${script}; restore()`)
    if (used) await expect(check(page)).toContainText('Verification expired')
    else expect(await page.evaluate(`svcCaptcha.getResponse('.svc-captcha')`)).toMatch(/^tgr_/)
  })
}

test.describe('a page whose intent was redeemed before it came back from an HTTP cache', () => {
  test('is never shown as verified', async ({ page, trial, visit }) => {
    await visit(await trial.form())
    await expectPass(page, trial)
    await page.reload()
    await expect(check(page)).toContainText('Verification expired')
    await expect(page.getByRole('button', { name: 'Reload' })).toBeVisible()
    await expect(token(page)).toHaveValue('')
  })

  test('gets a new intent without a word', async ({ page, trial, visit }) => {
    const next = await trial.intent()
    await mockRenewals(
      page,
      renewWith(async () => next),
    )
    await visit(await trial.form('data-renew="/intent"'))
    await expectPass(page, trial)
    await page.reload()
    await expect(checkbox(page)).toBeVisible()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.waitForURL(/svc-captcha-response=tgr_/)
    expect(await trial.redeem(next, new URL(page.url()).searchParams.get(TOKEN) ?? '')).toBe(200)
  })
})

test('“Reload” does not repeat the POST that the page answered', async ({ page, trial, visit }) => {
  await page.clock.install()
  const methods: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest()) methods.push(request.method())
  })
  const post = '<form method="post" action="/?#form"><button>Sign up</button></form>'
  await visit(post + (await trial.form('data-start="submit"')))
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.waitForURL(/#form$/)
  await checkbox(page).click()
  await expect(check(page)).toHaveText('Verified')
  await page.clock.fastForward('05:01')
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(checkbox(page)).toBeVisible()
  expect(methods).toEqual(['GET', 'POST', 'GET'])
})
