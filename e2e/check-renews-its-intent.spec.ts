import type { Page, Route } from '@playwright/test'
import { expect, test } from './setup/test.ts'
import type { Trial } from './setup/trial.ts'
import { check, countRequests, start, token, told } from './setup/visitor.ts'

/** Answers the page's POST to /intent, and keeps what it was asked. */
async function playBackend(page: Page, answer: (route: Route, turn: number) => Promise<void>): Promise<string[]> {
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

/** A form whose token has run out. */
async function openExpired(page: Page, url: string): Promise<string> {
  await page.clock.install()
  await page.goto(url)
  await expect(token(page)).toHaveValue(/^tgr_/)
  const intent = await intentOf(page)
  await page.clock.fastForward('05:01')
  await expect(token(page)).toHaveValue('')
  return intent
}

test('an expired intent is renewed at the next focus, and what was typed stays', async ({ page, trial, serve }) => {
  const asked = await playBackend(page, fresh(trial))
  const first = await openExpired(page, await serve(await trial.form('data-renew="/intent"')))
  // nothing is said to the visitor, who has nothing to do; the page is told
  await expect(start(page)).toBeVisible()
  await expect(page.getByText('expired')).toBeHidden()
  expect((await told(page)).at(-1)?.name).toBe('expired')
  expect(asked).toEqual([])
  await page.getByLabel('Comment').fill('kept')
  await expect(check(page)).toHaveText('Verified')
  expect(asked).toEqual([first])
  const second = await intentOf(page)
  expect(second).not.toBe(first)
  expect(await trial.redeem(second, await token(page).inputValue())).toBe(200)
  await expect(page.getByLabel('Comment')).toHaveValue('kept')
  expect((await told(page)).map(({ name }) => name)).not.toContain('error')
})

test('a form that is sent with an expired intent is held, renewed and sent', async ({ page, trial, serve }) => {
  const form = await trial.form('data-renew="/intent" data-start="submit"')
  const asked = await playBackend(page, fresh(trial))
  await page.goto(await serve(form))
  await page.getByLabel('Comment').fill('kept')
  await trial.age(301)
  const challenges = countRequests(page, 'challenge')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/comment=kept&svc-captcha-response=tgr_.*&by=send/)
  expect([asked.length, challenges()]).toEqual([1, 2])
})

test('one POST is enough for a visitor in a hurry, and a page that brings its own intent wins', async ({
  page,
  trial,
  serve,
}) => {
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  const asked = await playBackend(page, async (route) => {
    await held
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

test('a renewal that fails is shown, and tried again when the form is sent', async ({ page, trial, serve }) => {
  const lines: string[] = []
  page.on('console', (message) => lines.push(message.text()))
  const answers: ((route: Route) => Promise<void>)[] = [
    (route) => route.fulfill({ status: 403, contentType: 'text/html', body: 'Forbidden' }),
    (route) =>
      route.fulfill({ json: { intent_id: (route.request().postDataJSON() as { intent_id: string }).intent_id } }),
    (route) => route.fulfill({ json: { error: 'not logged in' } }),
    fresh(trial),
  ]
  const asked = await playBackend(page, async (route, turn) => answers[turn - 1]?.(route))
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

test('an answer that is no JSON, as from a page to sign in, is a failure too', async ({ page, trial, serve }) => {
  await playBackend(page, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><p>Sign in' }))
  await openExpired(page, await serve(await trial.form('data-renew="/intent"')))
  await page.getByLabel('Comment').focus()
  await expect
    .poll(async () => {
      await page.clock.runFor(1000)
      return (await told(page)).at(-1)?.name
    })
    .toBe('error')
  await expect(check(page)).toContainText('Cannot verify here')
})

test('an intent that a backend gives again and again does not go round for ever', async ({ page, trial, serve }) => {
  const old = [await trial.intent(), await trial.intent()]
  const form = await trial.form('data-renew="/intent" data-start="submit"')
  await trial.age(301)
  const asked = await playBackend(page, (route, turn) => route.fulfill({ json: { intent_id: old[turn - 1] ?? '' } }))
  await page.goto(await serve(form))
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(check(page)).toContainText('Verification failed')
  expect(asked).toHaveLength(1)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect.poll(() => asked.length).toBe(2)
  await expect(check(page)).toContainText('Verification failed')
})

test('render takes it as an option, and its own intent gives way', async ({ page, trial, serve, service }) => {
  const asked = await playBackend(page, fresh(trial))
  await page.goto(await serve('<form><label>Comment <input></label><div></div></form>', { query: '?render=explicit' }))
  await page.waitForFunction('window.svcCaptcha')
  const options = { sitekey: trial.sitekey, intent: await trial.intent(), endpoint: service.url }
  await trial.age(301)
  await page.evaluate(
    `svcCaptcha.render('div', { ...${JSON.stringify(options)}, renew: '/intent', start: 'focus', callback: (token) => { window.given = token } })`,
  )
  await page.getByLabel('Comment').focus()
  await expect(start(page)).toBeVisible()
  await expect.poll(async () => (await told(page)).at(-1)?.name).toBe('expired')
  await start(page).click()
  await expect(check(page)).toHaveText('Verified')
  expect(asked).toEqual([options.intent])
  expect(await page.evaluate('given')).toBe(await token(page).inputValue())
})
