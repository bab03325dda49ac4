import { createTestClient } from '../test/support/client.ts'
import { makeMember, openTenant, signIn, tenantUrl } from './setup/member.ts'
import { makeSite } from './setup/site.ts'
import { expect, test } from './setup/test.ts'

test('a viewer finds a decision that a colleague asks about, and sees whom to ask for the rest', async ({
  page,
  service,
}) => {
  const owner = await openTenant(service)
  const site = await makeSite(service, owner)
  await service.sql.query("update site set base_work = 1024, challenge_kind = 'sha256' where id = $1", [site.id])
  const client = createTestClient(service.url)
  const earned = await client.earn(site, { hostname: 'localhost' }, { origin: 'http://localhost:3001' })
  const { body } = await client.siteverify(site, earned)
  const decision = String(body['decision_id'])

  await signIn(page, service, await makeMember(service, owner, 'viewer'))
  await page.goto(tenantUrl(service, owner))
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  await page.keyboard.press('/')
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill(decision.slice(-8))
  await page.getByRole('option', { name: decision }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Decision: checkout on localhost' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Timeline' })).toContainText('Token redeemed')
  for (const name of ['Report feedback…', 'Issue grant…'])
    await expect(page.getByRole('button', { name })).toHaveAccessibleDescription(/You are Viewer\./)

  const sidebar = page.getByRole('complementary')
  await sidebar.getByRole('link', { name: 'Usage' }).click()
  await expect(page.getByRole('table', { name: 'Months' })).toBeVisible()
  for (const name of ['Refusals', 'Audit log', 'Settings'])
    await expect(sidebar.getByRole('link', { name })).toHaveCount(0)
  await page.goto(tenantUrl(service, owner, '/audit'))
  await expect(page.getByText('You are Viewer.')).toBeVisible()
  await expect(page.getByText('Ask Pat Person (owner).')).toBeVisible()
})
