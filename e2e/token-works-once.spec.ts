import type { Request } from '@playwright/test'
import { expect, test } from './setup/test.ts'
import { expectReceipt, placeOrder, prepareOrder } from './setup/visitor.ts'

test('a second click while the first is under way is the same order and the same charge', async ({
  page,
  merchant,
  service,
}) => {
  // the shop's script swallows second clicks for comfort: without it both are sent
  await page.route('**/shop.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
  await prepareOrder(page, merchant.shop)
  const isSent = (request: Request) => request.method() === 'POST' && request.url() === `${merchant.shop}/checkout`
  await placeOrder(page).scrollIntoViewIfNeeded()
  const button = (await placeOrder(page).boundingBox()) ?? { x: 0, y: 0 }
  service.freeze()
  try {
    for (let clicks = 0; clicks < 2; clicks++) {
      // a locator's click would wait until the first form has been answered
      await Promise.all([page.waitForRequest(isSent), page.mouse.click(button.x + 10, button.y + 10)])
    }
  } finally {
    service.thaw()
  }
  await expectReceipt(page)
  expect(await merchant.books()).toMatchObject({ orders: 1, decisions: 1, fromQuota: 1 })
})

test('the same form posted eight times at once is one order, which all eight are shown', async ({
  page,
  merchant,
  service,
}) => {
  await prepareOrder(page, merchant.shop)
  const form = await page.locator('form[action="/checkout"]').evaluate(readForm)
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => page.request.post(`${merchant.shop}/checkout`, { form })),
  )
  const pages = await Promise.all(replies.map((reply) => reply.text()))
  expect(replies.map((reply) => reply.status())).toEqual(Array(8).fill(200))
  expect(pages[0]).toMatch(/PW-\d+[^]*dec_[0-9a-f]{32}/)
  expect(new Set(pages).size).toBe(1)
  expect(await merchant.books()).toMatchObject({ orders: 1, decisions: 1, fromQuota: 1 })
  expect(await service.tollgate('reconcile')).toMatchObject({ ok: true })

  // a client that received no reply and sends the form again gets the same order
  await placeOrder(page).click()
  await expectReceipt(page)
  expect(await merchant.books()).toMatchObject({ orders: 1, decisions: 1, fromQuota: 1 })
})

for (const [what, change] of Object.entries({
  content: { quantity: '9' },
  token: { 'svc-captcha-response': 'tgr_another' },
  'content and no token': { quantity: '9', 'svc-captcha-response': '' },
})) {
  test(`a form that was sent is refused with other ${what}, and the order stays`, async ({ page, merchant }) => {
    await prepareOrder(page, merchant.shop)
    const form = await page.locator('form[action="/checkout"]').evaluate(readForm)
    await placeOrder(page).click()
    await expectReceipt(page)
    const again = await page.request.post(`${merchant.shop}/checkout`, { form: { ...form, ...change } })
    expect(again.status()).toBe(409)
    expect(await again.text()).toContain('already sent with other content')
    const same = await page.request.post(`${merchant.shop}/checkout`, { form })
    expect(same.status()).toBe(200)
    expect(await same.text()).toContain('1 × Harbour saddle')
    expect(await merchant.books()).toMatchObject({ orders: 1, decisions: 1, fromQuota: 1 })
  })
}

/** Runs in the page: the fields as the browser would send them. */
function readForm(form: { elements: Iterable<Field> }): Record<string, string> {
  const sent = [...form.elements].filter(({ name, type, checked }) => name !== '' && (type !== 'radio' || checked))
  return Object.fromEntries(sent.map(({ name, value }) => [name, value]))
}

type Field = { name: string; value: string; type: string; checked: boolean }
