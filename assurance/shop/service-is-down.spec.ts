import { expect, test } from '../../e2e/setup/test.ts'
import { check, expectReceipt, fillOrder, passCheck, placeOrder, prepareOrder } from '../../e2e/setup/visitor.ts'

test.afterEach(async ({ service }) => {
  service.thaw()
  await service.restart()
})

test('a service that hangs during submission costs nothing twice: trying again goes on', async ({
  page,
  merchant,
  service,
}) => {
  await prepareOrder(page, merchant.shop)
  service.freeze()
  const answered = page.waitForResponse(`${merchant.shop}/checkout`)
  await placeOrder(page).click()
  expect((await answered).status()).toBe(503)
  await expect(page.getByRole('heading', { name: 'That took too long' })).toBeVisible()
  expect(await merchant.books()).toMatchObject({ orders: 0 })

  // what was sent meanwhile waits in its sockets: it is worked off now, without anybody listening
  service.thaw()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expectReceipt(page)
  expect(await merchant.books()).toMatchObject({ orders: 1, decisions: 1, fromQuota: 1 })
  expect(await service.tollgate('reconcile')).toMatchObject({ ok: true })
})

test('a service that was killed before submission takes the same form when it is back', async ({
  page,
  merchant,
  service,
}) => {
  await prepareOrder(page, merchant.shop)
  await service.kill()
  const answered = page.waitForResponse(`${merchant.shop}/checkout`)
  await placeOrder(page).click()
  expect((await answered).status()).toBe(503)
  await expect(page.getByRole('heading', { name: 'That took too long' })).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'That took too long' })).toBeVisible()
  expect(await merchant.books()).toMatchObject({ orders: 0, decisions: 0, fromQuota: 0 })

  await service.restart()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expectReceipt(page)
  expect(await merchant.books()).toMatchObject({ orders: 1, decisions: 1, fromQuota: 1 })
})

test('a form that cannot be opened can be asked for again', async ({ page, merchant, service }) => {
  await service.kill()
  const reply = await page.goto(`${merchant.shop}/checkout`)
  expect(reply?.status()).toBe(503)
  await service.restart()
  await page.getByRole('link', { name: 'Try again' }).click()
  await fillOrder(page)
  await passCheck(page)
  await placeOrder(page).click()
  await expectReceipt(page)
  expect(await merchant.books()).toMatchObject({ orders: 1, decisions: 1, fromQuota: 1 })
})

test('the check says that there is no connection, and passes after Retry', async ({ page, merchant, service }) => {
  // the form is there, the check has not begun
  let proceed = () => {}
  const held = new Promise<void>((resolve) => {
    proceed = resolve
  })
  await page.route('**/challenge', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${merchant.shop}/checkout`)
  await fillOrder(page)
  await service.kill()
  proceed()
  await expect(check(page)).toContainText('No connection')
  await expect(page.getByText('Ref. network')).toBeVisible()

  await service.restart()
  await page.getByRole('button', { name: 'Retry' }).click()
  await passCheck(page)
  await placeOrder(page).click()
  await expectReceipt(page)
})
