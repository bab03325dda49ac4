import { expect, test } from './setup/test.ts'
import { answer, check, checkbox, countRequests, events, token } from './setup/visitor.ts'

const BOX = `document.querySelector('.svc-captcha')`

test('every attribute has its documented effect', async ({ page, trial, visit }) => {
  await page.clock.install()
  const box = await trial.box(
    `data-theme="dark" data-size="compact" data-language="de-AT" data-start="submit" data-tabindex="3"
     data-response-field-name="proof" data-callback="solved" data-error-callback="failed" data-expired-callback="expired"`,
  )
  const callbacks = ['solved', 'failed', 'expired'].map(
    (name) => `window.${name} = (...given) => calls.push('${name}', ...given)`,
  )
  await visit(`<script>calls = []; ${callbacks.join(';')}</script><form>${box}</form>`)
  const group = page.getByRole('group', { name: 'Prüfung auf menschliche Nutzung' })
  const press = group.getByRole('checkbox', { name: 'Ich bin ein Mensch' })
  await expect(press).toHaveAttribute('tabindex', '3')
  await expect(group).toHaveAttribute('lang', 'de')
  await expect(group).toHaveCSS('background-color', 'rgb(21, 24, 30)')
  await expect(group).toHaveCSS('width', '160px')
  await page.route('**/challenge', answer(500, { error: 'internal-error' }), { times: 1 })
  await press.click()
  await group.getByRole('button', { name: 'Erneut' }).click()
  await expect(group.getByRole('status')).toHaveText('Geprüft')
  const given = await page.locator('[name=proof]').inputValue()
  await page.clock.fastForward('05:01')
  await expect(group.getByRole('status')).toContainText('Zeit abgelaufen')
  expect(await page.evaluate('calls')).toEqual(['failed', 'internal-error', 'solved', given, 'expired'])
})

test('the functions of explicit rendering work as documented', async ({ page, trial, visit }) => {
  await visit(
    `<script>ready = () => { window.came = typeof svcCaptcha.render; svcCaptcha.ready(() => { window.parsed = document.readyState }) }</script>
     <form><div class="svc-captcha"></div></form>`,
    { query: '?render=explicit&onload=ready' },
  )
  await page.waitForFunction('window.parsed')
  expect(await page.evaluate(`[came, ${BOX}.childElementCount]`)).toEqual(['function', 0])

  const id = await page.evaluate<string>(`svcCaptcha.render(${BOX}, ${await trial.options({ start: 'submit' })})`)
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

test('a component that is removed in its ready event sends no request', async ({ page, trial, visit }) => {
  const challenges = countRequests(page, 'challenge')
  const removeWhenReady = `addEventListener('svc-captcha:ready', ({ target }) => {
    svcCaptcha.remove(target)
    requestAnimationFrame(() => requestAnimationFrame(() => { window.settled = true }))
  })`
  await visit(`<script>${removeWhenReady}</script>${await trial.form()}`)
  await page.waitForFunction('window.settled')
  expect(challenges()).toBe(0)
  expect((await events(page)).map(({ name }) => name)).toEqual(['ready'])
})

test('a missing attribute is an error until it is added', async ({ page, trial, visit }) => {
  const intent = await trial.intent()
  const box = (await trial.box()).replace(/data-intent="[^"]*"/, '')
  await visit(`<form>${box}</form>`)
  await expect(check(page)).toContainText('Cannot verify here')
  await expect(page.getByText('Ref. missing-option')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Retry' })).toBeHidden()
  expect((await events(page)).at(-1)).toMatchObject({ name: 'error', code: 'missing-option' })
  await page.evaluate(`${BOX}.dataset.intent = '${intent}'`)
  await expect(check(page)).toHaveText('Verified')
})

test('the invisible size is shown only with an error or after expiry', async ({ page, trial, visit }) => {
  await page.clock.install()
  await visit(await trial.form('data-size="invisible"'))
  await expect(token(page)).toHaveValue(/^tgr_/)
  expect((await page.locator('.svc-captcha').boundingBox())?.height).toBe(0)
  await expect(check(page)).toHaveText('Verified')
  await page.getByLabel('Comment').focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Send' })).toBeFocused()
  await page.clock.fastForward('05:01')
  await expect(page.getByRole('button', { name: 'Reload' })).toBeInViewport()
})

test('start=focus starts on the first focus in the form, and not before', async ({ page, trial, visit }) => {
  const challenges = countRequests(page, 'challenge')
  await visit(`<input aria-label="Search">${await trial.form('data-start="focus"')}`)
  await expect(checkbox(page)).toBeVisible()
  await page.getByLabel('Search').focus()
  await expect(checkbox(page)).toBeVisible()
  expect(challenges()).toBe(0)
  await page.getByLabel('Comment').focus()
  await expect(check(page)).toHaveText('Verified')
  expect(challenges()).toBe(1)
})

test('start=submit starts on submit, and then submits the form', async ({ page, trial, visit }) => {
  const challenges = countRequests(page, 'challenge')
  await visit(await trial.form('data-start="submit"'))
  await page.getByLabel('Comment').fill('hello')
  await expect(checkbox(page)).toBeVisible()
  expect(challenges()).toBe(0)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/\?comment=hello&svc-captcha-response=tgr_.*&by=send/)
  expect(challenges()).toBe(1)
})

test('pressing the box starts the verification, with the keyboard too', async ({ page, trial, visit }) => {
  await visit(await trial.form('data-start="submit"'))
  await expect(checkbox(page)).toBeVisible()
  await page.getByLabel('Comment').focus()
  await page.keyboard.press('Tab')
  await expect(checkbox(page)).toBeFocused()
  await page.keyboard.press('Space')
  await expect(check(page)).toHaveText('Verified')
  // The focus does not move, and Tab moves to the next field.
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Send' })).toBeFocused()
})

test.describe('with callbacks that throw', () => {
  test.use({ expectedErrors: /^the page’s own$/ })

  test('an exception in a callback does not stop the form', async ({ page, trial, visit }) => {
    const form = await trial.form('data-callback="fail" data-start="submit"')
    await visit(`<script>fail = () => { throw new Error('the page’s own') }</script>${form}`)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.waitForURL(/svc-captcha-response=tgr_/)
  })
})
