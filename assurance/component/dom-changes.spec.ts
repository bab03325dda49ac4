import { expect, test } from '../../e2e/setup/test.ts'
import { check, checkbox, delayResponses, events, token } from '../../e2e/setup/visitor.ts'

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

test('a form that is added later gets a component, and one that is moved keeps it', async ({ page, trial, visit }) => {
  await visit('<main></main><form id="other"></form>')
  const form = JSON.stringify(await trial.form())
  await page.evaluate(`setTimeout(() => document.querySelector('main').insertAdjacentHTML('beforeend', ${form}))`)
  await expect(check(page.locator('main'))).toHaveText('Verified')
  const given = await token(page).inputValue()
  await page.evaluate(`other.append(document.querySelector('.svc-captcha'))`)
  await expect(check(page.locator('#other'))).toHaveText('Verified')
  expect(await page.evaluate(`new FormData(other).get('svc-captcha-response')`)).toBe(given)
  expect((await events(page)).filter(({ name }) => name === 'ready')).toHaveLength(1)
})

test('an element that gets the class svc-captcha later is rendered', async ({ page, trial, visit }) => {
  await visit((await trial.form()).replace('class="svc-captcha"', 'id="later"'))
  await page.evaluate(`setTimeout(() => { later.className = 'svc-captcha' })`)
  await expect(check(page)).toHaveText('Verified')
})

test('changes of a large page are not answered by searching it', async ({ page, trial, visit }) => {
  const fields = Array.from({ length: 4_000 }, (_, i) => `<input name="f${i}">`).join('')
  await visit(`<main></main><form>${await trial.box()}${fields}</form>`)
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

test('removing the form terminates its workers and aborts its requests', async ({ page, trial, visit }) => {
  await delayResponses(page, 'solve')
  await visit(await trial.form())
  const sent = page.waitForRequest('**/solve')
  const failed = page.waitForEvent('requestfailed')
  await sent
  await page.evaluate(`document.forms[0].remove()`)
  expect((await failed).url()).toContain('/solve')
  await expect.poll(() => page.workers()).toEqual([])
  expect((await events(page)).map(({ name }) => name)).not.toContain('error')
})

test('a delayed form is sent as with its button, and not after a reset', async ({ page, trial, visit }) => {
  await visit(await trial.form('data-start="submit"'))
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

test('a delayed form is sent in a browser without requestSubmit', async ({ page, trial, visit }) => {
  await page.addInitScript(`delete HTMLFormElement.prototype.requestSubmit`)
  await visit(await trial.form('data-start="submit"'))
  await expect(checkbox(page)).toBeVisible()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/svc-captcha-response=tgr_/)
  expect(new URL(page.url()).searchParams.get('by')).toBe('send')

  const box = await trial.box('data-start="submit"')
  await visit(`<form><input name="comment" aria-label="Comment">${box}</form>`)
  await expect(checkbox(page)).toBeVisible()
  await page.getByLabel('Comment').fill('kept')
  await page.getByLabel('Comment').press('Enter')
  await page.waitForURL(/comment=kept&svc-captcha-response=tgr_/)
})

test('start=focus notices the focus in a shadow root, also an earlier one', async ({ page, trial, visit }) => {
  await visit('<main></main>', { query: '?render=explicit' })
  const options = await trial.options({ start: 'focus' })
  await page.evaluate(`{
    const root = document.querySelector('main').attachShadow({ mode: 'open' })
    root.innerHTML = '<form><input aria-label="Comment"><div></div></form>'
    window.show = () => svcCaptcha.render(root.querySelector('div'), ${options})
    show()
  }`)
  await page.getByLabel('Comment').focus()
  await expect(check(page)).toHaveText('Verified')
  await page.evaluate('show()')
  await expect(check(page)).toHaveText('Verified')
})

for (const attributes of ['', 'data-size="flexible"', 'data-size="compact"', 'data-language="de"']) {
  test(`no layout shifts in any state: ${attributes || 'default'}`, async ({ page, trial, visit }) => {
    await page.setViewportSize({ width: 320, height: 700 })
    await page.clock.install()
    const loaded = await delayResponses(page, 'challenge')
    const form = await trial.form(attributes)
    await visit(`${RESERVED_SPACE}<h1>Before</h1>${form}<p>After</p>`)
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
