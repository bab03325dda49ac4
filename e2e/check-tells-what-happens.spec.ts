import type { Page } from '@playwright/test'
import { expect, test } from './setup/test.ts'
import { check, fillOrder, passCheck, placeOrder, prepareEmail, token } from './setup/visitor.ts'

type Recorded = { name: string; frame: number; ratio?: number; code?: string; requestId?: string }

const recorded = (page: Page) => page.evaluate<Recorded[]>('recorder.events')

test.describe('with much work', () => {
  test.use({ testKey: 'TESThard' })

  test('progress is told while workers solve and the page stays responsive', async ({ page, merchant }) => {
    await page.goto(`${merchant.shop}/checkout`)
    const ring = page.getByRole('progressbar', { name: 'Verifying you are human' })
    await expect(ring).toHaveAttribute('aria-valuenow', /^\d+$/)
    await expect.poll(() => page.workers().length).toBeGreaterThan(0)
    await fillOrder(page)
    await expect(check(page)).toHaveText('Verified', { timeout: 90_000 })
    await expect(ring).toHaveCount(0)

    const events = await recorded(page)
    const progress = events.filter(({ name }) => name === 'progress')
    const ratios = progress.map(({ ratio }) => ratio ?? -1)
    expect(ratios).toEqual(ratios.toSorted((a, b) => a - b))
    expect(new Set(ratios).size).toBeGreaterThan(5)
    expect(ratios.at(-1)).toBe(1)
    const painted = (progress.at(-1)?.frame ?? 0) - (progress[0]?.frame ?? 0)
    expect(painted, 'frames painted meanwhile').toBeGreaterThan(10)
    expect(events.at(-1)?.name).toBe('solved')
    expect(page.workers()).toEqual([])
  })
})

test.describe('with a proof that is not accepted', () => {
  test.use({ testKey: 'TESTfail' })

  test('an error comes with the reference that the log has, and nothing can be bought with it', async ({
    page,
    merchant,
  }) => {
    const refused = page.waitForResponse('**/solve')
    await page.goto(`${merchant.shop}/checkout`)
    const requestId = (await (await refused).headerValue('x-request-id')) ?? 'none'
    await expect(check(page)).toContainText('Verification failed')
    await expect(check(page)).toContainText('Please try again.')
    await expect(page.getByText(`Ref. ${requestId.slice(-8)}`)).toBeVisible()
    await expect(token(page)).toHaveValue('')
    expect((await recorded(page)).at(-1)).toMatchObject({ name: 'error', code: 'solution-invalid', requestId })

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

test('a token that has run out is taken back and announced, and reloading leads on', async ({ page, merchant }) => {
  await page.clock.install()
  await prepareEmail(page, merchant.shop)
  await page.clock.fastForward('05:01')
  await expect(check(page)).toContainText('Verification expired')
  await expect(check(page)).toContainText('Reload to continue.')
  await expect(token(page)).toHaveValue('')
  expect((await recorded(page)).at(-1)?.name).toBe('expired')
  await page.getByRole('button', { name: 'Reload' }).click()
  await passCheck(page)
})

test.describe('elsewhere', () => {
  test.use({ expectedErrors: /403 \(Forbidden\)/ })

  test('a page on a host that the site does not know gets no token', async ({ page, merchant, serve }) => {
    const named = `data-sitekey="${merchant.sitekey}" data-intent="${await merchant.intent()}"`
    const url = await serve(
      `<form><div class="svc-captcha" ${named} data-endpoint="${merchant.tollgate}"></div></form>`,
    )
    await page.goto(url.replace('localhost', '127.0.0.1'))
    // such a page can read why it is refused, and nothing else
    await expect(page.getByText(/Ref\. [0-9a-f]{8}/)).toBeVisible()
    await expect(token(page)).toHaveValue('')
  })
})
