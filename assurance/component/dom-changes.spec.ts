import { expect, test } from '../../e2e/setup/test.ts'
import { check, checkbox, countRequests, delayResponses, events, token } from '../../e2e/setup/visitor.ts'

/** The space that docs/component.md recommends to reserve, so that nothing moves when the script loads. */
const RESERVED_SPACE =
  '<style>.svc-captcha { min-height: 72px } .svc-captcha[data-size=compact] { min-height: 148px }</style>'

/** All layout shifts since the page was opened. */
const SHIFTS = `new Promise((resolve) => {
  const moved = (entries) => entries.map(({ value, sources }) => value + ' ' + sources.map(({ node }) => node?.nodeName))
  const observer = new PerformanceObserver((list) => resolve(moved(list.getEntries())))
  observer.observe({ type: 'layout-shift', buffered: true })
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(moved(observer.takeRecords()))))
})`

test('a form that is added later gets a component, and a form that is moved keeps its token', async ({
  page,
  trial,
  serve,
}) => {
  await page.goto(await serve('<main></main><form id="other"></form>'))
  const form = JSON.stringify(await trial.form())
  await page.evaluate(`setTimeout(() => document.querySelector('main').insertAdjacentHTML('beforeend', ${form}))`)
  await expect(check(page.locator('main'))).toHaveText('Verified')
  const given = await token(page).inputValue()
  await page.evaluate(`other.append(document.querySelector('.svc-captcha'))`)
  await expect(check(page.locator('#other'))).toHaveText('Verified')
  expect(await page.evaluate(`new FormData(other).get('svc-captcha-response')`)).toBe(given)
  expect((await events(page)).filter(({ name }) => name === 'ready')).toHaveLength(1)
})

test('an element that gets the class svc-captcha later is rendered', async ({ page, trial, serve }) => {
  await page.goto(await serve((await trial.form()).replace('class="svc-captcha"', 'id="later"')))
  await page.evaluate(`setTimeout(() => { later.className = 'svc-captcha' })`)
  await expect(check(page)).toHaveText('Verified')
})

test('changes of a large page are not answered by searching it', async ({ page, trial, serve }) => {
  const fields = Array.from({ length: 4_000 }, (_, i) => `<input name="f${i}">`).join('')
  await page.goto(await serve(`<main></main><form>${await trial.box()}${fields}</form>`))
  await expect(check(page)).toHaveText('Verified')
  const searched = await page.evaluate<number>(`(async () => {
    const count = Element.prototype.querySelectorAll
    let searched = 0
    for (const { prototype } of [Document, DocumentFragment, Element])
      for (const name of ['querySelector', 'querySelectorAll', 'getElementsByTagName', 'getElementsByClassName']) {
        const search = prototype[name]
        if (!search) continue
        prototype[name] = function (...given) {
          searched += count.call(this.documentElement ?? this, '*').length
          return search.apply(this, given)
        }
      }
    for (const place of [document.querySelector('main'), document.forms[0]])
      for (let i = 0; i < 300; i++) {
        place.append(document.createElement('i'))
        place.className = 'changed' + i
        // observers are called in a microtask
        await null
        await null
      }
    return searched
  })()`)
  // looking for the two places
  expect(searched).toBeLessThan(10_000)
  await page.evaluate(`document.querySelector('main').innerHTML = ${JSON.stringify(await trial.form())}`)
  await expect(check(page.locator('main'))).toHaveText('Verified')
})

test('removing the form terminates its workers and aborts its requests', async ({ page, trial, serve }) => {
  await delayResponses(page, 'solve')
  await page.goto(await serve(await trial.form()))
  const sent = page.waitForRequest('**/solve')
  const failed = page.waitForEvent('requestfailed')
  await sent
  await page.evaluate(`document.forms[0].remove()`)
  expect((await failed).url()).toContain('/solve')
  await expect.poll(() => page.workers()).toEqual([])
  expect((await events(page)).map(({ name }) => name)).not.toContain('error')
})

test('changing data-intent starts a new verification', async ({ page, trial, serve }) => {
  const challenges = countRequests(page, 'challenge')
  await page.goto(await serve(await trial.form()))
  await expect(check(page)).toHaveText('Verified')
  const first = await token(page).inputValue()
  const intent = await trial.intent()
  await page.evaluate(`document.querySelector('.svc-captcha').dataset.intent = '${intent}'`)
  await expect(token(page)).not.toHaveValue(first)
  await expect(check(page)).toHaveText('Verified')
  expect(await trial.redeem(intent, await token(page).inputValue())).toBe(200)
  // Other attributes cause no second challenge.
  await page.evaluate(
    `Object.assign(document.querySelector('.svc-captcha').dataset, { theme: 'dark', intent: '${intent}' })`,
  )
  await expect(page.getByRole('group', { name: 'Human verification' })).toHaveCSS('background-color', 'rgb(21, 24, 30)')
  expect(challenges()).toBe(2)
})

test('a delayed form is submitted with the button that was pressed and its attributes', async ({
  page,
  trial,
  serve,
}) => {
  const box = await trial.box('data-start="submit"')
  await page.goto(
    await serve(`<form><input name="comment" aria-label="Comment" required>${box}
      <button name="by" value="send">Send</button>
      <button name="by" value="post" formaction="/?as=post" formmethod="get">Post</button></form>
      <script>document.forms[0].addEventListener('submit', ({ submitter }) => { window.seen = (window.seen ?? '') + submitter.value })</script>`),
  )
  await expect(checkbox(page)).toBeVisible()
  const proceed = await delayResponses(page, 'challenge')
  await page.getByLabel('Comment').fill('hello')
  await page.getByRole('button', { name: 'Post' }).click()
  await expect(check(page)).toHaveText('Verifying you are human')
  expect(await page.evaluate('window.seen'), 'the page has seen no submit event yet').toBeUndefined()
  proceed()
  await page.waitForURL(/by=post/)
  expect(new URL(page.url()).searchParams.get('svc-captcha-response')).toMatch(/^tgr_/)
})

test('a delayed form is submitted as with its button also if that is gone, and not at all after a reset', async ({
  page,
  trial,
  serve,
}) => {
  await page.goto(await serve(await trial.form('data-start="submit"')))
  await expect(checkbox(page)).toBeVisible()
  const proceed = await delayResponses(page, 'challenge')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(check(page)).toHaveText('Verifying you are human')
  await page.evaluate(`svcCaptcha.reset(document.querySelector('.svc-captcha'))`)
  await expect(checkbox(page)).toBeVisible()
  proceed()
  await checkbox(page).click()
  await expect(check(page)).toHaveText('Verified')
  expect(page.url()).not.toContain('svc-captcha-response')

  await page.evaluate(`svcCaptcha.reset(document.querySelector('.svc-captcha'))`)
  await page.evaluate(
    `document.forms[0].requestSubmit(document.querySelector('[name=by]')); document.querySelector('[name=by]').type = 'button'`,
  )
  await page.waitForURL(/svc-captcha-response=tgr_/)
  expect(new URL(page.url()).searchParams.getAll('by')).toEqual(['send'])
})

test('a delayed form is submitted in a browser without requestSubmit, with or without a button', async ({
  page,
  trial,
  serve,
}) => {
  await page.addInitScript(`delete HTMLFormElement.prototype.requestSubmit`)
  await page.goto(await serve(await trial.form('data-start="submit"')))
  await expect(checkbox(page)).toBeVisible()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/svc-captcha-response=tgr_/)
  expect(new URL(page.url()).searchParams.get('by')).toBe('send')

  const box = await trial.box('data-start="submit"')
  await page.goto(await serve(`<form><input name="comment" aria-label="Comment">${box}</form>`))
  await expect(checkbox(page)).toBeVisible()
  await page.getByLabel('Comment').fill('kept')
  await page.getByLabel('Comment').press('Enter')
  await page.waitForURL(/comment=kept&svc-captcha-response=tgr_/)
})

test('a button that closes a dialog is never delayed', async ({ page, trial, serve }) => {
  const challenges = countRequests(page, 'challenge')
  const box = await trial.box('data-start="submit"')
  await page.goto(
    await serve(`<dialog><form method="post">${box}<button>Send</button><button formmethod="dialog">Cancel</button></form></dialog>
      <script>document.querySelector('dialog').showModal()</script>`),
  )
  await expect(checkbox(page)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(challenges()).toBe(0)
})

test.describe('in the shadow root of an element that is rendered before it is inserted', () => {
  const define = (options: object) => `customElements.define('sign-up', class extends HTMLElement {
    constructor() {
      super()
      const root = this.attachShadow({ mode: 'open' })
      root.innerHTML = '<form><input name="comment" aria-label="Comment"><div></div><button>Send</button></form>'
      svcCaptcha.render(root.querySelector('div'), ${JSON.stringify(options)})
    }
  })`

  test('a submit is delayed until there is a token', async ({ page, trial, serve, service }) => {
    await page.goto(await serve('<main></main>', { query: '?render=explicit' }))
    await page.waitForFunction('window.svcCaptcha')
    const intent = { sitekey: trial.sitekey, intent: await trial.intent(), endpoint: service.url }
    await page.evaluate(define({ ...intent, start: 'submit' }))
    await page.evaluate(`document.querySelector('main').append(document.createElement('sign-up'))`)
    await expect(checkbox(page)).toBeVisible()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.waitForURL(/svc-captcha-response=tgr_/)
  })

  test('start=focus notices the focus, also one that was there before', async ({ page, trial, serve, service }) => {
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
  test(`no layout shifts in any state: ${attributes || 'default'}`, async ({ page, trial, serve }) => {
    await page.setViewportSize({ width: 320, height: 700 })
    await page.clock.install()
    const loaded = await delayResponses(page, 'challenge')
    const form = await trial.form(attributes)
    await page.goto(await serve(`${RESERVED_SPACE}<h1>Before</h1>${form}<p>After</p>`))
    const box = page.locator('.svc-captcha')
    await expect(box.getByRole('progressbar')).toBeVisible()
    loaded()
    await expect(token(page)).toHaveValue(/^tgr_/)
    await page.clock.fastForward('05:01')
    await expect(box.locator('button.action')).toBeVisible()
    await page.unroute('**/challenge')
    const refused = await delayResponses(page, 'challenge')
    await page.evaluate(`svcCaptcha.reset(document.querySelector('.svc-captcha'))`)
    await expect(box.getByRole('progressbar')).toBeVisible()
    await trial.age(301)
    await page.context().setOffline(true)
    refused()
    await expect(box.locator('[data-state=error]')).toBeVisible()
    expect(await page.evaluate(SHIFTS)).toEqual([])
  })
}
