import type { Page } from '@playwright/test'
import { expect, test } from '../../e2e/setup/test.ts'
import { check, checkbox, countRequests, delayResponses, events } from '../../e2e/setup/visitor.ts'

const EXPLICIT = { query: '?render=explicit' }

/** Puts the markup into a shadow root of the element, which becomes `root`, and renders the components in it. */
const attach = (host: string, markup: string) => `{
  window.root = document.querySelector('${host}').attachShadow({ mode: 'open' })
  root.innerHTML = ${JSON.stringify(markup)}
  for (const box of root.querySelectorAll('.svc-captcha')) svcCaptcha.render(box)
}`

/** What is submitted by the page's button "Send", pressed while the component works. */
async function submit(page: Page): Promise<URLSearchParams> {
  const proceed = await delayResponses(page, 'challenge')
  await page.reload()
  await page.waitForFunction('window.svcCaptcha')
  if (await page.evaluate(`typeof setUp === 'function'`)) await page.evaluate('setUp()')
  await expect(check(page)).toHaveText('Verifying you are human')
  await page.locator('button', { hasText: 'Send' }).click()
  expect(page.url(), 'the form waits').not.toContain('?')
  proceed()
  await page.waitForURL(/\?/)
  return new URL(page.url()).searchParams
}

const SEARCH = '<form action="/search"><input name="q"></form>'
const FIELD = '<input name="a" value="1">'
const SEND = '<button>Send</button>'

/** Forms that own the fields around the component without containing it; `*` is the component. */
const OUTSIDE: Readonly<Record<string, string>> = {
  'between a table and its rows': `<table><form><tr><td>${FIELD}</td></tr><tr><td>*</td></tr><tr><td>${SEND}</td></tr></form></table>`,
  'in a table, with fields that the parser moves': `<table><form>${FIELD}*${SEND}</form></table>`,
  'in a table, with the component first': `<table><form><tr><td>*</td></tr><tr><td>${FIELD}${SEND}</td></tr></form></table>`,
  'in the second of two tables': `<table><form action="/search"><tr><td><input name="q"></td></tr></form></table>
    <table><form><tr><td>*</td></tr><tr><td>${FIELD}${SEND}</td></tr></form></table>`,
  'closed by the end of another element': `<div><form></div>${FIELD}*${SEND}</form>`,
  'named by the fields': `<form id="own"></form><p>${FIELD.replace('name', 'form="own" name')}*<button form="own">Send</button></p>`,
  'named by a field, after a button of another form': `<form id="other"></form><button form="other">Log out</button><form id="own"></form>
    <section><p><input name="a" value="1" form="own"></p>*<button form="own">Send</button></section>`,
}

for (const [place, markup] of Object.entries(OUTSIDE)) {
  test(`the token is in the form that owns the fields: ${place}`, async ({ page, trial, serve }) => {
    await page.goto(await serve(SEARCH + markup.replace('*', await trial.box())))
    const sent = await submit(page)
    expect(sent.get('a')).toBe('1')
    expect(sent.getAll('svc-captcha-response')).toEqual([expect.stringMatching(/^tgr_/)])
  })
}

/** Shadow roots, with the form in the same one or outside; `box` is the component. */
const SHADOWS: Readonly<Record<string, (box: string) => [page: string, setUp: string]>> = {
  'the form is in the shadow root': (box) => [
    '<x-form></x-form>',
    attach('x-form', `<form>${FIELD}${box}${SEND}</form>`),
  ],
  'the form is around its host': (box) => [
    `<form>${FIELD}<x-box></x-box>${SEND}</form>`,
    attach('x-box', `<div>${box}</div>`),
  ],
  'the form is around the host of its host': (box) => [
    `<form>${FIELD}<x-outer></x-outer>${SEND}</form>`,
    `{ const outer = document.querySelector('x-outer').attachShadow({ mode: 'open' })
       outer.innerHTML = '<x-box></x-box>'
       const root = outer.firstChild.attachShadow({ mode: 'open' })
       root.innerHTML = ${JSON.stringify(box)}
       svcCaptcha.render(root.firstChild) }`,
  ],
  'the form is in the shadow root around its host': (box) => [
    '<x-form></x-form>',
    `${attach('x-form', `<form>${FIELD}<x-box></x-box>${SEND}</form>`)}
     { const inner = root.querySelector('x-box').attachShadow({ mode: 'open' })
       inner.innerHTML = ${JSON.stringify(box)}
       svcCaptcha.render(inner.firstChild) }`,
  ],
  'it was rendered before it was inserted': (box) => [
    '<x-form></x-form>',
    `{ const form = document.createElement('form')
       form.innerHTML = ${JSON.stringify(FIELD + box + SEND)}
       svcCaptcha.render(form.querySelector('.svc-captcha'))
       document.querySelector('x-form').attachShadow({ mode: 'open' }).append(form) }`,
  ],
  'it was moved there from the document': (box) => [
    `<x-form></x-form><main>${box}</main>`,
    `{ svcCaptcha.render('.svc-captcha')
       const root = document.querySelector('x-form').attachShadow({ mode: 'open' })
       root.innerHTML = ${JSON.stringify(`<form>${FIELD}<div></div>${SEND}</form>`)}
       root.querySelector('div').append(document.querySelector('.svc-captcha')) }`,
  ],
}

for (const [place, write] of Object.entries(SHADOWS)) {
  test(`a submit waits for the token in a shadow root: ${place}`, async ({ page, trial, serve }) => {
    const [markup, setUp] = write(await trial.box())
    await page.goto(await serve(`${markup}<script>function setUp() { ${setUp} }</script>`, EXPLICIT))
    const sent = await submit(page)
    expect(sent.get('a')).toBe('1')
    expect(sent.getAll('svc-captcha-response')).toEqual([expect.stringMatching(/^tgr_/)])
  })
}

test('a submit waits for the token in a closed shadow root', async ({ page, trial, serve }) => {
  await page.goto(await serve('<x-form></x-form>', EXPLICIT))
  await page.waitForFunction('window.svcCaptcha')
  const proceed = await delayResponses(page, 'challenge')
  await page.evaluate(`
    root = document.querySelector('x-form').attachShadow({ mode: 'closed' })
    root.innerHTML = ${JSON.stringify(`<form>${FIELD}${await trial.box()}${SEND}</form>`)}
    svcCaptcha.render(root.querySelector('.svc-captcha'))
    root.querySelector('button').click()`)
  expect(page.url()).not.toContain('?')
  proceed()
  await page.waitForURL(/a=1&svc-captcha-response=tgr_/)
})

test.describe('components in a shadow root', () => {
  test('follow changes of their attributes', async ({ page, trial, serve }) => {
    await page.goto(await serve('<x-form></x-form>', EXPLICIT))
    await page.waitForFunction('window.svcCaptcha')
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

  test('follow changes that were made while they were in no document', async ({ page, trial, serve }) => {
    await page.goto(await serve('<main></main>', EXPLICIT))
    await page.waitForFunction('window.svcCaptcha')
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

  test('are rendered when they appear in one that has components, and stop when they are removed', async ({
    page,
    trial,
    serve,
  }) => {
    await page.goto(await serve('<x-form></x-form>'))
    await page.waitForFunction('window.svcCaptcha')
    await page.evaluate(attach('x-form', `<form>${await trial.box()}</form>`))
    await expect(check(page)).toHaveText('Verified')
    // replaced, as a component of the page does when it renders itself again
    const challenges = countRequests(page, 'challenge')
    const proceed = await delayResponses(page, 'challenge')
    await page.evaluate(`root.querySelector('form').innerHTML = ${JSON.stringify(await trial.box())}`)
    await expect(check(page)).toHaveText('Verifying you are human')
    expect(challenges()).toBe(1)
    const failed = page.waitForEvent('requestfailed')
    await page.evaluate(`document.querySelector('x-form').remove()`)
    expect((await failed).url()).toContain('/challenge')
    proceed()
    expect((await events(page)).map(({ name }) => name)).not.toContain('error')
  })
})

test.describe('without a form', () => {
  /** The lines of the browser's console that say so. */
  function lines(page: Page): string[] {
    const found: string[] = []
    page.on('console', (message) => {
      if (message.text().startsWith('Tollgate: no-form ')) found.push(message.text())
    })
    return found
  }

  for (const attributes of ['', 'data-start="submit"']) {
    test(`the console says so, if the page has one: ${attributes || 'default'}`, async ({ page, trial, serve }) => {
      const found = lines(page)
      await page.goto(await serve(`${await trial.box(attributes)}<form>${FIELD}${SEND}</form>`))
      await expect.poll(() => found).toEqual([expect.stringContaining('Move the element into its form')])
      expect(found[0]).toMatch(/\/docs\/errors#no-form$/)
      await page.waitForFunction(`document.readyState === 'complete'`)
      expect(found).toHaveLength(1)
    })
  }

  test('it says nothing if there is none, or if a callback gets the token', async ({ page, trial, serve }) => {
    const found = lines(page)
    await page.goto(await serve(await trial.box()))
    await expect(check(page)).toHaveText('Verified')
    const box = await trial.box('data-callback="done"')
    await page.goto(await serve(`<script>done = () => {}</script>${SEARCH}${box}`))
    await expect(check(page)).toHaveText('Verified')
    // the line of another element is the last one to arrive
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('div'), { className: 'svc-captcha' }))`,
    )
    await expect.poll(() => found).toHaveLength(1)
  })
})
