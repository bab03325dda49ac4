import { makeMember, openTenant, signIn, tenantUrl } from './setup/member.ts'
import { expect, test } from './setup/test.ts'

test('a bookkeeper sees what is used, asks staff for more, and sees who can do the rest', async ({ page, service }) => {
  const owner = await openTenant(service)
  await signIn(page, service, await makeMember(service, owner, 'billing'))
  await page.goto(tenantUrl(service, owner))
  await page.getByRole('complementary').getByRole('link', { name: 'Usage' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Usage' })).toBeVisible()
  await page.getByRole('button', { name: 'Request more' }).click()
  const dialog = page.getByRole('dialog', { name: 'Request more units' })
  await dialog.getByLabel('Units a month').fill('9')
  await dialog.getByLabel('What for').focus()
  await expect(dialog.getByRole('alert')).toContainText('Enter more than the present')
  await dialog.getByLabel('Units a month').fill('200000')
  await dialog.getByLabel('What for').fill('A sale in December')
  await dialog.getByRole('button', { name: 'Send request' }).click()
  await expect(page.getByText('Request sent')).toBeVisible()
  await page.goto(tenantUrl(service, owner, '/refusals'))
  await expect(page.getByText('You are Billing')).toBeVisible()
})
