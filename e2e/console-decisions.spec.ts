import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { newId } from '../server/kit/crypto/ids.ts'
import { createTestClient } from '../test/support/client.ts'
import { expectAccessible } from './setup/accessible.ts'
import { consoleUrl, type Member, tenantUrl } from './setup/member.ts'
import { button, unfold } from './setup/page.ts'
import type { Service } from './setup/service.ts'
import { makeSite, type Site } from './setup/site.ts'
import { openStaff, staffUrl } from './setup/staff.ts'
import { expect, test } from './setup/test.ts'

type Past = { action?: string; mobile?: boolean; solveMs?: number; ago?: number }

/** Writes decisions as if they had been made, and charged; their wire ids. */
async function writePast({ sql }: Service, site: Site, past: readonly Past[]): Promise<string[]> {
  const rows = past.map(({ action = 'checkout', mobile = false, solveMs = 1500, ago = 0 }) => ({
    id: newId(),
    action,
    mobile,
    solve: solveMs / 1000,
    ago,
    hash: randomBytes(16).toString('hex'),
  }))
  await sql.query(
    `with made as (
       insert into decision (id, tenant_id, site_id, action, hostname, token_hash, key_hash, charged_to, redeemed_at,
       challenged_at, solved_at, work, mobile)
     select r.id, $1, $2, r.action, 'localhost', decode(r.hash, 'hex'), decode(r.hash, 'hex'), 'quota',
       now() - make_interval(secs => r.ago), now() - make_interval(secs => r.ago + r.solve + 1),
       now() - make_interval(secs => r.ago + 1), 1024, r.mobile
     from jsonb_to_recordset($3) as r(id uuid, action text, mobile bool, solve float8, ago float8, hash text)
       returning redeemed_at
     )
     insert into quota_period (tenant_id, month, included, used)
     select $1, date_trunc('month', redeemed_at at time zone 'utc')::date, 100000, count(*) from made group by 2
     on conflict (tenant_id, month) do update set used = quota_period.used + excluded.used`,
    [site.tenantId, site.id, JSON.stringify(rows)],
  )
  return rows.map(({ id }) => `dec_${id.replaceAll('-', '')}`)
}

const listOf = (service: Service, member: Member, search = '') => tenantUrl(service, member, `/decisions${search}`)
const table = (page: Page) => page.getByRole('table', { name: 'Decisions' })
const linkTo = (page: Page, id: string) =>
  table(page).getByRole('link', { name: `Decision …${id.slice(-8)}`, exact: true })
const links = (page: Page) => table(page).getByRole('link')

test('a list is narrowed in the address, shared by it, and leads to one decision', async ({
  page,
  service,
  owner,
  site,
}) => {
  const client = createTestClient(service.url)
  const earned = await client.earn(
    site,
    { hostname: 'localhost', session: 'ab'.repeat(32) },
    { origin: 'http://localhost' },
  )
  await client.siteverify(site, { ...earned, action: 'other' })
  const redeemed = await client.siteverify(site, earned)
  const id = String(redeemed.body['decision_id'])
  await writePast(service, site, [
    { action: 'login', ago: 60 },
    { action: 'login', mobile: true, solveMs: 9000, ago: 50 },
  ])
  await page.goto(consoleUrl(service))
  await page.getByRole('link', { name: 'Decisions', exact: true }).click()
  await expect(links(page)).toHaveCount(3)

  await button(page, 'Filter').click()
  const sheet = page.getByRole('dialog', { name: 'Filter decisions' })
  await expect(sheet.locator('datalist option[value=login]')).toHaveCount(1)
  await sheet.getByLabel('Action', { exact: true }).fill('login')
  await unfold(page, 'More filters')
  await sheet.getByLabel('Slower than (seconds)').fill('5')
  await button(sheet, 'Apply').click()
  await expect(links(page)).toHaveCount(1)
  await expect(page).toHaveURL(/(?=.*action=login)(?=.*slow=5000)/)
  await page.reload()
  await expect(links(page)).toHaveCount(1)
  await button(page, 'Remove filter: Solved in 5.0 s or more').click()
  await expect(links(page)).toHaveCount(2)
  await button(page, 'Remove filter: Action: login').click()
  await expect(links(page)).toHaveCount(3)

  await linkTo(page, id).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Decision: .+ on localhost$/ })).toBeFocused()
  const head = page.locator('header', { has: page.getByRole('heading', { level: 1 }) })
  await expect(head).toContainText('Passed')
  await expect(head).toContainText(/solved in .+ (s|ms)/)
  for (const action of ['Report feedback', 'Copy link', 'Copy JSON'])
    await expect(page.getByRole('button', { name: action })).toBeVisible()
  // three actions have no room beside the title of a phone's page: they are below what became of the decision
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  await page.setViewportSize({ width: 375, height })
  const topOf = async (part: Locator) => (await part.boundingBox())?.y ?? 0
  expect(await topOf(button(page, 'Report feedback…'))).toBeGreaterThan(await topOf(page.getByText(/^solved in/)))
  await page.setViewportSize({ width, height })
  const steps = page.getByRole('list', { name: 'Timeline' }).getByRole('heading')
  await expect(steps).toHaveText([
    'Intent opened',
    'Challenge started',
    'Challenge solved',
    '/siteverify refused',
    'Token redeemed',
    'Charged',
  ])
  await expect(page.getByText('binding-mismatch')).toBeVisible()
  await expect(page.getByText('abababab').first()).toBeVisible()
  await page.goto(`${listOf(service, owner)}/${earned['intent_id']}`)
  await expect(steps).toHaveCount(6)
  await page.goto(`${listOf(service, owner)}/dec_${'0'.repeat(32)}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Decision not found' })).toBeVisible()
})

test('the file holds just what the list shows', async ({ page, service, owner }) => {
  const site = await makeSite(service, owner, 'Shop, "main"')
  const logins = Array.from({ length: 250 }, (_, i) => ({ action: 'login', ago: i * 2 }))
  const made = await writePast(service, site, logins)
  await writePast(service, site, [{ action: 'checkout' }])
  await page.goto(listOf(service, owner, '?action=login'))
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(
    new RegExp(`^decisions-${owner.slug}-action-login(-from-\\d{4}-\\d\\d-\\d\\d)?(-to-\\d{4}-\\d\\d-\\d\\d)?\\.csv$`),
  )
  const text = await readFile(await download.path(), 'utf8')
  expect(text.match(/dec_[0-9a-f]{32}/g)).toEqual(made)
  expect(text).toContain('"Shop, ""main"""')
})

const CUT_TIMES = `[...document.querySelectorAll('td:has(time)')].filter((cell) => cell.scrollWidth > cell.clientWidth).length`

test.describe('where times have AM and PM', () => {
  test.use({ locale: 'en-US' })

  test('two thousand rows are scrolled through, and only those in the window are drawn', async ({
    page,
    service,
    owner,
    site,
  }) => {
    const many = Array.from({ length: 2000 }, (_, i) => ({ ago: i }))
    const made = await writePast(service, site, many)
    await page.goto(listOf(service, owner))
    await expect(linkTo(page, made[0] ?? '')).toBeVisible()
    // a time that is cut may lack its AM or PM
    expect(await page.evaluate<number>(CUT_TIMES)).toBe(0)
    const end = page.getByText('All 2,000 decisions of this period')
    while (!(await end.isVisible())) {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
      expect(await links(page).count()).toBeLessThan(120)
    }
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await expect(linkTo(page, made.at(-1) ?? '')).toBeInViewport()
    await expect(table(page)).toHaveAttribute('aria-rowcount', '2001')
    await expect(table(page).getByRole('row').last()).toHaveAttribute('aria-rowindex', '2001')
  })
})

test('what happens now appears by itself, and waits while the list is paused or scrolled', async ({
  page,
  service,
  owner,
  site,
}) => {
  await writePast(
    service,
    site,
    Array.from({ length: 80 }, (_, i) => ({ ago: 60 + i })),
  )
  await page.goto(listOf(service, owner))
  await button(page, 'Live').click()
  await expect(page.getByRole('status').getByText('Updates are live.')).toBeAttached()
  const [first = ''] = await writePast(service, site, [{}])
  await expect(linkTo(page, first)).toBeVisible()

  await button(page, 'Pause').click()
  const [second = '', third = ''] = await writePast(service, site, [{}, {}])
  await button(page, '2 new').click()
  await expect(linkTo(page, second)).toBeVisible()
  await expect(linkTo(page, third)).toBeVisible()
  await expect(page.getByRole('status').getByText('Paused')).toBeVisible()
  await button(page, 'Resume').click()

  await page.evaluate('scrollTo(0, 1500)')
  const [fourth = ''] = await writePast(service, site, [{}])
  await button(page, '1 new').click()
  await expect(linkTo(page, fourth)).toBeInViewport()
  await expect(button(page, '1 new')).toBeHidden()
  await expect(page).toHaveURL(/live=true/)
})

test.describe('while the service restarts', () => {
  test.use({ expectedErrors: /ERR_|Failed to load|EventSource/ })

  test('the list that is followed loses and repeats nothing', async ({ page, service, owner, site }) => {
    await page.goto(listOf(service, owner, '?live=true'))
    await expect(page.getByRole('status').getByText('Updates are live.')).toBeAttached()
    const made = await writePast(service, site, [{}])
    await expect(links(page)).toHaveCount(1)
    await service.kill()
    made.push(...(await writePast(service, site, [{}, {}])))
    await expect(page.getByRole('status').getByText('Connecting')).toBeVisible()
    await service.restart()
    await expect(links(page)).toHaveCount(3)
    made.push(...(await writePast(service, site, [{}])))
    await expect(links(page)).toHaveCount(4)
    for (const id of made) await expect(linkTo(page, id)).toHaveCount(1)
  })
})

test('a keyboard is enough to filter, to reach rows beyond the window, and to open one', async ({
  page,
  service,
  owner,
  site,
}) => {
  const made = await writePast(
    service,
    site,
    Array.from({ length: 120 }, (_, i) => ({ ago: i })),
  )
  await page.goto(listOf(service, owner))
  const first = linkTo(page, made[0] ?? '')
  await expect(first).toBeVisible()
  await first.focus()
  for (let n = 1; n < 60; n++) await page.keyboard.press('Tab')
  await expect(linkTo(page, made[59] ?? '')).toBeFocused()
  await expect(linkTo(page, made[59] ?? '')).toBeInViewport()
  // the focus is not lost by scrolling away from it
  await page.evaluate('scrollTo(0, 0)')
  await expect(first).toBeInViewport()
  await expect(linkTo(page, made[59] ?? '')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Decision' })).toBeFocused()
})

/** What stands on the page, when it does. */
const pages: Record<string, (page: Page, list: string, id: string) => Promise<void>> = {
  'the list, followed and narrowed': async (page, list) => {
    await page.goto(`${list}?live=true&way=solved&slow=1000`)
    await expect(links(page)).toHaveCount(3)
  },
  'its filters': async (page, list) => {
    await page.goto(list)
    await button(page, 'Filter').click()
    await expect(page.getByRole('dialog', { name: 'Filter decisions' })).toBeVisible()
  },
  'one decision': async (page, list, id) => {
    await page.goto(`${list}/${id}`)
    await expect(page.getByRole('list', { name: 'Timeline' })).toBeVisible()
  },
  'a list without rows': async (page, list) => {
    await page.goto(`${list}?action=nothing`)
    await expect(page.getByText('No matches')).toBeVisible()
  },
}

test.describe('for everybody', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  for (const [what, open] of Object.entries(pages)) {
    test(`${what} can be used by everybody, light and dark, wide and narrow`, { tag: '@accessible' }, async ({
      page,
      service,
      owner,
      site,
    }) => {
      const past = [{ action: 'login' }, { mobile: true, action: 'a-rather-long-name-of-an-action' }, {}]
      const [, , plain = ''] = await writePast(service, site, past)
      await open(page, listOf(service, owner), plain)
      await expectAccessible(page)
    })
  }
})

test('members and staff learn that decisions of a day are archived, and whom to ask or where to look', {
  tag: '@accessible',
}, async ({ page, service, owner, site }) => {
  const [recent = ''] = await writePast(service, site, [{ ago: 60 }])
  const day = '2025-03-14'
  const noon = Date.parse(`${day}T12:00:00Z`)
  const file = `decisions-${day}.ndjson.gz`
  // as after the job of that night, with the charge of the one decision
  await service.sql.query(
    `insert into decision_archive (day, file, rows, deleted, sha256) values ($1, $2, 1, 1, '') on conflict do nothing`,
    [day, file],
  )
  await service.sql.query(
    `insert into archived_decisions (tenant_id, month, charged_to, n) values ($1, date_trunc('month', $2::date), 'quota', 1)`,
    [owner.tenantId, day],
  )
  await service.sql.query(
    `insert into quota_period (tenant_id, month, included, used) values ($1, date_trunc('month', $2::date), 100, 1)`,
    [owner.tenantId, day],
  )
  const notice = page.getByRole('region', {
    name: /^Decisions before (15 March 2025|March 15, 2025) \(UTC\) are archived$/,
  })

  await page.goto(listOf(service, owner, `?from=${noon / 1000 - 3600}&to=${noon / 1000}`))
  await expect(page.getByText('No decisions in this period')).toBeVisible()
  await expect(notice).toContainText('Usage and statements still count them')
  await expectAccessible(page)
  await page.goto(listOf(service, owner))
  await expect(linkTo(page, recent)).toBeVisible()
  await expect(notice).toHaveCount(0)

  const heading = page.getByRole('heading', { level: 1, name: 'Decision not found' })
  await page.goto(listOf(service, owner, `/${newId(noon)}`))
  await expect(heading).toBeVisible()
  await expect(notice).toContainText(/ask the operator|contact support/)
  await page.goto(listOf(service, owner, `/${newId()}`))
  await expect(heading).toBeVisible()
  await expect(notice).toHaveCount(0)

  await openStaff(page, service, 'support')
  await page.goto(staffUrl(service, `?q=${newId(noon)}`))
  await expect(page.getByText(`look for it in ${file} of ARCHIVE_DIR`)).toBeVisible()
})
