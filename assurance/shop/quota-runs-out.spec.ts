import { expect, test } from '../../e2e/setup/test.ts'
import { expectReceipt, fillOrder, passCheck, placeOrder, prepareOrder } from '../../e2e/setup/visitor.ts'

test.use({ quota: 1 })

test('a visitor without units left sees why, pays nothing, and can continue once there are units', async ({
  page,
  merchant,
  service,
}) => {
  const late = await page.context().newPage()
  await prepareOrder(late, merchant.shop)
  await prepareOrder(page, merchant.shop)
  await placeOrder(page).click()
  await expectReceipt(page)

  const answered = late.waitForResponse(`${merchant.shop}/checkout`)
  await placeOrder(late).click()
  expect((await answered).status()).toBe(402)
  await expect(late.getByRole('heading', { name: 'The counter is closed for a moment' })).toBeVisible()
  await expect(late.getByText('We couldn’t take your order right now; nothing was charged.')).toBeVisible()
  expect(await merchant.books()).toMatchObject({ orders: 1, decisions: 1, fromQuota: 1, balance: 0 })

  await late.getByRole('button', { name: 'Try again' }).click()
  await expect(late.getByRole('heading', { name: 'The counter is closed for a moment' })).toBeVisible()

  await service.tollgate('balance', 'add', '--tenant', merchant.tenantId, '--units', '2', '--reason', 'paid')
  await late.getByRole('button', { name: 'Try again' }).click()
  await expectReceipt(late)
  expect(await merchant.books()).toMatchObject({ orders: 2, decisions: 2, fromQuota: 1, balance: 1 })
  expect(await service.tollgate('reconcile')).toMatchObject({ ok: true })
})

test('without units no form is shown that could not be sent', async ({ page, merchant, service }) => {
  await service.tollgate('quota', 'set', '--tenant', merchant.tenantId, '--units', '0')
  const reply = await page.goto(`${merchant.shop}/checkout`)
  expect(reply?.status()).toBe(402)
  await expect(page.getByRole('heading', { name: 'The counter is closed for a moment' })).toBeVisible()

  await service.tollgate('balance', 'add', '--tenant', merchant.tenantId, '--units', '1', '--reason', 'paid')
  await page.getByRole('link', { name: 'Try again' }).click()
  await fillOrder(page)
  await passCheck(page)
  await placeOrder(page).click()
  await expectReceipt(page)
  expect(await merchant.books()).toMatchObject({ orders: 1, decisions: 1, fromQuota: 0, balance: 0 })
})

test('of two visitors who send at once, one gets the last unit and the other is charged nothing', async ({
  page,
  merchant,
}) => {
  const other = await page.context().newPage()
  await prepareOrder(page, merchant.shop)
  await prepareOrder(other, merchant.shop)
  const answers = await Promise.all(
    [page, other].map(async (tab) => {
      const answered = tab.waitForResponse(`${merchant.shop}/checkout`)
      await placeOrder(tab).click()
      return (await answered).status()
    }),
  )
  expect(answers.toSorted()).toEqual([303, 402])
  expect(await merchant.books()).toMatchObject({ orders: 1, decisions: 1, fromQuota: 1, balance: 0 })
})
