import { type Member, tenantUrl } from '../../e2e/setup/member.ts'
import { button, unfold } from '../../e2e/setup/page.ts'
import type { Service } from '../../e2e/setup/service.ts'
import { type Site } from '../../e2e/setup/site.ts'
import { expect, test } from '../../e2e/setup/test.ts'
import { createTestClient } from '../../test/support/client.ts'

// What the console says is what is so.

const from = { origin: 'http://localhost:3001' }

/** Writes counts of the site's last 24 hours as the service would have. */
async function count(
  service: Service,
  { tenantId }: Member,
  site: Site,
  counts: Record<string, number>,
  { daysAgo = 0 } = {},
) {
  for (const [measure, n] of Object.entries(counts))
    await service.sql.query('select add_usage($1, $2, $3, $4, $5, $6)', [
      [tenantId],
      [site.id],
      [Math.floor(Date.now() / 3_600_000) * 3600 - daysAgo * 86_400],
      [measure],
      [''],
      [n],
    ])
}

test('the check says that /siteverify was called and refused, and leads to the reason', async ({
  page,
  service,
  site,
}) => {
  const client = createTestClient(service.url)
  const earned = await client.earn(site, { hostname: 'localhost' }, from)
  expect((await client.siteverify(site, { ...earned, action: 'other' })).status).toBe(409)
  await page.goto(`${site.path}/integrate`)
  const step = (name: string) => page.getByRole('listitem', { name })
  await expect(step('Visitors solve challenges')).toContainText('1 solved challenge')
  const redeems = step('Your backend redeems tokens')
  await expect(redeems).toContainText('Failing')
  await expect(redeems).toContainText('None of 1 call succeeded')
  await expect(redeems).not.toContainText('You are not calling')
  await redeems.getByRole('link', { name: '1 was refused' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Refusals')
  await expect(page.getByText('The action or hostname differs').first()).toBeVisible()
})

test('the notice of a missing /siteverify is not shown while /siteverify is called and refused', async ({
  page,
  service,
  owner,
  site,
}) => {
  const client = createTestClient(service.url)
  for (let i = 0; i < 3; i++) {
    const earned = await client.earn(site, { hostname: 'localhost' }, from)
    expect((await client.siteverify(site, { ...earned, action: 'other' })).status).toBe(409)
  }
  await expect(async () => {
    await page.goto(tenantUrl(service, owner))
    await expect(page.getByRole('region', { name: 'Your calls of /siteverify are refused' })).toBeVisible({
      timeout: 2000,
    })
  }).toPass()
  await expect(page.getByRole('region', { name: 'You are not calling /siteverify' })).toBeHidden()
})

test('the last characters of a secret are its last characters, in the list and in refusals', async ({
  page,
  service,
  owner,
  site,
}) => {
  await page.goto(`${site.path}/keys`)
  await expect(page.getByText(`tg_secret_…${site.secret.slice(-4)}`)).toBeVisible()
  await service.sql.query('update secret set revoked_at = now() where site_id = $1', [site.id])
  const client = createTestClient(service.url)
  await expect.poll(async () => (await client.intent(site, { hostname: 'localhost' })).status).toBe(401)
  await expect(async () => {
    await page.goto(tenantUrl(service, owner, '/refusals'))
    await expect(page.getByText(`secret …${site.secret.slice(-4)}`).first()).toBeVisible({ timeout: 2000 })
  }).toPass()
})

test('a step of the chart leads to what it shows: completed ones to decisions, refused ones to refusals', async ({
  page,
  service,
  owner,
  site,
}) => {
  const client = createTestClient(service.url)
  const { status } = await client.siteverify(site, await client.earn(site, { hostname: 'localhost' }, from))
  expect(status).toBe(200)
  for (let i = 0; i < 3; i++) await client.intent(site, { hostname: 'elsewhere.example' })
  const chart = page.getByRole('figure', { name: 'Outcomes' })
  await expect(async () => {
    await page.goto(tenantUrl(service, owner, '?period=24h'))
    await expect(chart).toContainText('3 refused requests', { timeout: 2000 })
  }).toPass()
  const pick = async () => {
    const plot = await chart.locator('svg').first().boundingBox()
    if (!plot) throw new Error('the chart is not drawn')
    await page.mouse.click(plot.x + plot.width - 12, plot.y + plot.height / 2)
  }
  await pick()
  const menu = page.getByRole('menu')
  await expect(menu.getByRole('menuitem', { name: '1 completed' })).toBeVisible()
  await menu.getByRole('menuitem', { name: '3 refused' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Refusals')
  await expect(page).toHaveURL(/from=\d+&to=\d+/)
  await expect(page.getByRole('table', { name: 'Refusals', exact: true }).locator('tbody tr')).toHaveCount(3)
  await page.goBack()
  await expect(chart).toContainText('3 refused requests')
  await pick()
  await menu.getByRole('menuitem', { name: 'Zoom in' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview')
  await expect(page).toHaveURL(/from=\d+&to=\d+/)
})

test('no step of the funnel has more than the one before, and changes say what they compare with', async ({
  page,
  service,
  owner,
  site,
}) => {
  await count(service, owner, site, { intents: 1585, challenged: 1586, solved: 1590, redeemed: 1200 })
  await page.goto(`${site.path}?period=24h`)
  const funnel = page.getByRole('region', { name: 'Funnel' })
  await expect(funnel).toContainText('1,200')
  const figures = (await funnel.getByRole('listitem').allInnerTexts()).map((text) =>
    Number(/([\d,]+)\s+[\d.]+%/.exec(text)?.[1]?.replace(',', '')),
  )
  expect(figures).toEqual(figures.toSorted((a, b) => b - a))
  // the traffic began in the period
  await expect(page.getByText('no full earlier period').first()).toBeVisible()
  await expect(page.getByText('vs previous')).toHaveCount(0)
  await count(service, owner, site, { intents: 1 }, { daysAgo: 20 })
  await page.goto(tenantUrl(service, owner, '?period=24h'))
  await expect(page.getByText('vs previous 24 hours').first()).toBeVisible()
  await page.goto(tenantUrl(service, owner))
  await expect(page.getByText('vs previous 7 days').first()).toBeVisible()
})

// hours of 12, and a zone whose midnight is no whole hour of UTC
test.describe('for a reader in India', () => {
  test.use({ locale: 'en-US', timezoneId: 'Asia/Kolkata' })
  test('the axis of time names each day once, and hours have no leading zero', async ({
    page,
    service,
    owner,
    site,
  }) => {
    await count(service, owner, site, { intents: 20, challenged: 20, solved: 20, redeemed: 20 })
    await page.goto(tenantUrl(service, owner))
    await expect(page.getByText(/Busiest: \w{3}, \w{3} \d+, \d+:30\s[AP]M/)).toBeVisible()
    await expect(page.locator('main')).not.toContainText(/\b0\d:\d\d\s[AP]M/)
    const named = await page
      .locator('main svg text')
      .filter({ hasText: /^\w{3} \d+$/ })
      .allTextContents()
    expect(named.length).toBeGreaterThanOrEqual(7)
    expect(new Set(named).size).toBe(named.length)
  })
  test('the account menu names the zone', async ({ page, service, owner }) => {
    await page.goto(tenantUrl(service, owner))
    await button(page, /Account menu$/).click()
    await expect(page.getByRole('menu').getByText('Local (UTC+5:30)')).toBeVisible()
  })
})

test('an unsaved policy is not lost by a click on a link', async ({ page, site }) => {
  await page.goto(`${site.path}/settings`)
  await unfold(page, 'Advanced')
  await page.getByRole('spinbutton', { name: 'Base difficulty' }).fill('500000')
  await page.getByRole('link', { name: 'Hostnames', exact: true }).click()
  const asking = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
  await button(asking, 'Keep editing').click()
  await expect(page.getByRole('spinbutton', { name: 'Base difficulty' })).toHaveValue('500000')
  await button(page, 'Save policy').click()
  await expect(page.getByText('Policy saved')).toBeVisible()
  await page.getByRole('spinbutton', { name: 'Base difficulty' }).fill('600000')
  await page.getByRole('link', { name: 'Hostnames', exact: true }).click()
  await button(asking, 'Discard changes').click()
  await expect(page).toHaveURL(/hostnames$/)
})

test('a suspended tenant sees why and whom to ask, and no site as live', async ({ page, service, owner, site }) => {
  // the overview has its table of sites from the first traffic on
  await count(service, owner, site, { intents: 20, challenged: 20, solved: 20, redeemed: 20 })
  await service.tollgate('tenant', 'suspend', '--tenant', owner.slug, '--reason', 'Card testing since Monday')
  await page.goto(tenantUrl(service, owner, '/sites'))
  const notices = page.getByRole('region', { name: 'Notices' })
  await expect(notices).toContainText('Card testing since Monday')
  await expect(notices.getByRole('link', { name: 'Contact support' })).toHaveAttribute(
    'href',
    'mailto:help@tollgate.example',
  )
  await expect(page.getByRole('row', { name: /Storefront/ })).toContainText('Suspended')
  for (const path of ['', `/sites/${site.id}`]) {
    await page.goto(tenantUrl(service, owner, path))
    await expect(
      page.getByRole('link', { name: 'Storefront' }).or(page.getByRole('heading', { name: 'Storefront' })),
    ).toBeVisible()
    await expect(notices).toContainText('Card testing since Monday')
    await expect(page.getByText('Live', { exact: true })).toBeHidden()
  }
})

test('only a tenant whose traffic is made up says so, and no statement that is printed', async ({
  page,
  service,
  owner,
}) => {
  const notices = page.getByRole('region', { name: 'Notices' })
  await page.goto(tenantUrl(service, owner))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview')
  await expect(notices).toBeEmpty()
  await service.sql.query('update tenant set demo = true where id = $1', [owner.tenantId])
  await page.goto(tenantUrl(service, owner, `/usage/${new Date().toISOString().slice(0, 7)}`))
  await expect(notices).toContainText('the traffic of this tenant is made up')
  await page.emulateMedia({ media: 'print' })
  await expect(notices).toBeHidden()
})
