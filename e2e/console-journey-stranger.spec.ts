import { consoleUrl, moveToNewNetwork, openTenant, tenantUrl } from './setup/member.ts'
import { expect, test } from './setup/test.ts'

test('a stranger gets from the start page to an account, and sees nothing of a tenant', async ({ page, service }) => {
  const owner = await openTenant(service)
  await moveToNewNetwork(page)
  await page.goto(consoleUrl(service))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Create an account' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Create an account' })).toBeVisible()
  await page.goto(tenantUrl(service, owner, '/decisions'))
  await expect(page).toHaveURL(/\/sign-in\?next=/)
  await expect(page.getByText('Pennywheel')).toHaveCount(0)
})
