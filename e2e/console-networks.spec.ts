import { writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { createTestClient } from '../test/support/client.ts'
import { expectAccessible } from './setup/accessible.ts'
import { openTenant, tenantUrl } from './setup/member.ts'
import { button, dialog, expectErrorAt } from './setup/page.ts'
import type { Service } from './setup/service.ts'
import { makeSite, type Site } from './setup/site.ts'
import { openStaff, staffUrl } from './setup/staff.ts'
import { expect, test } from './setup/test.ts'

const row = (page: Page, name: RegExp) => page.getByRole('table', { name: 'Networks' }).getByRole('row', { name })

/** What a visitor with this address gets from /challenge. */
async function challenge(service: Service, site: Site, address: string): Promise<number> {
  const client = createTestClient(service.url)
  const { body } = await client.intent(site, { hostname: 'localhost' })
  return (await client.challenge(site, body['intent_id'], { origin: 'http://localhost', address })).status
}

test('a network is previewed, denied, seen in the refusals, changed and removed with undo', async ({
  page,
  service,
  owner,
  site,
}) => {
  await page.goto(site.path)
  await page.getByRole('link', { name: 'Networks', exact: true }).click()
  await expect(page.getByText('No networks yet')).toBeVisible()
  await button(page, 'Add network').click()
  const sheet = dialog(page, 'Add a network')
  const preview = sheet.getByRole('region', { name: 'What it covers' })
  await sheet.getByLabel('Network', { exact: true }).fill('AS64500')
  await expect(preview).toContainText('is not an address or a range')
  await sheet.getByLabel('Network', { exact: true }).fill('3.0.0.0/7')
  await expect(preview).toContainText('wider than /8')
  await button(sheet, 'Add network').click()
  await expectErrorAt(sheet, 'Network', /wider than \/8/)
  // the browsers of the tests have addresses of this range
  await sheet.getByLabel('Network', { exact: true }).fill('10.0.0.1/8')
  await expect(preview).toContainText('10.0.0.0/8 covers 16,777,216 addresses.')
  await expect(preview).toContainText('It contains your own address')
  await sheet.getByRole('radio', { name: /^Deny/ }).check()
  await expect(preview).toContainText('You would get no challenge')
  await sheet.getByLabel('Network', { exact: true }).fill('203.0.113.77/24')
  await expect(preview).toContainText('203.0.113.0/24 covers 256 addresses.')
  await expect(preview).not.toContainText('your own address')
  await sheet.getByLabel('Note').fill('Scrapers')
  await button(sheet, 'Add network').click()
  await expect(row(page, /203\.0\.113\.0\/24/)).toContainText('Denied')
  await expect(row(page, /203\.0\.113\.0\/24/)).toContainText('by Pat Person')

  await expect.poll(() => challenge(service, site, '203.0.113.9')).toBe(429)
  expect(await challenge(service, site, '203.0.114.9')).toBe(200)
  await page.goto(tenantUrl(service, owner, '/refusals'))
  // refusals are stored about a second after their answers
  await expect(async () => {
    await page.reload()
    const types = page.getByRole('region', { name: 'By type' })
    await expect(types).toContainText('on this site’s list of networks', { timeout: 5000 })
  }).toPass()

  await page.goto(`${site.path}/networks`)
  await button(page, 'Change 203.0.113.0/24').click()
  const changing = dialog(page, 'Change 203.0.113.0/24')
  await expect(changing.getByLabel('Note')).toHaveValue('Scrapers')
  await changing.getByRole('radio', { name: /^Raise difficulty/ }).check()
  await button(changing, 'Save').click()
  await expect(row(page, /203\.0\.113\.0\/24/)).toContainText('Difficulty ×4')
  await expect.poll(() => challenge(service, site, '203.0.113.9')).toBe(200)
  await button(page, 'Remove 203.0.113.0/24').click()
  await expect(page.getByText('No networks yet')).toBeVisible()
  await button(page, 'Undo: 203.0.113.0/24 removed').click()
  await expect(row(page, /203\.0\.113\.0\/24/)).toContainText('Scrapers')
})

test.describe('for staff', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('a lead lists a network for all sites, and finds why a visitor is denied', {
    tag: '@accessible',
  }, async ({ page, service }) => {
    test.setTimeout(240_000)
    const owner = await openTenant(service)
    const site = await makeSite(service, owner)
    await openStaff(page, service, 'lead')
    await page.goto(staffUrl(service, '/networks'))
    writeFileSync(service.networksFile, '198.18.0.0/16 dear AS64500 Hosting\n198.18.7.0/24 dear AS64501\n')

    await button(page, 'Add network').click()
    const sheet = dialog(page, 'Add a network')
    await sheet.getByLabel('Network', { exact: true }).fill('198.18.9.0/24')
    await sheet.getByRole('radio', { name: /^Deny/ }).check()
    await button(sheet, 'Add network').click()
    await expect(sheet.getByRole('alert')).toContainText('at least 3 characters')
    await sheet.getByLabel('Reason').fill('Ticket 4711')
    await button(sheet, 'Add network').click()
    await expect(row(page, /198\.18\.9\.0\/24/)).toContainText('Ticket 4711')
    await expect.poll(() => challenge(service, site, '198.18.9.1')).toBe(429)

    await page.getByRole('textbox', { name: 'Address' }).fill('198.18.9.1')
    await page.getByLabel('Site key').fill(site.sitekey)
    await button(page, 'Check').click()
    const found = page.getByRole('list', { name: 'Entries that contain the address' })
    await expect(found.getByRole('listitem').first()).toContainText('This one counts. On this deployment’s list')
    await expect(found.getByRole('listitem').nth(1)).toContainText('line 1 of the operator’s file: AS64500 Hosting')
    await expectAccessible(page)
    await button(page, 'Change 198.18.9.0/24').click()
    await expect(dialog(page, 'Change 198.18.9.0/24').getByRole('region')).toContainText('256 addresses')
    await expectAccessible(page)
    await page.keyboard.press('Escape')

    await button(page, 'Remove 198.18.9.0/24').click()
    const removing = dialog(page, 'Remove 198.18.9.0/24?')
    await removing.getByLabel('Reason').fill('They left')
    await expectAccessible(page)
    await button(removing, 'Remove').click()
    await expect(page.getByText('No networks yet')).toBeVisible()
    await expect.poll(() => challenge(service, site, '198.18.9.1')).toBe(200)
    await page.goto(staffUrl(service, '/audit?action=network'))
    await expect(page.getByRole('table')).toContainText('Network removed')
  })
})
