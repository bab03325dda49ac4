import type { Page } from '@playwright/test'
import { expect, test } from './setup/test.ts'
import { check, countRequests, start, token, told } from './setup/visitor.ts'

/** The room that docs/integration.md tells a page to keep, so that nothing moves when the script arrives. */
const ROOM = '<style>.svc-captcha { min-height: 72px } .svc-captcha[data-size=compact] { min-height: 148px }</style>'

/** All that has moved on the page since it was opened, by the browser's own measure. */
const SHIFTS = `new Promise((resolve) => {
  const moved = (entries) => entries.map(({ value, sources }) => value + ' ' + sources.map(({ node }) => node?.nodeName))
  const observer = new PerformanceObserver((list) => resolve(moved(list.getEntries())))
  observer.observe({ type: 'layout-shift', buffered: true })
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(moved(observer.takeRecords()))))
})`

/** Holds the answers of the service to this endpoint until the returned function is called. */
async function hold(page: Page, endpoint: 'challenge' | 'solve'): Promise<() => void> {
  let proceed = () => {}
  const held = new Promise<void>((resolve) => {
    proceed = resolve
  })
  await page.route(`**/${endpoint}`, async (route) => {
    await held
    await route.continue().catch(() => undefined)
  })
  return () => proceed()
}

test('a form that is added later gets its check, and one that is moved keeps it', async ({ page, trial, serve }) => {
  await page.goto(await serve('<main></main><form id="other"></form>'))
  const form = JSON.stringify(await trial.form())
  await page.evaluate(`setTimeout(() => document.querySelector('main').insertAdjacentHTML('beforeend', ${form}))`)
  await expect(check(page.locator('main'))).toHaveText('Verified')
  const given = await token(page).inputValue()
  await page.evaluate(`other.append(document.querySelector('.svc-captcha'))`)
  await expect(check(page.locator('#other'))).toHaveText('Verified')
  expect(await page.evaluate(`new FormData(other).get('svc-captcha-response')`)).toBe(given)
  expect((await told(page)).filter(({ name }) => name === 'ready')).toHaveLength(1)
})

test('an element that is named as a check later gets one', async ({ page, trial, serve }) => {
  await page.goto(await serve((await trial.form()).replace('class="svc-captcha"', 'id="later"')))
  await page.evaluate(`setTimeout(() => { later.className = 'svc-captcha' })`)
  await expect(check(page)).toHaveText('Verified')
})

test('a form that leaves the page in the midst of its work takes workers and requests along', async ({
  page,
  trial,
  serve,
}) => {
  await hold(page, 'solve')
  await page.goto(await serve(await trial.form()))
  const sent = page.waitForRequest('**/solve')
  const failed = page.waitForEvent('requestfailed')
  await sent
  await page.evaluate(`document.forms[0].remove()`)
  expect((await failed).url()).toContain('/solve')
  await expect.poll(() => page.workers()).toEqual([])
  expect((await told(page)).map(({ name }) => name)).not.toContain('error')
})

test('another intent in the same place begins anew', async ({ page, trial, serve }) => {
  const challenges = countRequests(page, 'challenge')
  await page.goto(await serve(await trial.form()))
  await expect(check(page)).toHaveText('Verified')
  const first = await token(page).inputValue()
  const intent = await trial.intent()
  await page.evaluate(`document.querySelector('.svc-captcha').dataset.intent = '${intent}'`)
  await expect(token(page)).not.toHaveValue(first)
  await expect(check(page)).toHaveText('Verified')
  expect(await trial.redeem(intent, await token(page).inputValue())).toBe(200)
  // what changes nothing about the intent costs no second challenge
  await page.evaluate(
    `Object.assign(document.querySelector('.svc-captcha').dataset, { theme: 'dark', intent: '${intent}' })`,
  )
  await expect(page.getByRole('group', { name: 'Human verification' })).toHaveCSS('background-color', 'rgb(21, 24, 30)')
  expect(challenges()).toBe(2)
})

test('a held form goes with the button that was pressed, and all that the button says', async ({
  page,
  trial,
  serve,
}) => {
  const box = await trial.box('data-start="submit"')
  await page.goto(
    await serve(`<form><input name="comment" aria-label="Comment" required>${box}
      <button name="by" value="send">Send</button>
      <button name="by" value="draft" formaction="/?as=draft" formmethod="get" formnovalidate>Keep as draft</button></form>
      <script>document.forms[0].addEventListener('submit', ({ submitter }) => { window.seen = (window.seen ?? '') + submitter.value })</script>`),
  )
  await expect(start(page)).toBeVisible()
  const proceed = await hold(page, 'challenge')
  await page.getByRole('button', { name: 'Keep as draft' }).click()
  await expect(check(page)).toHaveText('Verifying you are human')
  expect(await page.evaluate('window.seen'), 'nobody else has seen it yet').toBeUndefined()
  proceed()
  await page.waitForURL(/by=draft/)
  expect(new URL(page.url()).searchParams.get('svc-captcha-response')).toMatch(/^tgr_/)
})

test('a held form whose button has gone is sent without it, and one that was given up is not', async ({
  page,
  trial,
  serve,
}) => {
  await page.goto(await serve(await trial.form('data-start="submit"')))
  await expect(start(page)).toBeVisible()
  const proceed = await hold(page, 'challenge')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(check(page)).toHaveText('Verifying you are human')
  await page.evaluate(`svcCaptcha.reset(document.querySelector('.svc-captcha'))`)
  await expect(start(page)).toBeVisible()
  proceed()
  await start(page).click()
  await expect(check(page)).toHaveText('Verified')
  expect(page.url()).not.toContain('svc-captcha-response')

  await page.evaluate(`svcCaptcha.reset(document.querySelector('.svc-captcha'))`)
  await page.evaluate(
    `document.forms[0].requestSubmit(document.querySelector('[name=by]')); document.querySelector('[name=by]').type = 'button'`,
  )
  await page.waitForURL(/svc-captcha-response=tgr_/)
  expect(new URL(page.url()).searchParams.has('by')).toBe(false)
})

test('a held form goes in a browser that cannot ask for it, by its button or without one', async ({
  page,
  trial,
  serve,
}) => {
  await page.addInitScript(`delete HTMLFormElement.prototype.requestSubmit`)
  await page.goto(await serve(await trial.form('data-start="submit"')))
  await expect(start(page)).toBeVisible()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/svc-captcha-response=tgr_/)
  expect(new URL(page.url()).searchParams.get('by')).toBe('send')

  const box = await trial.box('data-start="submit"')
  await page.goto(await serve(`<form><input name="comment" aria-label="Comment">${box}</form>`))
  await expect(start(page)).toBeVisible()
  await page.getByLabel('Comment').fill('kept')
  await page.getByLabel('Comment').press('Enter')
  await page.waitForURL(/comment=kept&svc-captcha-response=tgr_/)
})

test('a button that closes the dialog around the form is never held', async ({ page, trial, serve }) => {
  const challenges = countRequests(page, 'challenge')
  const box = await trial.box('data-start="submit"')
  await page.goto(
    await serve(`<dialog><form method="post">${box}<button>Send</button><button formmethod="dialog">Cancel</button></form></dialog>
      <script>document.querySelector('dialog').showModal()</script>`),
  )
  await expect(start(page)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(challenges()).toBe(0)
})

test.describe('an element that draws its form into a shadow root before it is in the page', () => {
  const define = (options: object) => `customElements.define('sign-up', class extends HTMLElement {
    constructor() {
      super()
      const root = this.attachShadow({ mode: 'open' })
      root.innerHTML = '<form><input name="comment" aria-label="Comment"><div></div><button>Send</button></form>'
      svcCaptcha.render(root.querySelector('div'), ${JSON.stringify(options)})
    }
  })`

  test('has it held until the token is there', async ({ page, trial, serve, service }) => {
    await page.goto(await serve('<main></main>', { query: '?render=explicit' }))
    await page.waitForFunction('window.svcCaptcha')
    const intent = { sitekey: trial.sitekey, intent: await trial.intent(), endpoint: service.url }
    await page.evaluate(define({ ...intent, start: 'submit' }))
    await page.evaluate(`document.querySelector('main').append(document.createElement('sign-up'))`)
    await expect(start(page)).toBeVisible()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.waitForURL(/svc-captcha-response=tgr_/)
  })

  test('has the focus in it noticed, and the one that was there before', async ({ page, trial, serve, service }) => {
    await page.goto(await serve('<main></main>', { query: '?render=explicit' }))
    await page.waitForFunction('window.svcCaptcha')
    const options = { sitekey: trial.sitekey, intent: await trial.intent(), endpoint: service.url, start: 'focus' }
    await page.evaluate(define(options))
    await page.evaluate(`document.querySelector('main').append(document.createElement('sign-up'))`)
    await page.getByLabel('Comment').focus()
    await expect(check(page)).toHaveText('Verified')
    await page.evaluate(
      `svcCaptcha.render(document.querySelector('sign-up').shadowRoot.querySelector('div'), ${JSON.stringify(options)})`,
    )
    await expect(check(page)).toHaveText('Verified')
  })
})

for (const attributes of ['', 'data-size="flexible"', 'data-size="compact"', 'data-language="de"']) {
  test(`nothing on the page moves from the first paint to the last state: ${attributes || 'as it is'}`, async ({
    page,
    trial,
    serve,
  }) => {
    await page.setViewportSize({ width: 320, height: 700 })
    await page.clock.install()
    const loaded = await hold(page, 'challenge')
    const form = await trial.form(attributes)
    await page.goto(await serve(`${ROOM}<h1>Before</h1>${form}<p>After</p>`))
    const box = page.locator('.svc-captcha')
    await expect(box.getByRole('progressbar')).toBeVisible()
    loaded()
    await expect(token(page)).toHaveValue(/^tgr_/)
    await page.clock.fastForward('05:01')
    await expect(box.locator('button.action')).toBeVisible()
    await page.unroute('**/challenge')
    const refused = await hold(page, 'challenge')
    await page.evaluate(`svcCaptcha.reset(document.querySelector('.svc-captcha'))`)
    await expect(box.getByRole('progressbar')).toBeVisible()
    await trial.age(301)
    await page.context().setOffline(true)
    refused()
    await expect(box.locator('[data-state=error]')).toBeVisible()
    expect(await page.evaluate(SHIFTS)).toEqual([])
  })
}
