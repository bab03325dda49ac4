import type { Page } from '@playwright/test'
import { expect, test } from '../../e2e/setup/test.ts'
import { check } from '../../e2e/setup/visitor.ts'

/** The lines of the browser's console that say that a function is missing. */
function missing(page: Page): string[] {
  const lines: string[] = []
  page.on('console', (message) => {
    if (message.text().endsWith('is not a function')) lines.push(message.text())
  })
  return lines
}

/** Serves a script below the page, when `arrives` resolves. */
const serveScript = (page: Page, name: string, body: string, arrives?: Promise<unknown>) =>
  page.route(`**/${name}`, async (route) => {
    await arrives
    await route.fulfill({ contentType: 'text/javascript', body })
  })

const called = (page: Page) => page.waitForFunction('window.called')

/** Where the page defines the function that an attribute names. */
const DEFINITIONS: Readonly<Record<string, [name: string, script: string]>> = {
  'a global function': ['done', '<script>function done(token) { called = token }</script>'],
  'a property of window': ['done', '<script>window.done = (token) => { window.called = token }</script>'],
  'a method of an object': [
    'app.forms.done',
    '<script>app = { forms: { keep(token) { window.called = token }, done(token) { this.keep(token) } } }</script>',
  ],
  'a function of an inline module': [
    'done',
    '<script type="module">window.done = (token) => { window.called = token }</script>',
  ],
}

for (const [place, [name, script]] of Object.entries(DEFINITIONS)) {
  test(`a callback is called by its name: ${place}`, async ({ page, trial, serve }) => {
    const lines = missing(page)
    await page.goto(await serve(`<form>${await trial.box(`data-callback="${name}"`)}</form>${script}`))
    await called(page)
    expect(await page.evaluate('called')).toMatch(/^tgr_/)
    expect(lines).toEqual([])
  })
}

test('a callback that was solved before its module arrived is called when the module arrives', async ({
  page,
  trial,
  serve,
}) => {
  const lines = missing(page)
  const solved = page.waitForResponse('**/solve').then(() => expect(check(page)).toHaveText('Verified'))
  await serveScript(page, 'late.js', 'window.done = (token) => { window.called = token }', solved)
  const module = '<script type="module" src="/late.js"></script>'
  await page.goto(await serve(`${module}<form>${await trial.box('data-callback="done"')}</form>`))
  await called(page)
  expect(lines).toEqual([])
})

test('a callback that is defined after the page has loaded is called once, and the console names it until then', async ({
  page,
  trial,
  serve,
}) => {
  const lines = missing(page)
  const box = await trial.box('data-callback="shop.done" data-error-callback="shop.failed"')
  await page.goto(await serve(`<form>${box}</form><script>const shop = { done() {} }; let calls = 0</script>`))
  await expect(check(page)).toHaveText('Verified')
  await expect.poll(() => lines).toEqual(['Tollgate: window.shop.done is not a function'])
  await page.evaluate(`window.shop = { done: (token) => { calls += 1; window.called = token } }`)
  await called(page)
  // the next look would come after less time than another verification takes
  await page.evaluate(`svcCaptcha.reset('.svc-captcha', { intent: '${await trial.intent()}' })`)
  await expect.poll(() => page.evaluate('calls')).toBe(2)
  expect(lines).toHaveLength(1)
})

test('a callback that became pointless before its function exists is not called', async ({ page, trial, serve }) => {
  const lines = missing(page)
  await page.goto(await serve(`<form>${await trial.box('data-callback="done"')}</form>`))
  await expect.poll(() => lines).toHaveLength(1)
  const [old, intent] = [await page.evaluate(`svcCaptcha.getResponse('.svc-captcha')`), await trial.intent()]
  await page.evaluate(
    `svcCaptcha.reset('.svc-captcha', { intent: '${intent}' }); tokens = []; done = (token) => tokens.push(token)`,
  )
  await expect(check(page)).toHaveText('Verified')
  const token = await page.evaluate(`svcCaptcha.getResponse('.svc-captcha')`)
  expect(token).not.toBe(old)
  await expect.poll(() => page.evaluate('tokens')).toEqual([token])
})

test('onload is called when a module that arrives after the component defines it', async ({ page, serve }) => {
  const lines = missing(page)
  const loaded = page.waitForFunction('window.svcCaptcha')
  await serveScript(page, 'late.js', `window.show = () => { window.called = typeof svcCaptcha.render }`, loaded)
  const module = '<script type="module" src="/late.js"></script>'
  await page.goto(await serve(module, { query: '?render=explicit&onload=show' }))
  await called(page)
  expect(await page.evaluate('called')).toBe('function')
  expect(lines).toEqual([])
})

test('the console names an onload that does not exist', async ({ page, serve }) => {
  const lines = missing(page)
  await page.goto(await serve('<script>const show = () => {}</script>', { query: '?render=explicit&onload=show' }))
  await expect.poll(() => lines).toEqual(['Tollgate: window.show is not a function'])
})

test.describe('several inclusions of the script', () => {
  const include = (url: string, query: string) => `new Promise((resolve) => {
    const script = document.createElement('script')
    script.src = '${url}/widget.js${query}'
    script.onload = resolve
    document.head.append(script)
  })`

  test('share their components, and each calls its onload', async ({ page, trial, service, serve }) => {
    const functions = `<script>loads = []; one = () => loads.push('one'); two = () => loads.push('two')</script>`
    const form = `<form><div id="box"></div></form>`
    await page.goto(await serve(functions + form, { query: '?render=explicit&onload=one' }))
    await expect.poll(() => page.evaluate('loads')).toEqual(['one'])
    const options = { sitekey: trial.sitekey, intent: await trial.intent(), endpoint: service.url }
    const id = await page.evaluate<string>(`svcCaptcha.render('#box', ${JSON.stringify(options)})`)
    await expect(check(page)).toHaveText('Verified')
    await page.evaluate(include(service.url, '?render=explicit&onload=two'))
    await expect.poll(() => page.evaluate('loads')).toEqual(['one', 'two'])
    expect(await page.evaluate(`svcCaptcha.getResponse('${id}')`)).toMatch(/^tgr_/)
    await expect(page.locator('[data-tollgate]')).toHaveCount(1)
  })

  test('render automatically as soon as one of them does', async ({ page, trial, service, serve }) => {
    await page.goto(await serve(await trial.form(), { query: '?render=explicit' }))
    await page.waitForFunction('window.svcCaptcha')
    await expect(page.locator('[data-tollgate]')).toHaveCount(0)
    await page.evaluate(include(service.url, ''))
    await expect(check(page)).toHaveText('Verified')
    // further ones change nothing
    await page.evaluate(include(service.url, '?render=explicit'))
    await page.evaluate(include(service.url, ''))
    await expect(page.locator('[data-tollgate]')).toHaveCount(1)
  })
})
