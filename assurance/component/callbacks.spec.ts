import type { Page } from '@playwright/test'
import { expect, test } from '../../e2e/setup/test.ts'
import { check, linesOf } from '../../e2e/setup/visitor.ts'

/** Serves a script below the page, when `arrives` resolves. */
const serveScript = (page: Page, name: string, body: string, arrives?: Promise<unknown>) =>
  page.route(`**/${name}`, async (route) => {
    await arrives
    await route.fulfill({ contentType: 'text/javascript', body })
  })

const called = (page: Page) => page.waitForFunction('window.called')

test('a module that arrives after the verification gets its callback called', async ({ page, trial, visit }) => {
  const lines = linesOf(page)
  const solved = page.waitForResponse('**/solve').then(() => expect(check(page)).toHaveText('Verified'))
  await serveScript(page, 'late.js', 'window.done = (token) => { window.called = token }', solved)
  const module = '<script type="module" src="/late.js"></script>'
  await visit(`${module}<form>${await trial.box('data-callback="done"')}</form>`)
  await called(page)
  expect(lines).toEqual([])
})

test('a callback that is defined late is called once, and the console names it until then', async ({
  page,
  trial,
  visit,
}) => {
  const lines = linesOf(page)
  const box = await trial.box('data-callback="shop.done" data-error-callback="shop.failed"')
  await visit(`<form>${box}</form><script>const shop = { done() {} }; let calls = 0</script>`)
  await expect(check(page)).toHaveText('Verified')
  await expect.poll(() => lines).toEqual(['Tollgate: window.shop.done is not a function'])
  await page.evaluate(`window.shop = { done: (token) => { calls += 1; window.called = token } }`)
  await called(page)
  // the next look would come after less time than another verification takes
  await page.evaluate(`svcCaptcha.reset('.svc-captcha', { intent: '${await trial.intent()}' })`)
  await expect.poll(() => page.evaluate('calls')).toBe(2)
  expect(lines).toHaveLength(1)
})

test('a callback that became pointless before its function exists is not called', async ({ page, trial, visit }) => {
  const lines = linesOf(page)
  await visit(`<form>${await trial.box('data-callback="done"')}</form>`)
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

test('onload is called when a module that arrives after the component defines it', async ({ page, visit }) => {
  const lines = linesOf(page)
  const loaded = page.waitForFunction('window.svcCaptcha')
  await serveScript(page, 'late.js', `window.show = () => { window.called = typeof svcCaptcha.render }`, loaded)
  const module = '<script type="module" src="/late.js"></script>'
  await visit(module, { query: '?render=explicit&onload=show' })
  await called(page)
  expect(await page.evaluate('called')).toBe('function')
  expect(lines).toEqual([])
})

test('the console names an onload that does not exist', async ({ page, visit }) => {
  const lines = linesOf(page)
  await visit('<script>const show = () => {}</script>', { query: '?render=explicit&onload=show' })
  await expect.poll(() => lines).toEqual(['Tollgate: window.show is not a function'])
})

test.describe('several inclusions of the script', () => {
  const include = (url: string, query: string) => `new Promise((resolve) => {
    const script = document.createElement('script')
    script.src = '${url}/widget.js${query}'
    script.onload = resolve
    document.head.append(script)
  })`

  test('share their components, and each calls its onload', async ({ page, trial, service, visit }) => {
    const functions = `<script>loads = []; one = () => loads.push('one'); two = () => loads.push('two')</script>`
    const form = `<form><div id="box"></div></form>`
    await visit(functions + form, { query: '?render=explicit&onload=one' })
    await expect.poll(() => page.evaluate('loads')).toEqual(['one'])
    const id = await page.evaluate<string>(`svcCaptcha.render('#box', ${await trial.options()})`)
    await expect(check(page)).toHaveText('Verified')
    await page.evaluate(include(service.url, '?render=explicit&onload=two'))
    await expect.poll(() => page.evaluate('loads')).toEqual(['one', 'two'])
    expect(await page.evaluate(`svcCaptcha.getResponse('${id}')`)).toMatch(/^tgr_/)
    await expect(page.locator('[data-tollgate]')).toHaveCount(1)
  })

  test('render automatically as soon as one of them does', async ({ page, trial, service, visit }) => {
    await visit(await trial.form(), { query: '?render=explicit' })
    await expect(page.locator('[data-tollgate]')).toHaveCount(0)
    await page.evaluate(include(service.url, ''))
    await expect(check(page)).toHaveText('Verified')
    // further ones change nothing
    await page.evaluate(include(service.url, '?render=explicit'))
    await page.evaluate(include(service.url, ''))
    await expect(page.locator('[data-tollgate]')).toHaveCount(1)
  })
})
