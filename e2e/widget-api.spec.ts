import { expect, test } from './setup/test.ts'
import { check, checkbox, countRequests, events, token } from './setup/visitor.ts'

const BOX = `document.querySelector('.svc-captcha')`

test('every attribute has its documented effect', async ({ page, trial, serve }) => {
  await page.clock.install()
  const box = await trial.box(
    `data-theme="dark" data-size="compact" data-language="de-AT" data-start="submit" data-tabindex="3"
     data-response-field-name="proof" data-callback="solved" data-error-callback="failed" data-expired-callback="expired"`,
  )
  const callbacks = ['solved', 'failed', 'expired'].map(
    (name) => `window.${name} = (...given) => calls.push('${name}', ...given)`,
  )
  await page.goto(await serve(`<script>calls = []; ${callbacks.join(';')}</script><form>${box}</form>`))
  const group = page.getByRole('group', { name: 'Prüfung auf menschliche Nutzung' })
  const press = group.getByRole('checkbox', { name: 'Ich bin ein Mensch' })
  await expect(press).toHaveAttribute('tabindex', '3')
  await expect(group).toHaveAttribute('lang', 'de')
  await expect(group).toHaveCSS('background-color', 'rgb(21, 24, 30)')
  await expect(group).toHaveCSS('width', '160px')
  await page.route(
    '**/challenge',
    (route) =>
      route.fulfill({
        status: 500,
        json: { error: 'internal-error' },
        headers: { 'access-control-allow-origin': '*' },
      }),
    { times: 1 },
  )
  await press.click()
  await group.getByRole('button', { name: 'Erneut' }).click()
  await expect(group.getByRole('status')).toHaveText('Geprüft')
  const given = await page.locator('[name=proof]').inputValue()
  await page.clock.fastForward('05:01')
  await expect(group.getByRole('status')).toContainText('Zeit abgelaufen')
  expect(await page.evaluate('calls')).toEqual(['failed', 'internal-error', 'solved', given, 'expired'])
})

test('explicit rendering: onload, ready, render, execute, getResponse, isExpired, reset and remove work as documented', async ({
  page,
  trial,
  serve,
  service,
}) => {
  const options = { sitekey: trial.sitekey, intent: await trial.intent(), endpoint: service.url, start: 'submit' }
  const url = await serve(
    `<script>ready = () => { window.came = typeof svcCaptcha.render; svcCaptcha.ready(() => { window.parsed = document.readyState }) }</script>
     <form><div class="svc-captcha"></div></form>`,
    { query: '?render=explicit&onload=ready' },
  )
  await page.goto(url)
  await page.waitForFunction('window.parsed')
  expect(await page.evaluate(`[came, ${BOX}.childElementCount]`)).toEqual(['function', 0])

  const id = await page.evaluate<string>(`svcCaptcha.render(${BOX}, ${JSON.stringify(options)})`)
  const ask = (what: string) => page.evaluate(`svcCaptcha.${what}`)
  await expect(checkbox(page)).toBeVisible()
  expect([await ask(`getResponse('${id}')`), await ask(`isExpired('${id}')`)]).toEqual(['', false])
  await ask(`execute('${id}')`)
  await expect(check(page)).toHaveText('Verified')
  const first = await token(page).inputValue()
  expect([await ask(`getResponse('${id}')`), await ask(`getResponse(${BOX})`)]).toEqual([first, first])
  const names = (await events(page)).filter((event) => event.id === id).map(({ name }) => name)
  expect([names[0], names[1], names.at(-1)]).toEqual(['ready', 'progress', 'solved'])

  const intent = await trial.intent()
  await ask(`reset('${id}', { intent: '${intent}' })`)
  expect(await ask(`getResponse('${id}')`)).toBe('')
  await checkbox(page).click()
  await expect(check(page)).toHaveText('Verified')
  expect(await trial.redeem(intent, await token(page).inputValue())).toBe(200)

  await ask(`remove('${id}')`)
  expect(await page.evaluate(`${BOX}.childElementCount`)).toBe(0)
})

test('a component that is removed in its ready event sends no request', async ({ page, trial, serve }) => {
  const challenges = countRequests(page, 'challenge')
  const removeWhenReady = `addEventListener('svc-captcha:ready', ({ target }) => {
    svcCaptcha.remove(target)
    requestAnimationFrame(() => requestAnimationFrame(() => { window.settled = true }))
  })`
  await page.goto(await serve(`<script>${removeWhenReady}</script>${await trial.form()}`))
  await page.waitForFunction('window.settled')
  expect(challenges()).toBe(0)
  expect((await events(page)).map(({ name }) => name)).toEqual(['ready'])
})

test('a missing attribute is reported as an error, and the component starts when it is added', async ({
  page,
  trial,
  serve,
}) => {
  const intent = await trial.intent()
  const box = (await trial.box()).replace(/data-intent="[^"]*"/, '')
  await page.goto(await serve(`<form>${box}</form>`))
  await expect(check(page)).toContainText('Cannot verify here')
  await expect(page.getByText('Ref. missing-option')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Retry' })).toBeHidden()
  expect((await events(page)).at(-1)).toMatchObject({ name: 'error', code: 'missing-option' })
  await page.evaluate(`${BOX}.dataset.intent = '${intent}'`)
  await expect(check(page)).toHaveText('Verified')
})

test('the invisible size is shown only with an error or after expiry', async ({ page, trial, serve }) => {
  await page.clock.install()
  await page.goto(await serve(await trial.form('data-size="invisible"')))
  await expect(token(page)).toHaveValue(/^tgr_/)
  expect((await page.locator('.svc-captcha').boundingBox())?.height).toBe(0)
  await expect(check(page)).toHaveText('Verified')
  await page.getByLabel('Comment').focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Send' })).toBeFocused()
  await page.clock.fastForward('05:01')
  await expect(page.getByRole('button', { name: 'Reload' })).toBeInViewport()
})

/** A response that the service sends only under high load. */
const busy = (status: number, code: string, headers: Record<string, string> = {}) => ({
  status,
  json: { error: code },
  headers: {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': '*',
    'x-request-id': 'req_0123456789abcdef',
    ...headers,
  },
})

test('a busy service is retried automatically after its Retry-After', async ({ page, trial, serve }) => {
  await page.clock.install()
  const asked: number[] = []
  await page.route('**/challenge', async (route) => {
    asked.push(await page.evaluate<number>('performance.now()'))
    if (asked.length === 1) return route.fulfill(busy(429, 'rate-limited', { 'retry-after': '20' }))
    if (asked.length === 2) return route.fulfill(busy(503, 'unavailable', { 'retry-after': '1' }))
    return route.continue()
  })
  await page.goto(await serve(await trial.form()))
  await expect(check(page)).toHaveText('Busy, continuing shortly')
  await page.clock.runFor(19_000)
  expect(asked).toHaveLength(1)
  await page.clock.runFor(2_000)
  await expect.poll(() => asked.length).toBe(2)
  await page.clock.runFor(3_000)
  await expect(check(page)).toHaveText('Verified')
  expect((await events(page)).map(({ name }) => name)).not.toContain('error')
})

test('a Retry-After of more than a minute shows an error with a retry button', async ({ page, trial, serve }) => {
  await page.route('**/challenge', (route) => route.fulfill(busy(429, 'rate-limited', { 'retry-after': '600' })), {
    times: 1,
  })
  await page.goto(await serve(await trial.form()))
  await expect(check(page)).toContainText('Too many attempts')
  await expect(page.getByText('Ref. 89abcdef')).toBeVisible()
  expect((await events(page)).at(-1)).toMatchObject({
    name: 'error',
    code: 'rate-limited',
    requestId: 'req_0123456789abcdef',
  })
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(check(page)).toHaveText('Verified')
})

test.describe('with callbacks that throw', () => {
  test.use({ expectedErrors: /^the page’s own$/ })

  test('an exception in a callback does not stop the form', async ({ page, trial, serve }) => {
    const form = await trial.form('data-callback="fail" data-start="submit"')
    await page.goto(await serve(`<script>fail = () => { throw new Error('the page’s own') }</script>${form}`))
    await page.getByRole('button', { name: 'Send' }).click()
    await page.waitForURL(/svc-captcha-response=tgr_/)
  })
})
