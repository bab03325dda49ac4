import { expect, test } from './setup/test.ts'
import { check, countRequests, look, start, token, told } from './setup/visitor.ts'

// Playwright turns it off; visitors have it.
test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
})

test('a page opened in the background begins when it is looked at', async ({ page, trial, serve }) => {
  const challenges = countRequests(page, 'challenge')
  await page.addInitScript(`Object.defineProperty(document, 'hidden', { configurable: true, value: true })`)
  await page.goto(await serve(await trial.form()))
  await expect(check(page)).toHaveText('Verifying you are human')
  expect(challenges()).toBe(0)
  await look(page, true)
  await expect(check(page)).toHaveText('Verified')
  expect(challenges()).toBe(1)
})

test.describe('with work', () => {
  test.use({ work: 6_000_000 })

  /** Hides the page in the midst of its work. */
  const HIDE_AT_WORK = `addEventListener('svc-captcha:progress', function hide({ detail }) {
    if (detail.ratio === 0 || detail.ratio === 1) return
    removeEventListener('svc-captcha:progress', hide)
    Object.defineProperty(document, 'hidden', { configurable: true, value: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })`

  test('a hidden page rests, and goes on with the same challenge when it is shown', async ({ page, trial, serve }) => {
    const challenges = countRequests(page, 'challenge')
    await page.addInitScript(HIDE_AT_WORK)
    await page.goto(await serve(await trial.form()))
    await page.waitForFunction('document.hidden')
    await expect.poll(() => page.workers()).toEqual([])
    await expect(check(page)).toHaveText('Verifying you are human')
    await look(page, true)
    await expect(check(page)).toHaveText('Verified')
    expect(challenges()).toBe(1)
    const ratios = (await told(page)).flatMap(({ ratio }) => ratio ?? [])
    expect(ratios).toEqual(ratios.toSorted((a, b) => a - b))
  })

  test('work ends with its challenge, and in a hidden page none is asked for instead', async ({
    page,
    trial,
    serve,
  }) => {
    await page.clock.install()
    const challenges = countRequests(page, 'challenge')
    await page.addInitScript(HIDE_AT_WORK)
    await page.goto(await serve(await trial.form()))
    await page.waitForFunction('document.hidden')
    await page.clock.fastForward('06:00')
    await trial.age(301)
    await expect.poll(() => page.workers()).toEqual([])
    expect(challenges()).toBe(1)
    await look(page, true)
    await expect(check(page)).toContainText('Verification expired')
    expect(challenges()).toBe(2)
    expect(page.workers()).toEqual([])
  })

  test('a page left in the midst of its work goes on when it comes back out of the cache', async ({
    page,
    trial,
    serve,
  }) => {
    const challenges = countRequests(page, 'challenge')
    const elsewhere = await serve('<p>Elsewhere</p>')
    await page.addInitScript(
      `addEventListener('svc-captcha:progress', ({ detail }) => { if (detail.ratio > 0 && !window.left) location = window.left = '${elsewhere}' })`,
    )
    await page.goto(await serve(await trial.form()))
    await page.waitForURL(elsewhere)
    await page.goBack({ waitUntil: 'commit' })
    await expect(check(page)).toHaveText('Verified')
    expect(challenges(), 'the page is the same one').toBe(1)
  })
})

test('a tab that slept past the life of its token finds out on waking', async ({ page, trial, serve }) => {
  await page.clock.install()
  await page.goto(await serve(await trial.form()))
  await expect(check(page)).toHaveText('Verified')
  await look(page, false)
  // asleep: the time passes, the timers stand still
  await page.clock.pauseAt(Date.now() + 1_000)
  await page.clock.setSystemTime(Date.now() + 301_000)
  await expect(token(page)).toHaveValue(/^tgr_/)
  await look(page, true)
  await expect(check(page)).toContainText('Verification expired')
  await expect(token(page)).toHaveValue('')
  expect(await page.evaluate(`svcCaptcha.isExpired(document.querySelector('.svc-captcha'))`)).toBe(true)
})

test('a page with an intent that is over says so, and takes another without reloading', async ({
  page,
  trial,
  serve,
}) => {
  const url = await serve(await trial.form('data-start="focus"'))
  await trial.age(301)
  await page.goto(url)
  await page.getByLabel('Comment').fill('kept')
  await expect(check(page)).toContainText('Verification expired')
  await expect(page.getByRole('button', { name: 'Reload' })).toBeHidden()
  expect((await told(page)).map(({ name }) => name)).toEqual(['ready', 'expired'])
  await page.locator('.svc-captcha').evaluate(
    (box: { setAttribute(name: string, value: string): void }, intent) => {
      box.setAttribute('data-intent', intent)
    },
    await trial.intent(),
  )
  await expect(check(page)).toHaveText('Verified')
  await expect(page.getByLabel('Comment')).toHaveValue('kept')
})

test('without a connection it says so at once, and goes on by itself when there is one', async ({
  page,
  context,
  trial,
  serve,
}) => {
  await page.goto(await serve(await trial.form('data-start="focus"')))
  await expect(start(page)).toBeVisible()
  await context.setOffline(true)
  await page.getByLabel('Comment').focus()
  await expect(check(page)).toContainText('No connection')
  await expect(page.getByText('Ref. network')).toBeVisible()
  await context.setOffline(false)
  await expect(check(page)).toHaveText('Verified')
  expect((await told(page)).map(({ name }) => name)).toContain('error')
})

test('a page out of the back/forward cache keeps its token, and gives up one that was sent', async ({
  page,
  trial,
  serve,
}) => {
  const elsewhere = await serve('<p>Elsewhere</p>')
  await page.goto(await serve(await trial.form()))
  await expect(check(page)).toHaveText('Verified')
  const kept = await token(page).inputValue()
  await page.evaluate('window.lived = true')

  await page.goto(elsewhere)
  await page.goBack({ waitUntil: 'commit' })
  await expect(token(page)).toHaveValue(kept)
  expect(await page.evaluate('window.lived'), 'the page is the same one').toBe(true)

  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/svc-captcha-response=tgr_/)
  await page.goBack({ waitUntil: 'commit' })
  expect(await page.evaluate('window.lived'), 'the page is the same one').toBe(true)
  await expect(check(page)).toContainText('Verification expired')
  await expect(token(page)).toHaveValue('')
})
