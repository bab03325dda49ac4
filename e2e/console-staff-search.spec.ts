import type { Page } from '@playwright/test'
import { createTestClient } from '../test/support/client.ts'
import { openTenant } from './setup/member.ts'
import { button, dialog, heading } from './setup/page.ts'
import { makeSite } from './setup/site.ts'
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
  await expect(page.getByRole('heading', { level: 1, name: /^Intent: / })).toBeFocused()
  await expect(page.getByRole('list', { name: 'Timeline' })).toContainText('Intent opened')
  await page.getByRole('main').getByRole('link', { name: 'Search' }).click()
  await expect(heading(page, 'Search')).toBeFocused()
})

test('a trace leads to its tenant, and to its site as an admin sees it', async ({ page, service }) => {
  const owner = await openTenant(service)
  const site = await makeSite(service, owner)
  const { body } = await createTestClient(service.url).intent(site, { hostname: 'localhost' })
  await openStaff(page, service, 'support')
  await page.goto(staffUrl(service, `/trace/${String(body['intent_id'])}`))
  const details = page.getByRole('region', { name: 'Details' })
  await details.getByRole('button', { name: 'Storefront' }).click()
  const form = dialog(page, 'View as Pennywheel')
  await form.getByLabel('Reason').fill('Ticket 4711')
  await form.getByRole('button', { name: 'View as' }).click()
  await expect(page).toHaveURL(site.path)
  await page.goBack()
  await expect(details.getByRole('link', { name: 'Storefront' })).toHaveAttribute('href', new URL(site.path).pathname)
  await details.getByRole('link', { name: 'Pennywheel' }).click()
  await expect(page).toHaveURL(staffUrl(service, `/tenants/${owner.tenantId}`))
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
  await expect(heading(page, 'Pennywheel')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Members' })).toContainText(owner.email)

  const twins = `Twins ${owner.tenantId.slice(-6)}`
  for (let n = 0; n < 2; n++) await openTenant(service, twins)
  await jump(page, twins)
  await expect(page.getByRole('table', { name: 'Search results' }).getByRole('link', { name: twins })).not.toHaveCount(
    0,
  )
  await expect(heading(page, 'Search')).toBeVisible()
})

test('the row that a search found is marked on the page that it leads to', async ({ page, service, site }) => {
  const owner = await openTenant(service)
  await openStaff(page, service, 'support')
  for (const [text, table, row] of [
    [owner.email, 'Members', new RegExp(owner.email)],
    [site.sitekey, 'Sites', new RegExp(site.sitekey)],
  ] as const) {
    await page.goto(staffUrl(service))
    await find(page, text)
    const found = page.getByRole('table', { name: table }).getByRole('row', { name: row })
    await expect(found).toHaveAttribute('aria-current', 'true')
    await expect(found).toBeInViewport()
  }
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
