import { readFile } from 'node:fs/promises'
import { createTestClient } from '../test/support/client.ts'
import { expectAccessible } from './setup/accessible.ts'
import { refusalsWritten, tail } from './setup/decided.ts'
import { type Member, makeMember, signIn, tenantUrl } from './setup/member.ts'
import { button } from './setup/page.ts'
import type { Service } from './setup/service.ts'
import { type Site } from './setup/site.ts'
import { expect, test } from './setup/test.ts'

const localhost = { hostname: 'localhost' }
const from = { origin: 'http://localhost:3001' }

/** So many verifications from intent to redemption. */
async function verify(service: Service, site: Site, times: number): Promise<void> {
  const client = createTestClient(service.url)
  for (let i = 0; i < times; i++) {
    const { status } = await client.siteverify(site, await client.earn(site, localhost, from))
    expect(status).toBe(200)
  }
}

/** Waits until so many redemptions of the tenant are counted. */
const redemptionsCounted = ({ sql }: Service, { tenantId }: Member, count: number) =>
  expect
    .poll(async () => {
      const { rows } = await sql.query<{ n: number }>(
        "select coalesce(sum(n), 0)::int as n from usage_day where tenant_id = $1 and measure = 'redeemed'",
        [tenantId],
      )
      return rows[0]?.n
    })
    .toBe(count)

test('the id that a refused request was answered with is in the list, and the file has what the list has', async ({
  page,
  service,
  owner,
  site,
}) => {
  const client = createTestClient(service.url)
  const ids = []
  for (const fields of [{ hostname: 'elsewhere.example' }, { action: '' }]) {
    ids.push((await client.intent(site, fields)).headers.get('x-request-id') ?? '')
  }
  await refusalsWritten(service, owner, 2)
  await page.goto(tenantUrl(service, owner, '/refusals'))
  const list = page.getByRole('table', { name: 'Refusals', exact: true })
  for (const id of ids) await expect(list.getByText(tail(id))).toBeVisible()
  await page.getByRole('link', { name: 'bad-request action' }).first().click()
  await expect(list.getByText(tail(ids[0] ?? ''))).toBeHidden()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).click()
  const [head, ...lines] = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
  expect(head).toContain('request_id')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(ids[1])
  await button(page, /^Remove filter: Code/).click()
  await expect(page).not.toHaveURL(/code=/)
})

test('a step of the chart opens the decisions behind it, with the mouse and with the keyboard', async ({
  page,
  service,
  owner,
  site,
}) => {
  await verify(service, site, 1)
  // the day that ends with the hour of the verification, which may be over by now
  const { rows } = await service.sql.query<{ end: number }>(
    "select extract(epoch from date_trunc('hour', redeemed_at))::int + 3600 as end from decision where site_id = $1",
    [site.id],
  )
  const end = rows[0]?.end ?? 0
  const day = `?from=${end - 86_400}&to=${end}`
  await page.goto(tenantUrl(service, owner, day))
  const chart = page.getByRole('figure', { name: 'Outcomes' })
  await expect(chart).toContainText('1 completed verification')
  const plot = await chart.locator('svg').first().boundingBox()
  if (!plot) throw new Error('the chart is not drawn')
  await page.mouse.click(plot.x + plot.width - 12, plot.y + plot.height / 2)
  await page.getByRole('menuitem', { name: '1 completed' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Decisions')
  await expect(page).toHaveURL(/from=\d+&to=\d+/)
  await expect(page.getByRole('table', { name: 'Decisions' }).getByRole('link')).toHaveCount(1)

  await page.goto(site.path + day)
  await chart.getByText('View as table').focus()
  await page.keyboard.press('Enter')
  const steps = page.getByRole('table', { name: 'Outcomes' }).getByRole('button')
  await expect(steps.first()).toBeVisible()
  await steps.last().focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: '1 completed' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(steps.last()).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: '1 completed' }).press('Enter')
  await expect(page).toHaveURL(new RegExp(`/decisions\\?.*site=${site.id}`))
  await expect(page.getByRole('table', { name: 'Decisions' }).getByRole('link')).toHaveCount(1)
})

test('the statement has the units that were charged, by site and day, on the page and in the file', async ({
  page,
  service,
  owner,
  site,
}) => {
  await verify(service, site, 3)
  await redemptionsCounted(service, owner, 3)
  await service.sql.query(
    `insert into incident (id, tenant_id, site_id, kind, started_at, seen_at, ended_at, peak, usual, networks, work_from, work_to, honest_work)
     values (gen_random_uuid(), $1, $2, 'refusals', now(), now(), now(), 60, 0, 1, 1024, 1024, 1024)`,
    [owner.tenantId, site.id],
  )
  await page.goto(tenantUrl(service, owner, '/usage'))
  await expect(page.getByRole('list', { name: 'Marks in Units by day' })).toContainText('Incident, Storefront')
  const bySite = page.getByRole('table', { name: 'Units by site' })
  await expect(bySite).toContainText('100%')
  await expect(bySite.getByRole('columnheader')).toHaveText(['Site', 'Units', 'Share'])
  await page.getByRole('table', { name: 'Months' }).getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Statement for /)
  await expect(page.getByText('3 of 100,000 units')).toBeVisible()
  // what a bookkeeper needs to file it: the days, whose account, and who issued it
  const year = new Date().getUTCFullYear()
  await expect(page.getByText('Period', { exact: true }).locator('..')).toContainText(`${year}`)
  await expect(page.getByText('Account', { exact: true }).locator('..')).toContainText(owner.slug)
  await expect(page.getByText('Issued by', { exact: true }).locator('..')).toContainText(new URL(service.url).port)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).click()
  const [head, ...lines] = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
  const units = (head ?? '').split(',').indexOf('units')
  expect(lines.reduce((sum, line) => sum + Number(line.split(',')[units]), 0)).toBe(3)
  const { rows } = await service.sql.query('select count(*)::int as n from decision where tenant_id = $1', [
    owner.tenantId,
  ])
  expect(rows).toEqual([{ n: 3 }])
})

test('when mail tells of the usage is chosen by who pays, and only shown to others', async ({
  page,
  service,
  owner,
}) => {
  await page.goto(tenantUrl(service, owner, '/usage'))
  // the page shows it a moment after the click
  await page.getByRole('checkbox', { name: '90%' }).click()
  await expect(page.getByRole('checkbox', { name: '90%' })).toBeChecked()
  await expect(page.getByText('E-mails will be sent at 80%, 90%, 100%')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('checkbox', { name: '90%' })).toBeChecked()
  const viewer = await makeMember(service, owner, 'viewer')
  await page.context().clearCookies()
  await signIn(page, service, viewer)
  await page.goto(tenantUrl(service, owner, '/usage'))
  await expect(page.getByRole('checkbox', { name: '90%' })).toBeDisabled()
})

test('what tells of traffic keeps to WCAG, with charts, tables and filters, empty and not', {
  tag: '@accessible',
}, async ({ page, service, owner, site }) => {
  test.slow()
  for (const path of ['', '/refusals', '/usage']) {
    await page.goto(tenantUrl(service, owner, path))
    await expect(page.getByText(/^(Get started|No refused requests|No units used)/).first()).toBeVisible()
    await expectAccessible(page, [1280, 320])
  }
  await verify(service, site, 2)
  await createTestClient(service.url).intent(site, { hostname: 'elsewhere.example' })
  await refusalsWritten(service, owner, 1)
  for (const chart of ['outcomes', 'time', 'work']) {
    await page.goto(`${site.path}?period=24h&chart=${chart}`)
    await page.getByText('View as table').click()
    await expect(page.getByRole('figure').getByRole('table')).toBeVisible()
    await expectAccessible(page)
  }
  for (const path of ['', '/refusals?code=bad-field', '/usage', `/usage/${new Date().toISOString().slice(0, 7)}`]) {
    await page.goto(tenantUrl(service, owner, path))
    await expect(page.getByRole('table').first()).toHaveAttribute('aria-busy', 'false')
    await expectAccessible(page)
  }
})
