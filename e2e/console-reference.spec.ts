import { createTestClient } from '../test/support/client.ts'
import { expectAccessible } from './setup/accessible.ts'
import { consoleUrl, openTenant, signIn } from './setup/member.ts'
import { makeSite } from './setup/site.ts'
import { openStaff } from './setup/staff.ts'
import { expect, test } from './setup/test.ts'

test.use({ expectedErrors: /^Tollgate: / })

test('a reference leads the visitor to what to do, the merchant to the refusal and its fix, and staff to the trace', {
  tag: '@accessible',
}, async ({ page, browser, service, serve }) => {
  const owner = await openTenant(service)
  const site = await makeSite(service, owner)
  await service.sql.query("update hostname set hostname = 'shop.example' where site_id = $1", [site.id])
  const { body } = await createTestClient(service.url).intent(site, { hostname: 'shop.example' })
  // the page is on localhost
  await page.goto(
    await serve(
      `<form><div class="svc-captcha" data-sitekey="${site.sitekey}" data-intent="${String(body['intent_id'])}" data-endpoint="${consoleUrl(service)}"></div></form>`,
    ),
  )
  const link = page.getByRole('link', { name: /^Ref\. [0-9a-f]{8}$/ })
  const [opened] = await Promise.all([page.waitForEvent('popup'), link.click()])
  await expect(opened).toHaveURL(/\/r\/[0-9a-f]{8}$/)
  const url = opened.url()
  await expect(opened.getByText('Open the website at its usual address')).toBeVisible()
  await expect(opened.getByRole('img', { name: /^QR code of http/ })).toBeAttached()
  // nothing of the merchant is told to a stranger
  await expect(opened.getByText('Pennywheel')).toHaveCount(0)
  await expectAccessible(opened)

  await signIn(opened, service, owner)
  await opened.goto(url)
  const merchant = opened.getByRole('region', { name: 'For Pennywheel' })
  await expect(merchant).toContainText('origin-not-allowed')
  await expect(opened.getByRole('heading', { name: 'What the visitor reads' })).toBeVisible()
  await merchant.getByRole('button', { name: 'Allow this host' }).click()
  const question = opened.getByRole('dialog', { name: 'Allow localhost?' })
  await expect(question).toContainText('Only a visitor’s browser named this host')
  await question.getByRole('button', { name: 'Allow' }).click()
  await expect(merchant.getByRole('button', { name: 'Allow this host' })).toHaveCount(0)
  await merchant.getByRole('link', { name: 'Open the refusal' }).click()
  const refusal = opened.getByRole('dialog', { name: 'Refused request' })
  await expect(refusal).toContainText('origin-not-allowed')
  await expectAccessible(opened, [1280])
  await refusal.getByRole('button', { name: 'Close' }).click()
  await expect(opened.getByRole('table', { name: 'Refusals', exact: true }).locator('tbody tr')).toHaveCount(1)

  const staff = await browser.newPage()
  await openStaff(staff, service, 'support')
  await staff.goto(url)
  await staff.getByRole('link', { name: 'Open the trace' }).click()
  await expect(staff).toHaveURL(/\/staff\/trace\/req_/)
  await staff.close()
})

test('a reference that is not stored says so', { tag: '@accessible' }, async ({ page, service }) => {
  await page.goto(`${consoleUrl(service)}/r/00000000`)
  await expect(page.getByText('No refused request with this reference is stored')).toBeVisible()
  // there is nothing to show to support, and nothing to sign in for
  await expect(page.getByRole('img', { name: /^QR code/ })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Sign in' })).toHaveCount(0)
  await expectAccessible(page)
})
