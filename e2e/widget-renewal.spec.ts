import type { Page, Request, Route } from '@playwright/test'
import { expect, test } from './setup/test.ts'
import type { Trial } from './setup/trial.ts'
import {
  check,
  checkbox,
  countRequests,
  events,
  expire,
  intentOf,
  mockRenewals,
  renewWith,
  token,
} from './setup/visitor.ts'

/** The expired intents of these requests. */
const intentsOf = (asked: Request[]): string[] =>
  asked.map((request) => {
    expect([request.method(), request.headers()['accept']]).toEqual(['POST', 'application/json'])
    return String((request.postDataJSON() as Record<string, unknown>)['intent_id'])
  })

/** Opens a form that renews its intent, and lets its token expire. Returns the intent. */
async function openExpired(page: Page, trial: Trial, visit: (markup: string) => Promise<void>): Promise<string> {
  await page.clock.install()
  await visit(await trial.form('data-renew="/intent"'))
  const intent = await intentOf(page)
  await expire(page)
  return intent
}

test('an expired intent is renewed on the next focus, without a reload', async ({ page, trial, visit }) => {
  const asked = await mockRenewals(page, renewWith(trial.intent))
  const first = await openExpired(page, trial, visit)
  // The visitor has nothing to do and sees no message; the page gets the event.
  await expect(checkbox(page)).toBeVisible()
  await expect(page.getByText('expired')).toBeHidden()
  expect((await events(page)).at(-1)?.name).toBe('expired')
  expect(asked).toEqual([])
  await page.getByLabel('Comment').fill('kept')
  await expect(check(page)).toHaveText('Verified')
  expect(intentsOf(asked)).toEqual([first])
  const second = await intentOf(page)
  expect(second).not.toBe(first)
  expect(await trial.redeem(second, await token(page).inputValue())).toBe(200)
  await expect(page.getByLabel('Comment')).toHaveValue('kept')
  expect((await events(page)).map(({ name }) => name)).not.toContain('error')
})

test('a form with an expired intent is delayed, renewed and submitted', async ({ page, trial, visit }) => {
  const form = await trial.form('data-renew="/intent" data-start="submit"')
  const asked = await mockRenewals(page, renewWith(trial.intent))
  await visit(form)
  await page.getByLabel('Comment').fill('kept')
  await trial.age(301)
  const challenges = countRequests(page, 'challenge')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForURL(/comment=kept&svc-captcha-response=tgr_.*&by=send/)
  expect([asked.length, challenges()]).toEqual([1, 2])
})

test('the intent is renewed once, and one that the page sets meanwhile wins', async ({ page, trial, visit }) => {
  let answer = () => {}
  const delayed = new Promise<void>((resolve) => {
    answer = resolve
  })
  const asked = await mockRenewals(page, async (route) => {
    await delayed
    await renewWith(trial.intent)(route).catch(() => undefined)
  })
  await openExpired(page, trial, visit)
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

test('a failed renewal shows an error, and is retried on submit', async ({ page, trial, visit }) => {
  const lines: string[] = []
  page.on('console', (message) => lines.push(message.text()))
  const answers: ((route: Route) => Promise<void>)[] = [
    (route) => route.fulfill({ status: 403, contentType: 'text/html', body: 'Forbidden' }),
    (route) =>
      route.fulfill({ json: { intent_id: (route.request().postDataJSON() as { intent_id: string }).intent_id } }),
    (route) => route.fulfill({ json: { error: 'not logged in' } }),
    renewWith(trial.intent),
  ]
  const asked = await mockRenewals(page, async (route, turn) => answers[turn - 1]?.(route))
  await openExpired(page, trial, visit)
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
  expect(new Set(intentsOf(asked)).size).toBe(1)
})

test('a server that returns expired intents causes an error, not a loop', async ({ page, trial, visit }) => {
  const old = [await trial.intent(), await trial.intent()]
  const form = await trial.form('data-renew="/intent" data-start="submit"')
  await trial.age(301)
  const asked = await mockRenewals(page, (route, turn) => route.fulfill({ json: { intent_id: old[turn - 1] ?? '' } }))
  await visit(form)
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(check(page)).toContainText('Verification failed')
  expect(asked).toHaveLength(1)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect.poll(() => asked.length).toBe(2)
  await expect(check(page)).toContainText('Verification failed')
})

test('the renew option of render works, and replaces the intent option', async ({ page, trial, visit }) => {
  const asked = await mockRenewals(page, renewWith(trial.intent))
  await visit('<form><label>Comment <input></label><div></div></form>', { query: '?render=explicit' })
  const options = await trial.options()
  await trial.age(301)
  await page.evaluate(
    `svcCaptcha.render('div', { ...${options}, renew: '/intent', start: 'focus', callback: (token) => { window.given = token } })`,
  )
  await page.getByLabel('Comment').focus()
  await expect(checkbox(page)).toBeVisible()
  await expect.poll(async () => (await events(page)).at(-1)?.name).toBe('expired')
  await checkbox(page).click()
  await expect(check(page)).toHaveText('Verified')
  expect(intentsOf(asked)).toEqual([JSON.parse(options).intent])
  expect(await page.evaluate('given')).toBe(await token(page).inputValue())
})
