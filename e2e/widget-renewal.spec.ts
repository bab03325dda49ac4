import type { Page, Route } from '@playwright/test'
import { expect, test } from './setup/test.ts'
import type { Trial } from './setup/trial.ts'
import { check, checkbox, countRequests, events, token } from './setup/visitor.ts'

/** Mocks the merchant's server: responds to POST /intent, and returns the intents it was sent. */
async function mockBackend(page: Page, answer: (route: Route, turn: number) => Promise<void>): Promise<string[]> {
  const asked: string[] = []
  await page.route('**/intent', async (route) => {
    const request = route.request()
    expect([request.method(), request.headers()['accept']]).toEqual(['POST', 'application/json'])
    asked.push(String((request.postDataJSON() as Record<string, unknown>)['intent_id']))
    await answer(route, asked.length)
  })
  return asked
}

const fresh = (trial: Trial) => async (route: Route) => route.fulfill({ json: { intent_id: await trial.intent() } })

const intentOf = async (page: Page): Promise<string> =>
  (await page.locator('.svc-captcha').getAttribute('data-intent')) ?? ''

/** Opens a form and lets its token expire. Returns the intent. */
async function openExpired(page: Page, url: string): Promise<string> {
  await page.clock.install()
  await page.goto(url)
  await expect(token(page)).toHaveValue(/^tgr_/)
  const intent = await intentOf(page)
  await page.clock.fastForward('05:01')
  await expect(token(page)).toHaveValue('')
  return intent
}

test('an expired intent is renewed on the next focus, without a reload', async ({ page, trial, serve }) => {
  const asked = await mockBackend(page, fresh(trial))
  const first = await openExpired(page, await serve(await trial.form('data-renew="/intent"')))
  // The visitor has nothing to do and sees no message; the page gets the event.
  await expect(checkbox(page)).toBeVisible()
  await expect(page.getByText('expired')).toBeHidden()
  expect((await events(page)).at(-1)?.name).toBe('expired')
  expect(asked).toEqual([])
  await page.getByLabel('Comment').fill('kept')
  await expect(check(page)).toHaveText('Verified')
  expect(asked).toEqual([first])
  const second = await intentOf(page)
  expect(second).not.toBe(first)
  expect(await trial.redeem(second, await token(page).inputValue())).toBe(200)
  await expect(page.getByLabel('Comment')).toHaveValue('kept')
  expect((await events(page)).map(({ name }) => name)).not.toContain('error')
})

test('a form that is submitted with an expired intent is delayed, renewed and submitted', async ({
  page,
  trial,
  serve,
}) => {
  const form = await trial.form('data-renew="/intent" data-start="submit"')
  const asked = await mockBackend(page, fresh(trial))
  await page.goto(await serve(form))
  await page.getByLabel('Comment').fill('kept')
  await trial.age(301)
  const challenges = countRequests(page, 'challenge')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/comment=kept&svc-captcha-response=tgr_.*&by=send/)
  expect([asked.length, challenges()]).toEqual([1, 2])
})

test('the intent is renewed once, and an intent that the page sets meanwhile takes precedence', async ({
  page,
  trial,
  serve,
}) => {
  let answer = () => {}
  const delayed = new Promise<void>((resolve) => {
    answer = resolve
  })
  const asked = await mockBackend(page, async (route) => {
    await delayed
    await fresh(trial)(route).catch(() => undefined)
  })
  await openExpired(page, await serve(await trial.form('data-renew="/intent"')))
  await page.getByLabel('Comment').focus()
  await page.getByRole('button', { name: 'Send' }).focus()
  await page.getByLabel('Comment').fill('x')
  await expect.poll(() => asked.length).toBe(1)
  const own = await trial.intent()
  await page.evaluate(`svcCaptcha.reset(document.querySelector('.svc-captcha'), { intent: '${own}' })`)
  await expect(check(page)).toHaveText('Verified')
  answer()
  expect(asked).toHaveLength(1)
  expect(await intentOf(page)).toBe(own)
  expect(await trial.redeem(own, await token(page).inputValue())).toBe(200)
})

test('a failed renewal shows an error, and is retried on submit', async ({ page, trial, serve }) => {
  const lines: string[] = []
  page.on('console', (message) => lines.push(message.text()))
  const answers: ((route: Route) => Promise<void>)[] = [
    (route) => route.fulfill({ status: 403, contentType: 'text/html', body: 'Forbidden' }),
    (route) =>
      route.fulfill({ json: { intent_id: (route.request().postDataJSON() as { intent_id: string }).intent_id } }),
    (route) => route.fulfill({ json: { error: 'not logged in' } }),
    fresh(trial),
  ]
  const asked = await mockBackend(page, async (route, turn) => answers[turn - 1]?.(route))
  await openExpired(page, await serve(await trial.form('data-renew="/intent"')))
  await page.getByLabel('Comment').fill('kept')
  await expect(check(page)).toContainText('Cannot verify here')
  for (const turn of [2, 3]) {
    await page.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => asked.length).toBe(turn)
    await expect(check(page)).toContainText('Verification failed')
    await expect(page.getByText('Ref. intent-expired')).toBeVisible()
  }
  expect(new URL(page.url()).search).toBe('')
  await expect.poll(() => lines.filter((line) => line.startsWith('Tollgate:')).length).toBe(3)
  expect(lines.find((line) => line.startsWith('Tollgate: bad-request renew The POST to http'))).toContain('/intent did')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/comment=kept&svc-captcha-response=tgr_/)
  expect(new Set(asked).size).toBe(1)
})

test('a response that is not JSON, such as a sign-in page, is an error', async ({ page, trial, serve }) => {
  await mockBackend(page, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><p>Sign in' }))
  await openExpired(page, await serve(await trial.form('data-renew="/intent"')))
  await page.getByLabel('Comment').focus()
  await expect
    .poll(async () => {
      await page.clock.runFor(1000)
      return (await events(page)).at(-1)?.name
    })
    .toBe('error')
  await expect(check(page)).toContainText('Cannot verify here')
})

test('a server that returns expired intents causes an error, not a loop', async ({ page, trial, serve }) => {
  const old = [await trial.intent(), await trial.intent()]
  const form = await trial.form('data-renew="/intent" data-start="submit"')
  await trial.age(301)
  const asked = await mockBackend(page, (route, turn) => route.fulfill({ json: { intent_id: old[turn - 1] ?? '' } }))
  await page.goto(await serve(form))
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(check(page)).toContainText('Verification failed')
  expect(asked).toHaveLength(1)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect.poll(() => asked.length).toBe(2)
  await expect(check(page)).toContainText('Verification failed')
})

test('the renew option of render works, and replaces the intent option', async ({ page, trial, serve, service }) => {
  const asked = await mockBackend(page, fresh(trial))
  await page.goto(await serve('<form><label>Comment <input></label><div></div></form>', { query: '?render=explicit' }))
  await page.waitForFunction('window.svcCaptcha')
  const options = { sitekey: trial.sitekey, intent: await trial.intent(), endpoint: service.url }
  await trial.age(301)
  await page.evaluate(
    `svcCaptcha.render('div', { ...${JSON.stringify(options)}, renew: '/intent', start: 'focus', callback: (token) => { window.given = token } })`,
  )
  await page.getByLabel('Comment').focus()
  await expect(checkbox(page)).toBeVisible()
  await expect.poll(async () => (await events(page)).at(-1)?.name).toBe('expired')
  await checkbox(page).click()
  await expect(check(page)).toHaveText('Verified')
  expect(asked).toEqual([options.intent])
  expect(await page.evaluate('given')).toBe(await token(page).inputValue())
})
