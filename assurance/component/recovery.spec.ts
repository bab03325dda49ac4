import type { Page, Route } from '@playwright/test'
import { expect, test } from '../../e2e/setup/test.ts'
import {
  answer,
  check,
  countRequests,
  events,
  passCheck,
  runUntil,
  runUntilError,
  setVisible,
} from '../../e2e/setup/visitor.ts'

/** After a failure that passes, the component tries again by itself (docs/component-states.md). Nobody has to press its box. */

const json = (status: number, error: string, headers: Record<string, string> = {}) => answer(status, { error }, headers)

/** Failures that end without anybody's help. */
const PASSING: Readonly<Record<string, (route: Route) => Promise<void>>> = {
  'no connection': (route) => route.abort('connectionrefused'),
  'a service that is unavailable': json(503, 'unavailable', { 'retry-after': '1' }),
  'a fault of the service': json(500, 'internal-error'),
  'a limit that is over in a minute': json(429, 'rate-limited', { 'retry-after': '61' }),
}
/** Failures that last until somebody repairs something. */
const FINAL: Readonly<Record<string, (route: Route) => Promise<void>>> = {
  'a host that is not allowed': json(403, 'origin-not-allowed'),
  'a paused site': json(403, 'site-disabled'),
  'an unknown site': json(422, 'bad-request'),
}

const send = (page: Page) => page.getByRole('button', { name: 'Send' }).click()

/**
 * How many challenges are requested until the form is sent, counted from now on. The page that it leads to has the component,
 * too, and does not count.
 */
function countTries(page: Page): () => number | undefined {
  let tries = 0
  let sent: number | undefined
  page.on('request', (request) => {
    if (request.isNavigationRequest()) sent ??= tries
    else if (request.method() === 'POST' && request.url().endsWith('/challenge')) tries += 1
  })
  return () => sent
}

/** What a page or its visitor does; the component tries again at each. */
const EVENTS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'the focus enters the form': (page) => page.getByLabel('Comment').focus(),
  'the browser is online again': (page) => page.evaluate(`void dispatchEvent(new Event('online'))`),
  'the page is shown again': async (page) => {
    await setVisible(page, false)
    await setVisible(page, true)
  },
}

async function fail(page: Page, path: string, respond: (route: Route) => Promise<void>, form: () => Promise<void>) {
  await page.clock.install()
  await page.route(`**/${path}`, respond)
  await form()
  await runUntilError(page)
  await page.unroute(`**/${path}`)
  await page.clock.fastForward('01:05')
}

for (const path of ['challenge', 'solve']) {
  for (const [failure, respond] of Object.entries(PASSING)) {
    test(`${failure} at /${path} is over when the form is submitted`, async ({ page, trial, visit }) => {
      // in no field, so that only the submission can start the next try
      await fail(page, path, respond, async () => visit(await trial.form()))
      await page.evaluate('document.forms[0].requestSubmit()')
      await page.waitForURL(/svc-captcha-response=tgr_/)
    })
  }
}

for (const [event, happen] of Object.entries(EVENTS)) {
  test(`a failure is over when ${event}`, async ({ page, trial, visit }) => {
    await fail(page, 'challenge', json(503, 'unavailable'), async () => visit(await trial.form()))
    await happen(page)
    await passCheck(page)
    const names = (await events(page)).map(({ name }) => name).filter((name) => name !== 'progress')
    expect(names).toEqual(['ready', 'error', 'solved'])
  })
}

test('a visitor who has to wait several times gets through, and hears it once', async ({ page, trial, visit }) => {
  const waits = [20, 5, 3, 2, 2]
  await page.clock.install()
  await page.route('**/challenge', (route) => {
    const seconds = waits.shift()
    return seconds ? json(429, 'rate-limited', { 'retry-after': `${seconds}` })(route) : route.continue()
  })
  await visit(await trial.form('data-start="submit"'))
  await page.evaluate(`{
    window.announced = []
    const status = document.querySelector('.svc-captcha').firstChild.shadowRoot.querySelector('[role=status]')
    new MutationObserver(() => announced.push(status.textContent)).observe(status, { subtree: true, childList: true, characterData: true })
    document.querySelector('form').addEventListener('submit', (event) => event.preventDefault())
  }`)
  const tries = countRequests(page, 'challenge')
  await send(page)
  await runUntil(page, async () => (await events(page)).at(-1)?.name === 'solved')
  await passCheck(page)
  expect(tries()).toBe(6)
  expect((await events(page)).map(({ name }) => name)).not.toContain('error')
  const announced = ['Verifying you are human', 'Busy, continuing shortly', 'Verifying you are human', 'Verified']
  expect(await page.evaluate('announced')).toEqual(announced)
})

test('a limit is respected until its time is over', async ({ page, trial, visit }) => {
  await page.clock.install()
  await page.route('**/challenge', json(429, 'rate-limited', { 'retry-after': '3600' }))
  await visit(await trial.form())
  await runUntilError(page)
  const tries = countTries(page)
  await page.getByLabel('Comment').fill('kept')
  await page.clock.fastForward('30:00')
  await setVisible(page, false)
  await setVisible(page, true)
  await send(page)
  await page.waitForURL(/comment=kept&svc-captcha-response=&by=send/)
  expect(tries()).toBe(0)
})

test('a form submitted after an error is sent without a token after two tries', async ({ page, trial, visit }) => {
  await page.clock.install()
  await page.route('**/challenge', (route) => route.abort('connectionrefused'))
  await visit(await trial.form())
  await runUntilError(page)
  const tries = countTries(page)
  await page.evaluate(`document.querySelector('[name=comment]').value = 'kept'`)
  const left = page.waitForURL(/comment=kept&svc-captcha-response=&by=send/)
  await send(page)
  await expect(check(page)).toHaveText('Verifying you are human')
  expect(tries()).toBeUndefined()
  await page.clock.runFor(5_000)
  await left
  expect(tries()).toBe(2)
})

test('a form submitted before the first error is kept for the visitor to read', async ({ page, trial, visit }) => {
  await page.clock.install()
  await page.route('**/challenge', (route) => route.abort('connectionrefused'))
  await visit(await trial.form('data-start="submit"'))
  await page.getByLabel('Comment').fill('kept')
  await send(page)
  await runUntilError(page)
  await expect(check(page)).toContainText('No connection')
  expect(new URL(page.url()).search).toBe('')
  await page.unroute('**/challenge')
  await send(page)
  await page.waitForURL(/comment=kept&svc-captcha-response=tgr_/)
})

test('two components in one form do not wait for each other forever', async ({ page, trial, visit }) => {
  await page.clock.install()
  await page.route('**/challenge', (route) => route.abort('connectionrefused'))
  const second = await trial.box('data-response-field-name="second"')
  await visit((await trial.form()).replace('</form>', `${second}</form>`))
  await runUntilError(page, 2)
  await page.evaluate(`document.querySelector('[name=comment]').value = 'kept'`)
  await send(page)
  await runUntil(page, () => /comment=kept&svc-captcha-response=&by=send&second=/.test(page.url()))
})

for (const [failure, respond] of Object.entries(FINAL)) {
  test(`${failure} is not tried again by itself, and does not hold the form`, async ({ page, trial, visit }) => {
    await page.route('**/challenge', respond)
    await visit(await trial.form())
    await expect.poll(async () => (await events(page)).at(-1)?.name).toBe('error')
    const tries = countTries(page)
    for (const happen of Object.values(EVENTS)) await happen(page)
    await page.getByLabel('Comment').fill('kept')
    await send(page)
    await page.waitForURL(/comment=kept&svc-captcha-response=&by=send/)
    expect(tries()).toBe(0)
  })
}

test('a form that starts on submit is sent at the second error', async ({ page, trial, visit }) => {
  await page.route('**/challenge', json(403, 'site-disabled'))
  await visit(await trial.form('data-start="submit"'))
  await page.getByLabel('Comment').fill('kept')
  await send(page)
  await expect(check(page)).toContainText('Cannot verify here')
  expect(new URL(page.url()).search).toBe('')
  await send(page)
  await page.waitForURL(/comment=kept&svc-captcha-response=&by=send/)
})

test('a page that moves the focus at an error does not cause a loop', async ({ page, trial, visit }) => {
  await page.route('**/challenge', json(500, 'internal-error'))
  const challenges = countRequests(page, 'challenge')
  const script = `<script>addEventListener('svc-captcha:error', () => {
    document.forms[0].by.focus()
    document.forms[0].comment.focus()
  })</script>`
  await visit(script + (await trial.form()))
  await expect.poll(async () => (await events(page)).at(-1)?.name).toBe('error')
  await expect(page.getByLabel('Comment')).toBeFocused()
  await expect(check(page)).toContainText('Service unavailable')
  expect(challenges()).toBe(1)
})
