import type { Page } from '@playwright/test'
import { expect, test } from './setup/test.ts'
import { check, events, fillOrder, linesOf, placeOrder, prepareEmail, runUntil, token } from './setup/visitor.ts'

test.describe('with a rejected solution', () => {
  test.use({ testKey: 'TESTfail' })

  test('the error has the request ID of the log, and the order is refused', async ({ page, merchant }) => {
    const refused = page.waitForResponse('**/solve')
    await page.goto(`${merchant.shop}/checkout`)
    const requestId = (await (await refused).headerValue('x-request-id')) ?? 'none'
    await expect(check(page)).toContainText('Verification failed')
    await expect(check(page)).toContainText('Please try again.')
    await expect(page.getByText(`Ref. ${requestId.slice(-8)}`)).toBeVisible()
    await expect(token(page)).toHaveValue('')
    expect((await events(page)).at(-1)).toMatchObject({ name: 'error', code: 'solution-invalid', requestId })

    const again = page.waitForResponse('**/solve')
    await page.getByRole('button', { name: 'Retry' }).click()
    expect((await again).status()).toBe(422)
    await expect(check(page)).toContainText('Verification failed')

    await fillOrder(page)
    await placeOrder(page).click()
    await expect(page.getByRole('alert')).toContainText('Please complete the check')
    expect(await merchant.books()).toMatchObject({ orders: 0, decisions: 0 })
  })
})

test('an expired token is removed, without a reload after something was typed', async ({ page, merchant }) => {
  await page.clock.install()
  await prepareEmail(page, merchant.shop)
  // which the shops' pages set
  await page.evaluate(`delete document.querySelector('.svc-captcha').dataset.renew`)
  await page.clock.fastForward('05:01')
  await expect(check(page)).toContainText('Verification expired')
  await expect(check(page)).toContainText('Copy your text, then reload.')
  await expect(page.getByRole('button', { name: 'Reload' })).toBeHidden()
  await expect(token(page)).toHaveValue('')
  expect((await events(page)).at(-1)?.name).toBe('expired')
})

test('a hostname that is not allowed is explained to the visitor and the developer', async ({ page, trial, serve }) => {
  const lines = linesOf(page)
  const url = await serve(await trial.form())
  const refused = page.waitForResponse('**/challenge')
  await page.goto(url.replace('localhost', '127.0.0.1'))
  const requestId = (await (await refused).headerValue('x-request-id')) ?? 'none'
  await expect(check(page)).toContainText('This address is not on the site’s list')
  await expect(page.getByText(`Ref. ${requestId.slice(-8)}`)).toBeVisible()
  await expect(token(page)).toHaveValue('')
  expect((await events(page)).at(-1)).toMatchObject({ name: 'error', code: 'origin-not-allowed', requestId })
  await expect.poll(() => lines).toHaveLength(1)
  expect(lines[0]).toContain(`Tollgate: origin-not-allowed ${requestId} This page's host is 127.0.0.1`)
  await expectAnchor(page, lines[0], `${trial.endpoint}/docs/errors#origin-not-allowed`)
})

/** Common mistakes: the attributes, how the line in the console begins, its anchor in the docs, and the event's field. */
const MISTAKES: Readonly<
  Record<string, [attributes: Record<string, string>, line: string, anchor: string, field?: string]>
> = {
  'a site key that does not exist': [
    { sitekey: 'tg_site_00000000000000000000' },
    'bad-request sitekey req_* * has no site with the key tg_site_00000000000000000000.',
    'sitekey',
    'sitekey',
  ],
  'an intent that does not exist': [
    { intent: '0192f0c1-7a1b-7c3d-8e4f-5a6b7c8d9e0f' },
    'bad-request intent_id req_* 0192f0c1-7a1b-7c3d-8e4f-5a6b7c8d9e0f is not an intent of the site',
    'intent_id',
    'intent_id',
  ],
  'missing attributes': [
    { sitekey: '', intent: '' },
    'missing-option sitekey,intent The attributes data-sitekey, data-intent and data-endpoint',
    'missing-option',
    'sitekey,intent',
  ],
  'a missing endpoint': [
    { endpoint: '' },
    'missing-option endpoint The attributes data-sitekey, data-intent and data-endpoint',
    'missing-option',
    'endpoint',
  ],
  'an endpoint that is not Tollgate': [
    { endpoint: '/' },
    'network answer The response did not come from Tollgate.',
    'answer',
    'answer',
  ],
  'an endpoint that does not answer': [
    { endpoint: 'http://127.0.0.1:9' },
    'network The page got no readable response from http://127.0.0.1:9.',
    'network',
  ],
  'a data-renew on another origin': [
    { renew: 'https://elsewhere.example/intent' },
    'renew-ignored data-renew is ignored',
    'renew-ignored',
  ],
}

for (const [mistake, [attributes, line, anchor, field]] of Object.entries(MISTAKES)) {
  test.describe(() => {
    test.use({ expectedErrors: /ERR_UNSAFE_PORT|ERR_CONNECTION_REFUSED/ })

    test(`${mistake}: one line in the console says what to do`, async ({ page, trial, visit, service }) => {
      const lines = linesOf(page)
      await page.clock.install()
      const all = { sitekey: trial.sitekey, intent: await trial.intent(), endpoint: service.url, ...attributes }
      const box = Object.entries(all).map(([name, value]) => `data-${name}="${value}"`)
      await visit(`<form><div class="svc-captcha" ${box.join(' ')}></div></form>`)
      await runUntil(page, () => lines.length === 1)
      const pattern = `Tollgate: ${line}`.replace(/[.()]/g, '\\$&').replaceAll('*', '\\S+')
      expect(lines[0]).toMatch(new RegExp(`^${pattern}`))
      await expectAnchor(page, lines[0], `${service.url}/docs/errors#${anchor}`)
      const error = (await events(page)).find(({ name }) => name === 'error')
      if (line.startsWith('renew')) return expect(error).toBeUndefined()
      expect(error?.field).toBe(field)
      await expect(page.locator('[data-state=error]')).toBeVisible()
    })
  })
}

/** The line ends with this address, and its page has the anchor. */
async function expectAnchor(page: Page, line: string | undefined, address: string): Promise<void> {
  expect(line?.split(' ').at(-1)).toBe(address)
  const reply = await page.request.get(address)
  expect(await reply.text()).toContain(` id="${address.split('#')[1]}"`)
}
