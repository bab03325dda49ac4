import { expect, test } from '../../e2e/setup/test.ts'
import { check, checkbox, countRequests, delayResponses, events, linesOf } from '../../e2e/setup/visitor.ts'

const EXPLICIT = { query: '?render=explicit' }

/** Puts the markup into a shadow root of the element, which becomes `root`, and renders the components in it. */
const attach = (host: string, markup: string) => `{
  window.root = document.querySelector('${host}').attachShadow({ mode: 'open' })
  root.innerHTML = ${JSON.stringify(markup)}
  for (const box of root.querySelectorAll('.svc-captcha')) svcCaptcha.render(box)
}`

const SEARCH = '<form action="/search"><input name="q"></form>'
const FIELD = '<input name="a" value="1">'
const SEND = '<button>Send</button>'

test.describe('components in a shadow root', () => {
  test('follow changes of their attributes', async ({ page, trial, visit }) => {
    await visit('<x-form></x-form>', EXPLICIT)
    await page.evaluate(attach('x-form', `<form>${await trial.box()}</form>`))
    await expect(check(page)).toHaveText('Verified')
    const intent = await trial.intent()
    const first = await page.evaluate(`window.box = root.querySelector('.svc-captcha'); svcCaptcha.getResponse(box)`)
    await page.evaluate(`box.dataset.intent = '${intent}'; box.dataset.theme = 'dark'`)
    await expect.poll(() => page.evaluate('svcCaptcha.getResponse(box)')).not.toBe(first)
    await expect(check(page)).toHaveText('Verified')
    expect(await trial.redeem(intent, String(await page.evaluate('svcCaptcha.getResponse(box)')))).toBe(200)
    await expect(page.getByRole('group', { name: 'Human verification' })).toHaveCSS(
      'background-color',
      'rgb(21, 24, 30)',
    )
  })

  test('follow changes that were made while they were in no document', async ({ page, trial, visit }) => {
    await visit('<main></main>', EXPLICIT)
    const [box, intent] = [await trial.box('data-start="submit"'), await trial.intent()]
    await page.evaluate(`
      form = document.createElement('form')
      form.innerHTML = ${JSON.stringify(box)}
      svcCaptcha.render(form.firstChild)
      form.firstChild.dataset.intent = '${intent}'
      document.querySelector('main').attachShadow({ mode: 'open' }).append(form)`)
    await checkbox(page).click()
    await expect(check(page)).toHaveText('Verified')
    expect(await trial.redeem(intent, String(await page.evaluate('svcCaptcha.getResponse(form.firstChild)')))).toBe(200)
  })

  test('are rendered when they appear beside others, and stop when removed', async ({ page, trial, visit }) => {
    await visit('<x-form></x-form>')
    await page.waitForFunction('window.svcCaptcha')
    await page.evaluate(attach('x-form', `<form>${await trial.box()}</form>`))
    await expect(check(page)).toHaveText('Verified')
    // replaced, as a component of the page does when it renders itself again
    const challenges = countRequests(page, 'challenge')
    const proceed = await delayResponses(page, 'challenge')
    await page.evaluate(`root.querySelector('form').innerHTML = ${JSON.stringify(await trial.box())}`)
    await expect(check(page)).toHaveText('Verifying you are human')
    await expect.poll(challenges).toBe(1)
    const failed = page.waitForEvent('requestfailed')
    await page.evaluate(`document.querySelector('x-form').remove()`)
    expect((await failed).url()).toContain('/challenge')
    proceed()
    expect((await events(page)).map(({ name }) => name)).not.toContain('error')
  })
})

test.describe('without a form', () => {
  for (const attributes of ['', 'data-start="submit"']) {
    test(`the console says so, if the page has one: ${attributes || 'default'}`, async ({ page, trial, visit }) => {
      const found = linesOf(page)
      await visit(`${await trial.box(attributes)}<form>${FIELD}${SEND}</form>`)
      await expect.poll(() => found).toEqual([expect.stringContaining('Move the element into its form')])
      expect(found[0]).toMatch(/\/docs\/errors#no-form$/)
      await page.waitForFunction(`document.readyState === 'complete'`)
      expect(found).toHaveLength(1)
    })
  }

  test('it says nothing if there is none, or if a callback gets the token', async ({ page, trial, visit }) => {
    const found = linesOf(page)
    await visit(await trial.box())
    await expect(check(page)).toHaveText('Verified')
    const box = await trial.box('data-callback="done"')
    await visit(`<script>done = () => {}</script>${SEARCH}${box}`)
    await expect(check(page)).toHaveText('Verified')
    // the line of another element is the last one to arrive
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('div'), { className: 'svc-captcha' }))`,
    )
    await expect.poll(() => found.map((line) => line.split(' ')[1]).toSorted()).toEqual(['missing-option', 'no-form'])
  })
})
