import { readFile } from 'node:fs/promises'
import { type Member, openTenant, tenantUrl } from './setup/member.ts'
import { button, dialog } from './setup/page.ts'
import { expect, test } from './setup/test.ts'

test('the audit finds what was changed, with its diff, all in the address; its CSV is what is shown', async ({
  page,
  service,
  owner,
}) => {
  await page.goto(tenantUrl(service, owner, '/settings'))
  await page.getByRole('textbox', { name: 'Name' }).fill('=Pennyfarthing')
  await button(page, 'Rename').click()
  await expect(dialog(page, /renamed to =Pennyfarthing/)).toBeVisible()

  await page.getByRole('link', { name: 'Team' }).click()
  await page.getByRole('link', { name: 'Audit log' }).click()
  await expect(page.getByRole('table', { name: 'Audit log' }).getByRole('row')).toHaveCount(3)
  await page.getByLabel('Search the audit log').fill(`actor:${owner.email} farthing`)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/q=actor/)
  await expect(page.getByRole('table', { name: 'Audit log' }).getByRole('row')).toHaveCount(2)

  const saving = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).click()
  const csv = await readFile(await (await saving).path(), 'utf8')
  // the export is an event of its own
  expect(csv.trim().split('\r\n')).toHaveLength(3)
  expect(csv).toContain('tenant.export')
  expect(csv).toContain('tenant.update')
  expect(csv).toContain(`'=Pennyfarthing`)

  await page.getByRole('link', { name: 'Tenant changed' }).click()
  await expect(page).toHaveURL(/q=actor.*event=/)
  await page.reload()
  const event = dialog(page, 'Tenant changed')
  await expect(event.locator('del')).toHaveText(/Before: Pennywheel/)
  await expect(event.locator('ins')).toHaveText(/After: =Pennyfarthing/)
  await expect(event.getByText('2 unchanged')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(event).toBeHidden()
  await expect(page).not.toHaveURL(/event=/)

  await page.getByLabel('Search the audit log').fill('no such thing')
  await button(page, 'Search').click()
  await button(page, 'Show all').click()
  await expect(page.getByRole('table', { name: 'Audit log' }).getByRole('row')).toHaveCount(4)
})

test('an event far down has an address; one of another tenant is none', async ({ page, service, owner }) => {
  const stranger = await openTenant(service, 'Harbour')
  const eventOf = async ({ tenantId }: Member) =>
    (await service.sql.query<{ id: string }>('select id from audit_event where tenant_id = $1', [tenantId])).rows[0]?.id
  await page.goto(tenantUrl(service, owner, `/audit?q=nothing&event=${await eventOf(owner)}`))
  await expect(dialog(page, 'Tenant created')).toContainText('Pennywheel')
  await page.goto(tenantUrl(service, owner, `/audit?event=${await eventOf(stranger)}`))
  await expect(dialog(page, 'Event')).toContainText('There is no such event.')
})
