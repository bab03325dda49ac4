import { createTestClient } from '../test/support/client.ts'
import { makeMember, openBrowser, openTenant, signIn, tenantUrl } from './setup/member.ts'
import { makeSite } from './setup/site.ts'
import { expect, test } from './setup/test.ts'

test('an admin answers an attack, allows the office, and invites a developer; the owner reads who did what', async ({
  page,
  browser,
  service,
}) => {
  const owner = await openTenant(service)
  const site = await makeSite(service, owner)
  const admin = await makeMember(service, owner, 'admin')
  await signIn(page, service, admin)
  await page.goto(tenantUrl(service, owner))
  const sidebar = page.getByRole('complementary')
  await sidebar.getByRole('link', { name: 'Sites' }).click()
  await page.getByRole('table').getByRole('link', { name: 'Storefront' }).click()

  await page.getByRole('main').getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('button', { name: 'Start attack mode for 1 hour' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Start attack mode' }).click()
  const attack = page.getByRole('region', { name: 'Attack mode is on for Storefront' })
  await expect(attack).toContainText('It ends by itself')
  await attack.getByRole('button', { name: 'End attack mode' }).click()
  await expect(attack).toBeHidden()

  await page.getByRole('link', { name: 'Networks', exact: true }).click()
  await page.getByRole('button', { name: 'Add network' }).click()
  const network = page.getByRole('dialog', { name: 'Add a network' })
  await network.getByLabel('Network', { exact: true }).fill('203.0.113.0/24')
  await network.getByRole('radio', { name: /^Allow/ }).check()
  await network.getByLabel('Note').fill('The office')
  await network.getByRole('button', { name: 'Add network' }).click()
  await expect(page.getByRole('row', { name: /203\.0\.113\.0\/24/ })).toContainText('The office')

  await sidebar.getByRole('link', { name: 'Team' }).click()
  await page.getByRole('button', { name: 'Invite' }).click()
  const invitation = page.getByRole('dialog', { name: 'Invite to Pennywheel' })
  await invitation.getByLabel('E-mail').fill('dana@people.example')
  await invitation.getByRole('radio', { name: /^Developer/ }).check()
  await invitation.getByRole('button', { name: 'Send invitation' }).click()
  await expect(page.getByRole('row', { name: /dana@people\.example/ })).toContainText('Developer')
  // the tenant's own settings are the owner's
  await sidebar.getByRole('link', { name: 'Settings' }).click()
  const own = page.getByRole('region', { name: 'Name and URL' })
  await expect(own).toContainText('Needs Owner. You are Admin. Ask Pat Person (owner).')
  await expect(page.getByRole('textbox')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Delete tenant…' })).toHaveAccessibleDescription(
    'Needs Owner. You are Admin.',
  )

  const theirs = await openBrowser(browser, service, owner)
  await theirs.goto(tenantUrl(service, owner, '/audit'))
  for (const action of ['Attack mode started', 'Attack mode ended', 'Network added', 'Member invited'])
    await expect(theirs.getByRole('row').filter({ hasText: action })).toContainText('Pat Person')
  await theirs.context().close()
  expect((await createTestClient(service.url).intent(site, { hostname: 'localhost' })).status).toBe(200)
})
