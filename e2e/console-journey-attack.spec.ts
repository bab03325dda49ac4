import { createTestClient } from '../test/support/client.ts'
import { expectAccessible } from './setup/accessible.ts'
import { tenantUrl } from './setup/member.ts'
import { button, heading } from './setup/page.ts'
import { expect, test } from './setup/test.ts'

const FORGED = 50

test('forged calls of /siteverify become an incident that leads to the requests and the server, is shared, and ends', {
  tag: '@accessible',
}, async ({ page, browser, service, owner, site }) => {
  test.slow()
  const client = createTestClient(service.url)
  await service.sql.query("update site set base_work = 1024, challenge_kind = 'sha256' where id = $1", [site.id])
  const earned = await client.earn(site, { hostname: 'localhost' }, { origin: 'http://localhost:3001' })
  for (let n = 0; n < FORGED; n++) {
    const reply = await client.siteverify(site, { ...earned, response: `forged-${n}` })
    expect(reply.status).toBeGreaterThanOrEqual(400)
  }

  const overview = tenantUrl(service, owner)
  const notice = page.getByRole('region', { name: 'Missing or malformed tokens on Storefront' })
  // refusals are written a second after the requests, and the job that compares the sites runs every minute
  await expect(async () => {
    await service.sql.query("select graphile_worker.add_job('watch_incidents')")
    await page.goto(overview)
    await expect(notice).toBeVisible({ timeout: 5000 })
  }).toPass({ timeout: 90_000 })
  await expect(notice).toContainText('Your own servers make these calls: the fix is in your backend.')
  await expect(button(notice, /Attack mode/)).toHaveCount(0)
  await expectAccessible(page)

  await page.setViewportSize({ width: 1280, height: 900 })
  await notice.getByRole('link', { name: 'See the incident' }).click()
  await expect(heading(page, 'Missing or malformed tokens on Storefront')).toBeVisible()
  await expect(button(page, /Attack mode/)).toHaveCount(0)
  const main = page.getByRole('main')
  await expect(main).toContainText(
    'Most frequent: /siteverify bad-request response. The form was sent without a token.',
  )
  await expect(main).toContainText(`…${site.secret.slice(-4)}`)
  await expect(main).toContainText('127.0.0.0/24')
  const incident = page.url()
  await page.getByRole('link', { name: 'See the requests' }).click()
  await expect(heading(page, 'Refusals')).toBeVisible()
  const rows = page.getByRole('table', { name: 'Refusals' }).locator('tbody').getByRole('row')
  await expect(rows.first()).toContainText('/siteverify')
  for (const row of await rows.all()) await expect(row).toContainText('/siteverify')

  // the cause is fixed: time passes for what happened, and the incident ends
  for (const columns of ['refusal: at', 'incident: started_at, seen_at']) {
    const [table, names = ''] = columns.split(': ')
    const older = names.split(', ').map((name) => `${name} = ${name} - interval '11 minutes'`)
    await service.sql.query(`update ${table} set ${older.join(', ')} where site_id = $1`, [site.id])
  }
  await service.sql.query("select graphile_worker.add_job('watch_incidents')")
  await page.goto(incident)
  await expect(page.getByText('Ended', { exact: true })).toBeVisible({ timeout: 60_000 })
  // the servers are known by their last call only, which may be later
  await expect(page.getByText('Servers that called since')).toBeVisible()

  await button(page, 'Create link').click()
  const link = page.getByRole('region', { name: 'Share' }).getByText(/\/i\//)
  const path = new URL(await link.innerText()).pathname
  const guest = await (await browser.newContext()).newPage()
  const open = () => guest.goto(new URL(path, overview).href)
  await open()
  await expect(heading(guest, 'Missing or malformed tokens')).toBeVisible()
  await expect(guest.getByText('Storefront')).toHaveCount(0)
  await expectAccessible(guest)
  await button(page, 'End link').click()
  await expect(page.getByRole('button', { name: 'Create link' })).toBeVisible()
  await open()
  await expect(heading(guest, 'Incident not found')).toBeVisible()
  await guest.context().close()
})
