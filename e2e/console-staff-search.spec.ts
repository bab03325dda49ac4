import type { Page } from '@playwright/test'
import { openTenant } from './setup/member.ts'
import { openMerchant } from './setup/merchant.ts'
import { button, dialog, heading } from './setup/page.ts'
import { openStaff, staffUrl } from './setup/staff.ts'
import { expect, test } from './setup/test.ts'

async function find(page: Page, text: string): Promise<void> {
  await page.getByLabel('Search everything').fill(text)
  await button(page, 'Find').click()
}

/** By the palette, with nothing but keys. */
async function jump(page: Page, command: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('combobox', { name: 'Search or jump to' })).toBeFocused()
  await page.keyboard.type(command)
  await page.keyboard.press('Enter')
}

test('from the reference that a visitor reads out to what was wrong, in one step', async ({
  page,
  browser,
  service,
  serve,
}) => {
  const merchant = await openMerchant(service, 100)
  const intent = await merchant.intent()
  const suspended = ['--tenant', merchant.tenantId, '--reason', 'Unpaid since May']
  await service.tollgate('tenant', 'suspend', ...suspended)
  const visitor = await (await browser.newContext()).newPage()
  const form = `<form><div class="svc-captcha" data-sitekey="${merchant.sitekey}" data-intent="${intent}" data-endpoint="${service.url}"></div></form>`
  await visitor.goto(await serve(form))
  const shown = visitor.getByRole('group', { name: 'Human verification' }).getByText(/^Ref\. [0-9a-f]{8}$/)
  await expect(shown).toBeVisible()
  const reference = await shown.innerText()
  // refusals are stored a second later
  const stored = () => service.sql.query('select 1 from refusal where tenant_id = $1', [merchant.tenantId])
  await expect.poll(async () => (await stored()).rowCount).toBe(1)

  await openStaff(page, service, 'support')
  await page.goto(staffUrl(service))
  await expect(heading(page, 'Search')).toBeVisible()
  await find(page, reference)
  await expect(heading(page, 'Refused request')).toBeVisible()
  await expect(page.getByText('403 site-disabled')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Timeline' })).toContainText('Intent opened')
  await page.getByText('tenant.suspend').click()
  await expect(page.getByRole('region', { name: 'Changes around that time' })).toContainText('Unpaid since May')
  await page.getByLabel('New note').fill('Told them to write to billing.')
  await button(page, 'Add note').click()
  await expect(page.getByRole('region', { name: 'Notes' })).toContainText('Told them to write to billing.')
  await merchant.close()
})

test('search to trace goes by keyboard alone', async ({ page, service, merchant }) => {
  const intent = await merchant.intent()
  await openStaff(page, service, 'support')
  await page.goto(staffUrl(service))
  await expect(heading(page, 'Search')).toBeVisible()
  await jump(page, 'staff: tenants')
  await expect(heading(page, 'Tenants')).toBeFocused()
  await jump(page, 'staff: search')
  await expect(heading(page, 'Search')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Search everything')).toBeFocused()
  await page.keyboard.type(intent)
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Intent')).toBeFocused()
  await expect(page.getByRole('list', { name: 'Timeline' })).toContainText('Intent opened')
})

test('keys and the palette lead staff to their pages and to search results', async ({ page, service }) => {
  const owner = await openTenant(service)
  await openStaff(page, service, 'lead')
  await page.goto(staffUrl(service, '/tenants'))
  await expect(heading(page, 'Tenants')).toBeVisible()
  await page.keyboard.press('?')
  const help = dialog(page, 'Keyboard shortcuts')
  await expect(help).toContainText('Approvals')
  await expect(help).not.toContainText('Decisions')
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()
  await page.keyboard.press('g')
  await page.keyboard.press('y')
  await expect(heading(page, 'System')).toBeVisible()
  await jump(page, owner.email)
  await expect(page.getByRole('table', { name: 'Search results' })).toContainText(owner.email)
})

test('a pasted secret leads to its site with a warning, and stands nowhere afterwards', async ({ page, service }) => {
  const tenant = await service.tollgate('tenant', 'create', '--name', 'Leaky', '--quota', '10')
  const named = ['--tenant', String(tenant['tenant_id']), '--name', 'Leak', '--hostname', 'localhost']
  const secret = String((await service.tollgate('site', 'create', ...named))['secret'])
  await openStaff(page, service, 'support')
  await page.goto(staffUrl(service))
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  await find(page, `please check ${secret}`)
  await expect(page.getByRole('region', { name: 'This is a secret: revoke it' })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Results' })).toContainText('Leak')
  await expect(page.getByLabel('Search everything')).toHaveValue('')
  expect(addresses.filter((url) => url.includes('tg_secret_'))).toEqual([])
  expect(page.url()).not.toContain('tg_secret_')
  expect(await page.content()).not.toContain(secret.slice(10))
  expect(service.output()).not.toContain(secret.slice(10))
})
