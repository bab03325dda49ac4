import type { Page } from '@playwright/test'
import { expect, test } from './setup/test.ts'
import { check, events, fillOrder, passCheck, placeOrder, prepareEmail, token } from './setup/visitor.ts'

/** Removes data-renew, which the shops' pages set. */
const disableRenewal = (page: Page) =>
  page
    .locator('.svc-captcha')
    .evaluate((box: { removeAttribute: (name: string) => void }) => box.removeAttribute('data-renew'))

test.describe('with a high difficulty', () => {
  test.use({ testKey: 'TESThard' })

  test('progress events are sent while workers solve, and the page stays responsive', async ({ page, merchant }) => {
    await page.goto(`${merchant.shop}/checkout`)
    const ring = page.getByRole('progressbar', { name: 'Verifying you are human' })
    await expect(ring).toHaveAttribute('aria-valuenow', /^\d+$/)
    await expect.poll(() => page.workers().length).toBeGreaterThan(0)
    await fillOrder(page)
    await expect(check(page)).toHaveText('Verified', { timeout: 90_000 })
    await expect(ring).toHaveCount(0)

    const recorded = await events(page)
    const progress = recorded.filter(({ name }) => name === 'progress')
    const ratios = progress.map(({ ratio }) => ratio ?? -1)
    expect(ratios).toEqual(ratios.toSorted((a, b) => a - b))
    expect(new Set(ratios).size).toBeGreaterThan(5)
    expect(ratios.at(-1)).toBe(1)
    const painted = (progress.at(-1)?.frame ?? 0) - (progress[0]?.frame ?? 0)
    expect(painted, 'frames painted meanwhile').toBeGreaterThan(10)
    expect(recorded.at(-1)?.name).toBe('solved')
    expect(page.workers()).toEqual([])
  })
})

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

test('an expired token is removed and reported, and no reload is offered after something was typed', async ({
  page,
  merchant,
}) => {
  await page.clock.install()
  await prepareEmail(page, merchant.shop)
  await disableRenewal(page)
  await page.clock.fastForward('05:01')
  await expect(check(page)).toContainText('Verification expired')
  await expect(check(page)).toContainText('Copy your text, then reload.')
  await expect(page.getByRole('button', { name: 'Reload' })).toBeHidden()
  await expect(token(page)).toHaveValue('')
  expect((await events(page)).at(-1)?.name).toBe('expired')
})

test('a reload is offered for an expired token if nothing was typed', async ({ page, merchant }) => {
  await page.clock.install()
  await page.goto(`${merchant.shop}/signup`)
  await passCheck(page)
  await disableRenewal(page)
  await page.clock.fastForward('05:01')
  await expect(check(page)).toContainText('Reload to continue.')
  await page.getByRole('button', { name: 'Reload' }).click()
  await passCheck(page)
})

test('a hostname that is not allowed is explained to the visitor and the developer', async ({
  page,
  merchant,
  serve,
}) => {
  const lines = helpOf(page)
  const named = `data-sitekey="${merchant.sitekey}" data-intent="${await merchant.intent()}"`
  const url = await serve(`<form><div class="svc-captcha" ${named} data-endpoint="${merchant.tollgate}"></div></form>`)
  const refused = page.waitForResponse('**/challenge')
  await page.goto(url.replace('localhost', '127.0.0.1'))
  const requestId = (await (await refused).headerValue('x-request-id')) ?? 'none'
  await expect(check(page)).toContainText('This address is not on the site’s list')
  await expect(page.getByText(`Ref. ${requestId.slice(-8)}`)).toBeVisible()
  await expect(token(page)).toHaveValue('')
  expect((await events(page)).at(-1)).toMatchObject({ name: 'error', code: 'origin-not-allowed', requestId })
  await expect.poll(() => lines).toHaveLength(1)
  expect(lines[0]).toContain(`Tollgate: origin-not-allowed ${requestId} This page's host is 127.0.0.1`)
  await expectAnchor(page, lines[0], `${merchant.tollgate}/docs/errors#origin-not-allowed`)
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

    test(`${mistake}: one line in the console says what to do`, async ({ page, trial, serve, service }) => {
      const lines = helpOf(page)
      await page.clock.install()
      const all = { sitekey: trial.sitekey, intent: await trial.intent(), endpoint: service.url, ...attributes }
      const box = Object.entries(all).map(([name, value]) => `data-${name}="${value}"`)
      await page.goto(await serve(`<form><div class="svc-captcha" ${box.join(' ')}></div></form>`))
      await expect
        .poll(async () => {
          await page.clock.runFor(1000)
          return lines
        })
        .toHaveLength(1)
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

/** Causes of `network`: the endpoint, what the line says after its general sentence, and the page's policy. */
const CAUSES: Readonly<
  Record<string, [endpoint: (url: string) => string, says: string, policy?: (url: string) => string]>
> = {
  'an endpoint without a scheme': [() => 'localhost:4700', 'It has no scheme: begin data-endpoint with https://'],
  'https on a port of http': [(url) => url.replace('http:', 'https:'), 'that the port speaks https and not http'],
  'a port at which nothing listens': [() => 'http://127.0.0.1:2', 'that the service runs at this host and port'],
  'a path that is none of the service’s': [(url) => `${url}/api`, 'the path in data-endpoint is wrong'],
  'a policy': [
    (url) => url,
    'The connect-src of its Content-Security-Policy blocked the request',
    (url) => `default-src 'none'; script-src ${url}; connect-src ${url}/widget/`,
  ],
}

for (const [cause, [endpointOf, says, policyOf]] of Object.entries(CAUSES)) {
  test.describe(() => {
    test.use({ expectedErrors: /ERR_|Fetch API cannot load|Content Security Policy|CORS policy/ })

    test(`${cause} is named in the console`, async ({ page, trial, serve, service }) => {
      const lines = helpOf(page)
      await page.clock.install()
      const endpoint = endpointOf(service.url)
      const form = (await trial.form()).replace(`data-endpoint="${service.url}"`, `data-endpoint="${endpoint}"`)
      await page.goto(await serve(form, policyOf && { policy: policyOf(service.url) }))
      await expect
        .poll(async () => {
          await page.clock.runFor(1000)
          return lines
        })
        .toHaveLength(1)
      expect(lines[0]).toContain(`Tollgate: network The page got no readable response from ${endpoint}. `)
      expect(lines[0]).toContain(says)
      await expect(check(page)).toContainText('No connection')
    })
  })
}

test.describe('with a policy that forbids connections', () => {
  test.use({ expectedErrors: /Content Security Policy/ })

  test('the line in the console has a built-in text', async ({ page, trial, serve, service }) => {
    const lines = helpOf(page)
    await page.clock.install()
    const policy = `default-src 'none'; script-src ${service.url}`
    await page.goto(await serve(await trial.form(), { policy }))
    await expect
      .poll(async () => {
        await page.clock.runFor(1000)
        return lines
      })
      .toHaveLength(1)
    expect(lines[0]).toContain('Tollgate: network Check data-endpoint')
    expect(lines[0]).toContain('connect-src')
    await expect(check(page)).toContainText('No connection')
  })
})

/** The line ends with this address, and its page has the anchor. */
async function expectAnchor(page: Page, line: string | undefined, address: string): Promise<void> {
  expect(line?.split(' ').at(-1)).toBe(address)
  const reply = await page.request.get(address)
  expect(await reply.text()).toContain(` id="${address.split('#')[1]}"`)
}

/** The lines that the component writes to the console from now on. */
function helpOf(page: Page): string[] {
  const lines: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && message.text().startsWith('Tollgate: ')) lines.push(message.text())
  })
  return lines
}
