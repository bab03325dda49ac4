import { expect, test } from 'vitest'
import type { Shop } from './shop.ts'
import { CHECKBOX, expectOrder, expectVerified, PATIENCE, STATUS, type Stage, tokenIn } from './stage.ts'
import type { Browser } from './webdriver.ts'

const RENEW = 'data-renew="/intent"'

/** Sets the page's clock on by more than an intent lives, as after a pause of the device. */
const suspend = (browser: Browser) =>
  browser.evaluate(`(() => {
    // Firefox runs this with a Date of its own
    const { Date } = window
    const { now } = Date
    Date.now = () => now() + 301_000
    document.dispatchEvent(new Event('visibilitychange'))
  })()`)

/** The page never has the used token; a visitor who enters the form and sends it gets another one. */
async function expectRenewal(browser: Browser, shop: Shop, used: string | undefined): Promise<void> {
  const tokens: string[] = []
  await expect
    .poll(async () => {
      tokens.push(await tokenIn(browser))
      return (await browser.text(CHECKBOX)) || (await browser.text(STATUS))
      // Firefox puts the focus back into the form, which renews the intent at once
    }, PATIENCE)
    .toMatch(/^(Verify you are human|Verified)$/)
  expect(tokens).not.toContain(used)
  await browser.type('[name=comment]', 'again')
  await expectVerified(browser)
  await browser.click('[name=by]')
  const order = await expectOrder(shop, 2)
  expect(order['comment']).toContain('again')
  expect(order['svc-captcha-response']).not.toBe(used)
  expect(shop.intents).toHaveLength(2)
}

/** What ends, fails or was used, and is repaired without the visitor. */
export function failureCases({ browser: current, visit, shop: open }: Stage): void {
  test('a token that expires is renewed when the form is sent', async () => {
    const browser = current()
    const shop = await visit({ attributes: RENEW })
    await expectVerified(browser)
    await browser.type('[name=comment]', 'hello')
    await shop.age(301)
    await suspend(browser)
    await expect.poll(() => browser.text(CHECKBOX), PATIENCE).toBe('Verify you are human')
    expect(await tokenIn(browser)).toBe('')
    await browser.click('[name=by]')
    expect(await expectOrder(shop)).toMatchObject({ comment: 'hello', by: 'send' })
    expect(shop.intents).toHaveLength(2)
  })

  test('an intent that has expired before it was used is renewed when the form is sent', async () => {
    const browser = current()
    const shop = await open({ attributes: `${RENEW} data-start="submit"` })
    await shop.age(301)
    await browser.open(shop.url)
    await expect.poll(() => browser.text(CHECKBOX), PATIENCE).toBe('Verify you are human')
    await browser.type('[name=comment]', 'hello')
    await browser.click('[name=by]')
    expect(await expectOrder(shop)).toMatchObject({ comment: 'hello', by: 'send' })
    expect(shop.intents).toHaveLength(2)
  })

  test('a page that comes back after it was sent does not show the used token, and renews it', async () => {
    const browser = current()
    const shop = await visit({ attributes: RENEW })
    await expectVerified(browser)
    await browser.evaluate(`(window.isKept = true)`)
    await browser.click('[name=by]')
    const used = (await expectOrder(shop))['svc-captcha-response']
    await expect.poll(() => browser.evaluate('location.pathname'), PATIENCE).toBe('/order')
    await browser.back()
    await expect.poll(() => browser.evaluate('location.pathname'), PATIENCE).toBe('/')
    expect(await browser.evaluate('window.isKept'), 'the browser has kept the page').toBe(true)
    await expectRenewal(browser, shop, used)
  })

  // as a page of an application's cache, or one that the browser loads again from its own
  test('a page that is loaded again with a used intent renews it', async () => {
    const browser = current()
    const shop = await visit({
      attributes: RENEW,
      fields: '<input type="hidden" name="svc-captcha-response">',
    })
    await expectVerified(browser)
    await browser.click('[name=by]')
    const used = (await expectOrder(shop))['svc-captcha-response']
    await browser.open(shop.url)
    await expectRenewal(browser, shop, used)
  })

  test.each([
    ['unavailable', 'Service unavailable'],
    ['unreachable', 'No connection'],
  ] as const)('a service that was %s is asked again when the visitor returns to the form', async (failure, words) => {
    const browser = current()
    const shop = await open()
    shop.relay.fail('/challenge', failure)
    await browser.open(shop.url)
    await expect.poll(() => browser.text(STATUS), PATIENCE).toContain(words)
    shop.relay.recover()
    await browser.type('[name=comment]', 'hello')
    await expectVerified(browser)
    await browser.click('[name=by]')
    expect(await expectOrder(shop)).toMatchObject({ comment: 'hello' })
  })

  test('a form that is sent after a failure waits for the next try', async () => {
    const browser = current()
    const shop = await open()
    shop.relay.fail('/challenge', 'unavailable')
    await browser.open(shop.url)
    await expect.poll(() => browser.text(STATUS), PATIENCE).toContain('Service unavailable')
    shop.relay.recover()
    await browser.evaluate(`document.forms[0].requestSubmit(document.querySelector('[name=by]'))`)
    expect(await expectOrder(shop)).toMatchObject({ by: 'send' })
  })
}
