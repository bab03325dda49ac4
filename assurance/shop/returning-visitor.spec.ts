import type { Page, Request } from '@playwright/test'
import { expect, test } from '../../e2e/setup/test.ts'
import { expectReceipt, placeOrder, prepareOrder } from '../../e2e/setup/visitor.ts'

/** The solutions that the component sends from now on. */
function watchSolutions(page: Page): Request[] {
  const solutions: Request[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/solve')) solutions.push(request)
  })
  return solutions
}

async function order(page: Page, shop: string): Promise<void> {
  await prepareOrder(page, shop)
  await placeOrder(page).click()
  await expectReceipt(page)
}

async function skipNextCheck(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Skip the check next time on this device' }).click()
  await expect(page.getByText('Your next form on this device skips the check')).toBeVisible()
}

test('a visitor who took the exemption orders again without work, and both orders are billed', async ({
  page,
  merchant,
  service,
}) => {
  await order(page, merchant.shop)
  await skipNextCheck(page)

  const solutions = watchSolutions(page)
  await order(page, merchant.shop)
  expect(solutions).toEqual([])
  await expect(page.getByText('The check was skipped this time')).toBeVisible()
  expect(await merchant.books()).toMatchObject({ orders: 2, decisions: 2, fromQuota: 2 })
  expect(await service.tollgate('reconcile')).toMatchObject({ ok: true, mismatches: [] })

  // next time, and not for ever
  await order(page, merchant.shop)
  expect(solutions).not.toEqual([])
})

test('a device that was removed solves a challenge again', async ({ page, merchant }) => {
  await order(page, merchant.shop)
  await skipNextCheck(page)
  await page.getByRole('link', { name: 'Your activity' }).first().click()
  await page.getByRole('button', { name: 'Forget this device' }).click()
  await expect(page.getByRole('alert')).toContainText('1 exemption was revoked')

  const solutions = watchSolutions(page)
  await order(page, merchant.shop)
  expect(solutions).not.toEqual([])
  expect(await merchant.books()).toMatchObject({ orders: 2, decisions: 2, fromQuota: 2 })
})

test('a decision reported as abuse is corrected, and both reports are kept', async ({ page, merchant, service }) => {
  await order(page, merchant.shop)
  await page.getByRole('link', { name: 'Your activity' }).click()
  const row = page.getByRole('row', { name: /Order Done/ })
  await row.getByText('Report this decision').click()
  await row.getByLabel('What became of it?').selectOption('Confirmed abuse')
  await row.getByRole('button', { name: 'Send the report' }).click()
  await expect(row.getByText(/revision 1, can be corrected until/)).toBeVisible()

  await row.getByText('Correct the report').click()
  await row.getByLabel('What became of it?').selectOption('Legitimate')
  await row.getByRole('button', { name: 'Send the correction' }).click()
  await expect(row.getByText(/revision 2, can be corrected until/)).toBeVisible()

  const { rows } = await service.sql.query(
    `select revision, outcome, business_type, supersedes is not null as corrects
     from feedback_event where tenant_id = $1 order by revision`,
    [merchant.tenantId],
  )
  expect(rows).toEqual([
    { revision: 1, outcome: 'confirmed_abuse', business_type: 'order', corrects: false },
    { revision: 2, outcome: 'legitimate', business_type: 'order', corrects: true },
  ])
  // what was decided and charged stays as it was
  expect(await merchant.books()).toMatchObject({ orders: 1, decisions: 1, fromQuota: 1 })
})
