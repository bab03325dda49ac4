import { createTestClient } from '../test/support/client.ts'
import { expectAccessible } from './setup/accessible.ts'
import { decide, refusalsWritten } from './setup/decided.ts'
import { makeMember, openTenant, signIn, tenantUrl } from './setup/member.ts'
import type { Service } from './setup/service.ts'
import { makeSite } from './setup/site.ts'
import { expect, test } from './setup/test.ts'

// Ways through the console that people take every day.

/** A merchant with three decisions, newest first, and a refused request. */
async function openMerchant(service: Service) {
  const owner = await openTenant(service)
  const site = await makeSite(service, owner)
  await service.sql.query('update site set base_work = 1024 where id = $1', [site.id])
  const decisions: string[] = []
  for (let i = 0; i < 3; i++) decisions.unshift(await decide(service, site))
  const refused = await createTestClient(service.url).intent(site, { hostname: 'elsewhere.example' })
  const request = refused.headers.get('x-request-id') ?? ''
  await refusalsWritten(service, owner, 1)
  return { owner, site, decisions, request }
}

test('one search finds a decision by its short id, a refused request by the reference a visitor reads out, a person and a page', async ({
  page,
  service,
}) => {
  const { owner, decisions, request } = await openMerchant(service)
  await signIn(page, service, owner)
  await page.goto(tenantUrl(service, owner))
  const palette = page.getByRole('dialog', { name: 'Search or jump to' })
  const search = async (text: string, option: RegExp | string) => {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.keyboard.press('/')
    await expect(palette.getByRole('combobox')).toBeFocused()
    await page.keyboard.insertText(text)
    await expect(palette.getByRole('option', { name: option })).toHaveAttribute('data-highlighted')
    await page.keyboard.press('Enter')
    await expect(palette).toBeHidden()
  }
  const [newest = ''] = decisions
  await search(`…${newest.slice(-8)}`, newest)
  await expect(page.getByRole('heading', { level: 1, name: 'Decision: checkout on localhost' })).toBeVisible()
  await search(`Ref. ${request.slice(-8)}`, request)
  const refusal = page.getByRole('dialog', { name: 'Refused request' })
  await expect(refusal).toContainText('The hostname is not one of the site’s hostnames')
  await page.keyboard.press('Escape')
  await expect(refusal).toBeHidden()
  await expect(page.getByRole('table', { name: 'Refusals', exact: true }).locator('tbody tr')).toHaveCount(1)
  await search(request, request)
  await expect(refusal).toContainText(request)
  await page.keyboard.press('Escape')
  await expect(refusal).toBeHidden()
  await search('hostnames storef', 'Storefront: Hostnames')
  await expect(page).toHaveURL(/hostnames$/)
  await search('pat', /Pat Person/)
  await expect(page.getByRole('heading', { level: 1, name: 'Members' })).toBeFocused()
})

test('a page that has loaded takes the focus only if no dialog was opened meanwhile', async ({
  page,
  service,
  owner,
}) => {
  await page.goto(tenantUrl(service, owner))
  const search = page.getByRole('dialog', { name: 'Search or jump to' })
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  // the search itself is loaded when it is used first
  await page.keyboard.press('Control+k')
  await expect(search.getByRole('combobox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(search).toBeHidden()

  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\.js$/, async (route) => {
    await released
    await route.continue()
  })
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await expect(page).toHaveURL(/members$/)
  await page.keyboard.press('/')
  await expect(search.getByRole('combobox')).toBeFocused()
  release()
  await expect(page.locator('main h1')).toHaveText('Members')
  await page.keyboard.type('usage')
  await expect(search.getByRole('combobox')).toHaveValue('usage')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Usage' })).toBeFocused()
})

test('keys alone lead to pages, through rows and from decision to decision, and can be turned off', {
  tag: '@accessible',
}, async ({ page, service }) => {
  const { owner, decisions } = await openMerchant(service)
  await signIn(page, service, owner)
  await page.goto(tenantUrl(service, owner))
  const heading = (name: string) => page.getByRole('heading', { level: 1, name })
  await expect(heading('Overview')).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await expect(heading('Decisions')).toBeFocused()
  const link = (index: number) => page.getByRole('link', { name: `Decision …${(decisions[index] ?? '').slice(-8)}` })
  await expect(link(0)).toBeVisible()
  await page.keyboard.press('j')
  await expect(link(0)).toBeFocused()
  await page.keyboard.press('j')
  await expect(link(1)).toBeFocused()
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(decisions[0] ?? 'none'))
  await expect(page.getByText('Passed', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Older' })).toBeVisible()
  await page.keyboard.press('j')
  await expect(page).toHaveURL(new RegExp(decisions[1] ?? 'none'))
  await expect(page.getByRole('link', { name: 'Newer' })).toBeVisible()
  await page.keyboard.press('k')
  await expect(page).toHaveURL(new RegExp(decisions[0] ?? 'none'))
  await expectAccessible(page, [1280, 320])

  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(help).toContainText('g d')
  await expectAccessible(page, [1280, 320])
  await help.getByRole('switch', { name: 'Single keys' }).click()
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Search or jump to' })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(decisions[0] ?? 'none'))
})

test('a row opens from anywhere in it, and its buttons still do what they say', async ({ page, service }) => {
  const { owner, site } = await openMerchant(service)
  await signIn(page, service, owner)
  await page.goto(tenantUrl(service, owner, '/sites'))
  const row = page.getByRole('row', { name: /Storefront/ })
  await row.getByRole('button', { name: /^Copy/ }).click()
  await expect(page).toHaveURL(/sites$/)
  // the row's link covers what cannot be clicked itself
  await row.click({ position: { x: 600, y: 10 } })
  await expect(page).toHaveURL(new RegExp(`sites/${site.id}`))
})

test('among many sites one is found by its words, and they are sorted and filtered', { tag: '@accessible' }, async ({
  page,
  service,
  owner,
}) => {
  test.slow()
  for (let i = 1; i <= 12; i++)
    await service.operator.createSite(owner.tenantId, { name: `Greenhouse ${i}`, hostname: `g${i}.example` })
  await service.sql.query(`update site set paused_at = now() where name = 'Greenhouse 7' and tenant_id = $1`, [
    owner.tenantId,
  ])
  await page.goto(tenantUrl(service, owner, '/sites'))
  const links = page.getByRole('table', { name: 'Sites' }).getByRole('link')
  await expect(links).toHaveCount(12)
  await expect(links.first()).toHaveText('Greenhouse 12')
  await page.getByRole('searchbox', { name: 'Find a site' }).fill('12 green')
  await expect(links).toHaveText(['Greenhouse 12'])
  await expect(page).toHaveURL(/q=12/)
  await page.goto(tenantUrl(service, owner, '/sites?state=paused'))
  await expect(links).toHaveText(['Greenhouse 7'])
  await expectAccessible(page, [1280, 320])
  // the overview has its tables from the first traffic on
  await decide(service, await makeSite(service, owner))
  await page.goto(tenantUrl(service, owner))
  await expect(page.getByRole('table', { name: 'Sites by traffic' }).getByRole('link')).toHaveCount(10)
  await expect(page.getByRole('link', { name: 'All 13 sites' })).toBeVisible()
})

test('a page that the role may not read says which role it needs and whom to ask, the same everywhere', async ({
  page,
  service,
}) => {
  const { owner, site } = await openMerchant(service)
  const billing = await makeMember(service, owner, 'billing')
  await signIn(page, service, billing)
  for (const [path, title] of [
    ['/decisions', 'decisions'],
    ['/refusals', 'refusals'],
    ['/audit', 'the audit log'],
    [`/sites/${site.id}/keys`, 'keys'],
  ]) {
    await page.goto(tenantUrl(service, owner, path))
    await expect(page.getByText(`You don’t have access to ${title}`)).toBeVisible()
    await expect(page.getByText(/^Needs .* You are Billing\. Ask Pat Person \(owner\)\.$/)).toBeVisible()
    await expect(page.getByRole('alert')).toBeHidden()
  }
})
