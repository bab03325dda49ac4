import type { Page } from '@playwright/test'
import { expect, test } from '../../e2e/setup/test.ts'
import { check, countRequests, expire, mockRenewals, renewWith, token } from '../../e2e/setup/visitor.ts'

/** A renewed intent, in pages that render their markup again, check for forged requests, or have no usual address. */

const BOX = `document.querySelector('.svc-captcha')`

/** Lets the token of the page expire, and enters the form. */
async function expireAndReturn(page: Page): Promise<void> {
  await expire(page)
  await page.getByLabel('Comment').focus()
  await expect(token(page)).toHaveValue(/^tgr_/)
}

test('a renewed intent stays when the page renders the first one many times', async ({ page, trial, visit }) => {
  const first = await trial.intent()
  const second = await trial.intent()
  await page.clock.install()
  await mockRenewals(
    page,
    renewWith(async () => second),
  )
  const form = (await trial.form('data-renew="/intent"')).replace(/data-intent="[^"]*"/, `data-intent="${first}"`)
  await visit(form)
  await expireAndReturn(page)
  const given = await token(page).inputValue()
  const challenges = countRequests(page, 'challenge')
  await page.evaluate(`for (let i = 0; i < 30; i++) { ${BOX}.dataset.intent = ''; ${BOX}.dataset.intent = '${first}' }`)
  // The attribute names the current intent, for scripts that read it, and for a component that is created anew here.
  await expect(page.locator('.svc-captcha')).toHaveAttribute('data-intent', second)
  expect([await token(page).inputValue(), challenges()]).toEqual([given, 0])
  expect(await trial.redeem(second, given)).toBe(200)
  // An intent that the element never had is a new one.
  const third = await trial.intent()
  await page.evaluate(`${BOX}.dataset.intent = '${third}'`)
  await expect.poll(challenges).toBe(1)
  await expect(token(page)).toHaveValue(/^tgr_/)
  expect(await trial.redeem(third, await token(page).inputValue())).toBe(200)
})

test('an intent of reset stays when the page renders the first one again', async ({ page, trial, visit }) => {
  await visit(await trial.form())
  const first = await page.locator('.svc-captcha').getAttribute('data-intent')
  await expect(check(page)).toHaveText('Verified')
  const second = await trial.intent()
  await page.evaluate(`svcCaptcha.reset(${BOX}, { intent: '${second}' })`)
  await expect(token(page)).toHaveValue(/^tgr_/)
  const given = await token(page).inputValue()
  await page.evaluate(`${BOX}.dataset.intent = '${first}'`)
  await expect(page.locator('.svc-captcha')).toHaveAttribute('data-intent', second)
  expect(await token(page).inputValue()).toBe(given)
  expect(await trial.redeem(second, given)).toBe(200)
  // The page can go back only by saying so.
  const challenges = countRequests(page, 'challenge')
  await page.evaluate(`svcCaptcha.reset(${BOX}, { intent: '${first}' })`)
  await expect.poll(challenges).toBe(1)
})

test('a page that undoes the attribute immediately becomes idle', async ({ page, trial, visit }) => {
  await visit(await trial.form())
  await expect(check(page)).toHaveText('Verified')
  await page.evaluate(`{
    const box = ${BOX}
    const first = box.dataset.intent
    new MutationObserver(() => { if (box.dataset.intent !== first) box.dataset.intent = first }).observe(box, { attributes: true })
    svcCaptcha.reset(box, { intent: '${await trial.intent()}' })
  }`)
  await expect(check(page)).toHaveText('Verified')
  expect(await page.evaluate(`new Promise((resolve) => setTimeout(resolve, 0, 'idle'))`)).toBe('idle')
})

/** A token may have a `:` or `=` in it. */
const META = '<meta name="csrf-token" content="T0K=">'
const CSRF: Readonly<Record<string, [head: string, attribute: string, name: string, value: string | undefined]>> = {
  'of Rails and Laravel is sent from the page': [META, '', 'x-csrf-token', 'T0K='],
  'of Django is sent from the attribute': ['', 'data-renew-header="X-CSRFToken: dj:T0K"', 'x-csrftoken', 'dj:T0K'],
  'of the attribute replaces that of the page': [META, 'data-renew-header="X-Other:T1"', 'x-csrf-token', undefined],
  'is not sent if there is none': ['', '', 'x-csrf-token', undefined],
  'that is not valid is not sent': ['', 'data-renew-header="X CSRF Token"', 'x-csrf-token', undefined],
}
for (const [what, [head, attribute, name, value]] of Object.entries(CSRF)) {
  test(`the header against forged requests ${what}`, async ({ page, trial, visit }) => {
    await page.clock.install()
    const asked = await mockRenewals(page, renewWith(trial.intent))
    const calls: Record<string, string>[] = []
    page.on('request', (request) => {
      if (/\/(challenge|solve)$/.test(request.url())) calls.push(request.headers())
    })
    await visit(head + (await trial.form(`data-renew="/intent" ${attribute}`)))
    await expireAndReturn(page)
    expect(asked.map((request) => request.headers()[name])).toEqual([value])
    expect(calls.length, 'the service gets no header of the page').toBeGreaterThan(2)
    expect(calls.map((headers) => headers[name])).toEqual(calls.map(() => undefined))
  })
}

test('the header is read when the intent is renewed', async ({ page, trial, visit }) => {
  await page.clock.install()
  const asked = await mockRenewals(page, renewWith(trial.intent))
  await visit(META + (await trial.form('data-renew="/intent"')))
  await expect(token(page)).toHaveValue(/^tgr_/)
  await page.evaluate(`document.querySelector('meta[name=csrf-token]').content = 'NEXT'`)
  await expireAndReturn(page)
  await page.evaluate(`${BOX}.dataset.renewHeader = 'X-CSRF-Token: LAST'`)
  await page.getByRole('button', { name: 'Send' }).focus()
  await expireAndReturn(page)
  expect(asked.map((request) => request.headers()['x-csrf-token'])).toEqual(['NEXT', 'LAST'])
})
