import { expect, test } from '../../e2e/setup/test.ts'
import { check, checkbox, countRequests, events, setVisible, token } from '../../e2e/setup/visitor.ts'

const browser = process.env['CHROMIUM']

// Playwright disables the back/forward cache, which visitors' browsers have. Only the whole browser has one, not its shell.
test.use({
  ...(browser ? {} : { channel: 'chromium' }),
  launchOptions: async ({ launchOptions }, use) =>
    use({
      ...launchOptions,
      ...(browser ? { executablePath: browser } : {}),
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    }),
})

test('a page opened in a background tab starts when it becomes visible', async ({ page, trial, visit }) => {
  const challenges = countRequests(page, 'challenge')
  await page.addInitScript(`Object.defineProperty(document, 'hidden', { configurable: true, value: true })`)
  await visit(await trial.form())
  await expect(check(page)).toHaveText('Verifying you are human')
  expect(challenges()).toBe(0)
  await setVisible(page, true)
  await expect(check(page)).toHaveText('Verified')
  expect(challenges()).toBe(1)
})

test.describe('while solving', () => {
  test.use({ work: 6_000_000 })

  /** Hides the page while it is solving. */
  const HIDE_WHILE_SOLVING = `addEventListener('svc-captcha:progress', function hide({ detail }) {
    if (detail.ratio === 0 || detail.ratio === 1) return
    removeEventListener('svc-captcha:progress', hide)
    Object.defineProperty(document, 'hidden', { configurable: true, value: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })`

  test('a page that is hidden meanwhile is verified when it is shown again', async ({ page, trial, visit }) => {
    const challenges = countRequests(page, 'challenge')
    await page.addInitScript(HIDE_WHILE_SOLVING)
    await visit(await trial.form())
    await page.waitForFunction('document.hidden')
    await expect(check(page)).toHaveText('Verified')
    expect(challenges()).toBe(1)
  })

  test.describe('for minutes', () => {
    test.use({ work: 600_000_000 })

    test('solving stops with the challenge, and a hidden page gets no other', async ({ page, trial, visit }) => {
      await page.clock.install()
      const challenges = countRequests(page, 'challenge')
      await page.addInitScript(HIDE_WHILE_SOLVING)
      await visit(await trial.form())
      await page.waitForFunction('document.hidden')
      await page.clock.fastForward('06:00')
      await trial.age(301)
      await expect.poll(() => page.workers()).toEqual([])
      expect(challenges()).toBe(1)
      await setVisible(page, true)
      await expect(check(page)).toContainText('Verification expired')
      expect(challenges()).toBe(2)
      expect(page.workers()).toEqual([])
    })
  })

  test('a page restored from the back/forward cache continues solving', async ({ page, trial, serve, visit }) => {
    const challenges = countRequests(page, 'challenge')
    const elsewhere = await serve('<p>Elsewhere</p>')
    await page.addInitScript(
      `addEventListener('svc-captcha:progress', ({ detail }) => { if (detail.ratio > 0 && !window.left) location = window.left = '${elsewhere}' })`,
    )
    await visit(await trial.form())
    await page.waitForURL(elsewhere)
    await page.goBack({ waitUntil: 'commit' })
    await expect(check(page)).toHaveText('Verified')
    expect(challenges(), 'the page was restored, not reloaded').toBe(1)
  })
})

test('a tab that was suspended until its token expired notices it when it is shown', async ({ page, trial, visit }) => {
  await page.clock.install()
  await visit(await trial.form())
  await expect(check(page)).toHaveText('Verified')
  await setVisible(page, false)
  // Suspended: time passes, but timers do not run.
  await page.clock.pauseAt(Date.now() + 1_000)
  await page.clock.setSystemTime(Date.now() + 301_000)
  await expect(token(page)).toHaveValue(/^tgr_/)
  await setVisible(page, true)
  await expect(check(page)).toContainText('Verification expired')
  await expect(token(page)).toHaveValue('')
  expect(await page.evaluate(`svcCaptcha.isExpired(document.querySelector('.svc-captcha'))`)).toBe(true)
})

test('a page with an expired intent accepts a new one without a reload', async ({ page, trial, serve }) => {
  const url = await serve(await trial.form('data-start="focus"'))
  await trial.age(301)
  await page.goto(url)
  await page.getByLabel('Comment').fill('kept')
  await expect(check(page)).toContainText('Verification expired')
  await expect(page.getByRole('button', { name: 'Reload' })).toBeHidden()
  expect((await events(page)).map(({ name }) => name)).toEqual(['ready', 'expired'])
  await page.evaluate(`document.querySelector('.svc-captcha').dataset.intent = '${await trial.intent()}'`)
  await expect(check(page)).toHaveText('Verified')
  await expect(page.getByLabel('Comment')).toHaveValue('kept')
})

test('offline is shown immediately, and the component continues when the browser is online', async ({
  page,
  context,
  trial,
  visit,
}) => {
  await visit(await trial.form('data-start="focus"'))
  await expect(checkbox(page)).toBeVisible()
  await context.setOffline(true)
  await page.getByLabel('Comment').focus()
  await expect(check(page)).toContainText('No connection')
  await expect(page.getByText('Ref. network')).toBeVisible()
  await context.setOffline(false)
  await expect(check(page)).toHaveText('Verified')
  expect((await events(page)).map(({ name }) => name)).toContain('error')
})

test('a page from the back/forward cache keeps a token that was not sent', async ({ page, trial, serve, visit }) => {
  const elsewhere = await serve('<p>Elsewhere</p>')
  await visit(await trial.form())
  await expect(check(page)).toHaveText('Verified')
  const kept = await token(page).inputValue()
  await page.evaluate('window.lived = true')

  await page.goto(elsewhere)
  await page.goBack({ waitUntil: 'commit' })
  await expect(token(page)).toHaveValue(kept)
  expect(await page.evaluate('window.lived'), 'the page was restored, not reloaded').toBe(true)

  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/svc-captcha-response=tgr_/)
  await page.goBack({ waitUntil: 'commit' })
  expect(await page.evaluate('window.lived'), 'the page was restored, not reloaded').toBe(true)
  await expect(check(page)).toContainText('Verification expired')
  await expect(token(page)).toHaveValue('')
})
