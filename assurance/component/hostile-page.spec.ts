import type { Page } from '@playwright/test'
import { expect, test } from '../../e2e/setup/test.ts'
import { check, checkbox, events, expectPass, intentOf, token } from '../../e2e/setup/visitor.ts'

test('the page’s styles do not affect the component', async ({ page, trial, visit }) => {
  const place = '<style>.svc-captcha { position: absolute !important; inset: 200px auto auto 20px !important }</style>'
  await visit(place + (await trial.form('data-start="focus"')))
  await expect(checkbox(page)).toBeVisible()
  const looks = async () => (await page.locator('[data-tollgate]').screenshot()).toString('base64')
  const before = await looks()
  await page.addStyleTag({
    content: `.svc-captcha * { all: unset !important; display: none !important; opacity: 0 !important }
      * { font: 40px cursive !important; letter-spacing: 1em !important; color: red !important; cursor: none !important }
      div > div { transform: rotate(9deg) !important; filter: blur(9px) !important; position: fixed !important }
      button, [role] { display: none !important }
      :root { --surface: red; --ink: red; --brand: red }`,
  })
  await expect(page.getByLabel('Comment')).toHaveCSS('letter-spacing', '40px')
  expect((await looks()) === before, 'the screenshot is unchanged').toBe(true)
  await checkbox(page).click()
  await expect(check(page)).toHaveText('Verified')
})

test('properties of Object.prototype are neither options nor responses', async ({ page, trial, visit }) => {
  const names = `sitekey intent endpoint theme size language start callback errorCallback responseFieldName tabindex kind
    response error answer failure retry requestId token challenge seed count target until ratio code id direction text cache mode redirect integrity referrerPolicy`
  const pollute = `for (const name of '${names.replace(/\s+/g, ' ')}'.split(' ')) Object.defineProperty(Object.prototype, name,
    { value: 'tgr_polluted', writable: true, configurable: true })`
  await visit(`<script>${pollute}</script>${await trial.form()}`)
  await expectPass(page, trial)
})

/** Standard APIs that the page removes, and the component's status afterwards. */
const REMOVED = {
  customElements: 'Verified',
  Worker: 'Verified',
  CustomEvent: 'Verified',
  queueMicrotask: 'Verified',
  Promise: 'Browser not supported',
}
/** Without these the service cannot be reached: four attempts fail. */
const REMOVED_TRANSPORT = ['fetch', 'JSON']

test.describe('on a page that removes standard APIs', () => {
  const removeApi = async (page: Page, url: string, name: string) => {
    await page.goto(url)
    await expect(checkbox(page)).toBeVisible()
    await page.evaluate(`window.${name} = undefined`)
    await page.getByLabel('Comment').focus()
  }

  test('after loading, the component causes no error and returns no false token', async ({ page, trial, serve }) => {
    const url = await serve(await trial.form('data-start="focus"'))
    for (const [name, outcome] of Object.entries(REMOVED)) {
      await test.step(name, async () => {
        await removeApi(page, url, name)
        await expect(check(page)).toContainText(outcome)
        await expect(token(page)).toHaveValue(outcome === 'Verified' ? /^tgr_/ : '')
      })
    }
  })

  test('without fetch or JSON, the component shows that there is no connection', async ({ page, trial, serve }) => {
    await page.clock.install()
    const url = await serve(await trial.form('data-start="focus"'))
    for (const name of REMOVED_TRANSPORT) {
      await test.step(name, async () => {
        await removeApi(page, url, name)
        await page.clock.runFor(10_000)
        await expect(check(page)).toContainText('No connection')
        await expect(token(page)).toHaveValue('')
      })
    }
  })

  test('before loading, the form still works without the component', async ({ page, trial, visit }) => {
    const form = await trial.form('data-start="focus"')
    for (const name of [...Object.keys(REMOVED), ...REMOVED_TRANSPORT, 'URL']) {
      await test.step(name, async () => {
        await visit(`<script>window.${name} = undefined</script>${form}`)
        await page.waitForLoadState('load')
        await page.getByLabel('Comment').fill('sent')
        await page.evaluate('document.forms[0].submit()')
        await page.waitForURL(/comment=sent/)
      })
    }
  })
})

test('forged tokens and events have no effect', async ({ page, trial, visit }) => {
  await visit(await trial.form('data-start="submit"'))
  await expect(checkbox(page)).toBeVisible()
  const intent = await intentOf(page)
  await page.evaluate(`{
    const box = document.querySelector('.svc-captcha')
    for (const name of ['progress', 'solved', 'expired', 'error'])
      box.dispatchEvent(new CustomEvent('svc-captcha:' + name, { bubbles: true, detail: { response: 'tgr_mine' } }))
    document.querySelector('[name=svc-captcha-response]').value = 'tgr_mine'
  }`)
  await expect(checkbox(page)).toBeVisible()
  expect(await page.evaluate(`svcCaptcha.getResponse(document.querySelector('.svc-captcha'))`)).toBe('')
  expect(await trial.redeem(intent, 'tgr_mine')).toBe(409)
  // A submit by the visitor still results in a valid token.
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/svc-captcha-response=tgr_/)
  const sent = new URL(page.url()).searchParams.getAll('svc-captcha-response')
  expect(sent).toEqual([expect.not.stringMatching('mine')])
  expect(await trial.redeem(intent, sent[0] ?? '')).toBe(200)
})

test('a clone of the element is a new component without a token', async ({ page, trial, visit }) => {
  await visit(`${await trial.form()}<form id="other"></form>`)
  await expect(check(page)).toHaveText('Verified')
  await page.route('**/challenge', () => {})
  await page.evaluate(`other.append(document.querySelector('.svc-captcha').cloneNode(true))`)
  await expect(check(page.locator('#other'))).toHaveText('Verifying you are human')
  await expect(token(page.locator('#other'))).toHaveCount(1)
  await expect(token(page.locator('#other'))).toHaveValue('')
})

test('a page that keeps removing the box does not hang', async ({ page, trial, visit }) => {
  await visit(await trial.form('data-start="focus"'))
  await expect(checkbox(page)).toBeVisible()
  const wipe = `document.querySelector('.svc-captcha').replaceChildren()`
  await page.evaluate(wipe)
  await expect(checkbox(page)).toBeVisible()
  await page.evaluate(
    `new MutationObserver(() => { ${wipe} }).observe(document, { subtree: true, childList: true }); ${wipe}`,
  )
  await expect(checkbox(page)).toBeHidden()
  await page.getByLabel('Comment').fill('still here')
  expect((await events(page)).filter(({ name }) => name === 'ready')).toHaveLength(1)
})

test('a page that renders its form again on every key press keeps the token', async ({ page, trial, visit }) => {
  await page.clock.install()
  await visit(await trial.form())
  await expect(check(page)).toHaveText('Verified')
  const given = await token(page).inputValue()
  await page.evaluate(
    `document.forms[0].addEventListener('input', () => document.querySelector('.svc-captcha').replaceChildren())`,
  )
  for (let key = 0; key < 100; key++) {
    await page.getByLabel('Comment').press('a')
    await page.clock.fastForward(100)
  }
  await expect(check(page)).toHaveText('Verified')
  await expect(token(page)).toHaveValue(given)
})
