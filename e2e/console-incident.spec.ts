import { createTestClient } from '../test/support/client.ts'
import { expectAccessible } from './setup/accessible.ts'
import { tenantUrl } from './setup/member.ts'
import type { Service } from './setup/service.ts'
import { type Site } from './setup/site.ts'
import { expect, test } from './setup/test.ts'

/** The job that compares the sites runs every minute; here it runs at once. */
const compareNow = (service: Service) => service.sql.query("select graphile_worker.add_job('watch_incidents')")

/** Sends requests that are refused, from a page that is not allowed, while visitors complete their forms. */
async function attack(service: Service, site: Site): Promise<void> {
  const client = createTestClient(service.url)
  const { body } = await client.intent(site, { hostname: 'localhost', action: 'login' })
  for (let n = 0; n < 60; n++)
    expect((await client.challenge(site, body['intent_id'], { origin: 'https://copy.example' })).status).toBe(403)
  const earned = await client.earn(site, { hostname: 'localhost' }, { origin: 'http://localhost:3001' })
  expect((await client.siteverify(site, earned)).status).toBe(200)
}

const BECOMES_OLDER = ['refusal: at', 'decision: redeemed_at', 'incident: started_at, seen_at']

/** Lets so many minutes pass for what happened at the site. */
async function age({ sql }: Service, site: Site, minutes: number): Promise<void> {
  for (const rows of BECOMES_OLDER) {
    const [table, columns = ''] = rows.split(': ')
    const older = columns.split(', ').map((column) => `${column} = ${column} - make_interval(mins => $2)`)
    await sql.query(`update ${table} set ${older.join(', ')} where site_id = $1`, [site.id, minutes])
  }
}

test('an attack is noticed and e-mailed, attack mode ends, and the incident has a summary', {
  tag: '@accessible',
}, async ({ page, service, owner, site }) => {
  // the job runs beside the others, and accessibility is looked at four times
  test.slow()
  await service.sql.query("update site set base_work = 1024, challenge_kind = 'sha256' where id = $1", [site.id])
  await attack(service, site)
  const overview = tenantUrl(service, owner)

  const notice = page.getByRole('region', { name: 'Pages not allowed on Storefront: copy.example' })
  // refusals and their counts are written a second after the requests, and not all at once
  await expect(async () => {
    await compareNow(service)
    await page.goto(overview)
    await expect(notice).toBeVisible({ timeout: 5000 })
  }).toPass({ timeout: 90_000 })
  await expect(notice).toContainText('Handled automatically: ordinary visitors still wait <0.1 s on a current phone.')
  await expectAccessible(page)

  await page.setViewportSize({ width: 1280, height: 900 })
  const link = await notice.getByRole('link', { name: 'See the incident' }).getAttribute('href')
  await expect.poll(() => service.mailbox.linkTo(owner.email, String(link))).toBeDefined()

  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search or jump to' })
  await palette.getByRole('combobox').fill('incident')
  await expect(palette.getByRole('option', { name: 'Pages not allowed on Storefront: copy.example' })).toHaveAttribute(
    'data-highlighted',
  )
  await page.keyboard.press('Enter')
  const main = page.getByRole('main')
  await expect(main).toContainText('The requests came from pages on copy.example')
  await expect(main).toContainText('/challenge origin-not-allowed')
  await expect(main).toContainText('Handled automatically: ordinary visitors still wait <0.1 s on a current phone.')
  await page.goto(overview)
  await notice.getByRole('button', { name: 'Start attack mode for 1 hour' }).click()
  const question = page.getByRole('dialog', { name: 'Start attack mode for Storefront?' })
  await expect(question).toContainText(
    /\d+% of last week’s challenges would have taken longer than 15 s, and 0% would have been refused\./,
  )
  await question.getByRole('button', { name: 'Start attack mode' }).click()
  const attackMode = page.getByRole('region', { name: 'Attack mode is on for Storefront' })
  await expect(attackMode).toContainText('13 s on a slow phone')
  await expect(notice).toContainText('Ordinary visitors wait 13 s on a slow phone, 10 s on a current phone.')
  await expect(notice.getByRole('button', { name: 'Start attack mode for 1 hour' })).toBeHidden()
  const client = createTestClient(service.url)
  const { body } = await client.intent(site, { hostname: 'localhost' })
  const from = { origin: 'http://localhost:3001' }
  const difficulty = async () => {
    const { body: challenge } = await client.challenge(site, body['intent_id'], from)
    return Number(challenge['count']) * (2 ** 32 / (Number(challenge['target']) + 1))
  }
  expect(await difficulty()).toBeGreaterThan(6_000_000)

  await page.goto(site.path)
  await expect(attackMode).toBeVisible()
  await expect(notice).toBeVisible()
  await page.goto(`${site.path}/settings`)
  await attackMode.getByRole('button', { name: 'End attack mode' }).click()
  await expect(page.getByRole('region', { name: 'Attack mode', exact: true })).toBeVisible()
  expect(await difficulty()).toBeLessThan(10_000)

  await age(service, site, 11)
  await compareNow(service)
  await page.goto(overview)
  await expect(page.getByText('Completion rate').first()).toBeVisible()
  await expect(notice).toBeHidden({ timeout: 30_000 })
  const marks = page.getByRole('list', { name: 'Marks in Outcomes' })
  await expect(marks).toContainText('Attack mode turned on for an hour by Pat Person, Storefront')
  await expect(marks).toContainText('Incident, Storefront')
  await page.getByText('View as table').click()
  const cells = page.getByRole('table', { name: 'Outcomes' }).getByRole('cell')
  await expect(cells.filter({ hasText: 'Attack mode ended early' }).first()).toBeVisible()
  await expectAccessible(page)

  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('link', { name: 'Incidents', exact: true }).click()
  const row = page.getByRole('table', { name: 'Incidents' }).getByRole('row', { name: 'Storefront' })
  await expect(row).toContainText('Ended')
  await expectAccessible(page)
  await page.getByRole('switch', { name: 'E-mail me about incidents' }).click()
  await expect(page.getByText('You get no more e-mails about incidents')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('switch', { name: 'E-mail me about incidents' })).not.toBeChecked()
  await page.setViewportSize({ width: 1280, height: 900 })
  await row.getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pages not allowed on Storefront: copy.example')
  // at least the rows that are stored of a minute: the counts by the hour have not become older
  await expect(main).toContainText(/In this time: [3-6]\d requests refused, 1 verification completed/)
  await expect(main).toContainText('1 unit')
  const done = page.getByRole('list', { name: 'Timeline' })
  await expect(done.getByRole('listitem')).toContainText([
    'The incident started',
    'The incident ended',
    'Attack mode turned on for an hour',
    'Attack mode ended early',
  ])
  await expectAccessible(page)

  // its requests were refused, so the host leads to the refusals
  await page.getByRole('link', { name: 'copy.example', exact: true }).click()
  await expect(page).toHaveURL(/\/refusals\?.*hostname=copy\.example/)
  await expect(page.getByRole('row', { name: /copy\.example/ }).first()).toBeVisible()
})
