import { expect, test } from 'vitest'
import { BOX, CHECKBOX, expectOrder, expectVerified, PATIENCE, STATUS, type Stage, tokenIn } from './stage.ts'

const COMMENT = '[name=comment]'
const SEND = '[name=by]'

/** What a visitor does with a form. */
export function formCases({ browser: current, visit, shop: open }: Stage): void {
  test('a visitor presses the box, and sends the form with a token that is accepted', async () => {
    const browser = current()
    const shop = await visit({ attributes: 'data-start="submit"' })
    await expect.poll(() => browser.text(CHECKBOX), PATIENCE).toBe('Verify you are human')
    await browser.type(COMMENT, 'hello')
    await browser.click(CHECKBOX)
    await expectVerified(browser)
    await browser.click(SEND)
    expect(await expectOrder(shop)).toMatchObject({ comment: 'hello', by: 'send' })
  })

  test.each(['auto', 'focus', 'submit'])('a form that is sent at once waits for the token: start=%s', async (start) => {
    const browser = current()
    const shop = await open({ attributes: `data-start="${start}"` })
    const release = shop.relay.hold('/challenge')
    await browser.open(shop.url)
    await expect.poll(() => browser.evaluate(`document.querySelector('${BOX}') !== null`), PATIENCE).toBe(true)
    await browser.type(COMMENT, 'hello')
    await browser.click(SEND)
    await expect.poll(() => shop.relay.seen(), PATIENCE).toContain('POST /challenge')
    await expect.poll(() => browser.text(STATUS), PATIENCE).toBe('Verifying you are human')
    expect([await browser.evaluate('location.pathname'), shop.orders]).toEqual(['/', []])
    release()
    expect(await expectOrder(shop)).toMatchObject({ comment: 'hello', by: 'send' })
    expect(shop.orders).toHaveLength(1)
  })

  test('a form in a shadow root', async () => {
    const browser = current()
    const shop = await visit({
      query: '?render=explicit&onload=start',
      wrap: (form) => `<main><template shadowrootmode="open">${form}</template></main>
        <script>start = () => svcCaptcha.render(document.querySelector('main').shadowRoot.querySelector('.svc-captcha'))</script>`,
    })
    const inside = (selector: string) => `main >>> ${selector}`
    await expect.poll(() => browser.text(inside(STATUS)), PATIENCE).toBe('Verified')
    expect(await tokenIn(browser, `document.querySelector('main').shadowRoot`)).toMatch(/^tgr_/)
    await browser.type(inside(COMMENT), 'hello')
    await browser.click(inside(SEND))
    expect(await expectOrder(shop)).toMatchObject({ comment: 'hello', by: 'send' })
  })

  test('a page from right to left in dark colours, used only with the keyboard', async () => {
    const browser = current()
    const shop = await visit({
      attributes: 'data-start="submit"',
      html: 'lang="ar" dir="rtl" style="color-scheme: dark"',
    })
    await expect.poll(() => browser.text(CHECKBOX), PATIENCE).not.toBe('')
    const name = await browser.text(CHECKBOX)
    expect(name).toMatch(/^\p{Script=Arabic}/u)
    expect(await browser.accessible(CHECKBOX)).toEqual({ role: 'checkbox', name })
    expect((await browser.accessible(`${BOX} >>> [role=group]`)).name).toMatch(/^\p{Script=Arabic}/u)
    // the visible square is on the right, and the box is dark
    const look = await browser.evaluate<{ right: boolean; background: string }>(`(() => {
      const root = document.querySelector('${BOX}').shadowRoot
      const [box, icon] = ['.box', '.icon'].map((part) => root.querySelector(part).getBoundingClientRect())
      return {
        right: icon.left + icon.right > box.left + box.right,
        background: getComputedStyle(root.querySelector('.box')).backgroundColor,
      }
    })()`)
    expect(look).toEqual({ right: true, background: 'rgb(21, 24, 30)' })

    const focused = () =>
      browser.evaluate(
        `(document.activeElement.shadowRoot ?? document).activeElement.getAttribute('role') ?? document.activeElement.name`,
      )
    await browser.press('Tab')
    await expect.poll(focused, PATIENCE).toBe('comment')
    await browser.press('Tab')
    await expect.poll(focused, PATIENCE).toBe('checkbox')
    await browser.press('Space')
    await expect
      .poll(
        () => browser.evaluate(`document.querySelector('${BOX}').shadowRoot.querySelector('.box').dataset.state`),
        PATIENCE,
      )
      .toBe('solved')
    expect(await browser.text(STATUS)).toMatch(/^\p{Script=Arabic}/u)
    await browser.press('Tab')
    await expect.poll(focused, PATIENCE).toBe('by')
    await browser.press('Space')
    await expectOrder(shop)
  })
}
