import type { Page } from '@playwright/test'
import { intentOfDecision } from '../server/contract/ids.ts'
import { decide } from './setup/decided.ts'
import { consoleUrl, tenantUrl } from './setup/member.ts'
import { button, dialog, heading, takeSecret } from './setup/page.ts'
import { expect, test } from './setup/test.ts'
import { fillTenant } from './setup/world.ts'

/** The controls of each row of the page's tables at which the Tab key stops. */
const STOPS = `[...document.querySelectorAll('main tbody tr')].map((row) =>
  [...row.querySelectorAll('a[href], button, input, [tabindex]')].filter(({ tabIndex }) => tabIndex >= 0).length)`

const RELATIVE = /\b(just now|ago|yesterday|in \d+ (s|min|h|days))\b/

test('a row of a list is one stop of the Tab key, and its times are dates; the arrows lead to the rest', async ({
  page,
  service,
  owner,
  site,
}) => {
  await fillTenant(service, owner, site)
  for (const list of ['decisions', 'refusals', 'grants', 'feedback', 'audit']) {
    await page.goto(tenantUrl(service, owner, `/${list}`))
    const rows = page.getByRole('table').last().locator('tbody')
    await expect(rows.getByRole('link').first()).toBeVisible()
    await expect(rows.locator('[disabled]')).toHaveCount(0)
    const stops = await page.evaluate<number[]>(STOPS)
    expect(stops.length, list).toBeGreaterThan(1)
    expect.soft(Math.max(...stops), list).toBe(1)
    expect.soft(await rows.locator('time').allInnerTexts(), list).not.toContainEqual(expect.stringMatching(RELATIVE))
    await expect(rows.locator('time').first()).toHaveText(/\d\d:\d\d:\d\d/)
  }
  await page.goto(tenantUrl(service, owner, '/grants?state=any'))
  await page
    .getByRole('link', { name: /^Grant …/ })
    .first()
    .focus()
  await page.keyboard.press('ArrowRight')
  await expect(button(page, /^Revoke …/).first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row', { name: /Revoked/ })).toHaveCount(1)
})

test('refusals are filtered by host and reference, and the filters are in the address', async ({
  page,
  service,
  owner,
  site,
}) => {
  const { reference } = await fillTenant(service, owner, site)
  await page.goto(tenantUrl(service, owner, '/refusals'))
  const rows = page.getByRole('table', { name: 'Refusals', exact: true }).locator('tbody tr')
  await expect(rows).toHaveCount(3)
  await button(page, 'Filter').click()
  const sheet = dialog(page, 'Filter refusals')
  await sheet.getByLabel('Host').fill(' Mirror.exam ')
  await button(sheet, 'Apply').click()
  await expect(page).toHaveURL(/hostname=(\*|%2A)Mirror\.exam(\*|%2A)(&|$)/)
  await expect(rows).toHaveCount(1)
  await button(page, 'Remove filter: Host contains Mirror.exam').click()
  await button(page, 'Filter').click()
  await sheet.getByLabel('Reference').fill(`Ref. ${reference}`)
  await button(sheet, 'Apply').click()
  await expect(rows).toHaveCount(1)
  // the counts are of all requests of the type
  await expect(page.getByRole('region', { name: 'By type' })).toHaveCount(0)
  await rows.getByRole('link').click()
  const refusal = dialog(page, 'Refused request')
  await expect(refusal).toContainText('req_')
  await expect(refusal.getByRole('link', { name: new RegExp(`/r/${reference}$`) })).toBeVisible()
  await page.reload()
  await expect(refusal.getByRole('region', { name: 'Cause and fix' })).toContainText('hostname')
  await page.keyboard.press('Escape')
  await expect(refusal).toBeHidden()
  await expect(rows).toHaveCount(1)
})

test('the audit log is narrowed to a period and a kind', async ({ page, service, owner }) => {
  await service.sql.query(
    `insert into audit_event (id, seq, hash, tenant_id, actor_type, actor_id, action, target, created_at)
     select gen_random_uuid(), 0, '', tenant_id, actor_type, actor_id, 'grant.revoke', 'x', now() - interval '40 days'
     from audit_event where tenant_id = $1 limit 1`,
    [owner.tenantId],
  )
  await page.goto(tenantUrl(service, owner, '/audit'))
  await expect(page.getByRole('link', { name: 'Grant revoked' })).toBeVisible()
  await page.getByLabel('Period').click()
  await page.getByRole('option', { name: 'Last 30 days' }).click()
  await expect(page).toHaveURL(/period=30d/)
  await expect(page.getByRole('link', { name: 'Grant revoked' })).toBeHidden()
  await expect(page.getByRole('link', { name: 'Tenant created' })).toBeVisible()
  await page.getByLabel('Kind').click()
  await page.getByRole('option', { name: 'Members' }).click()
  await expect(page.getByRole('link', { name: 'Tenant created' })).toBeHidden()
})

async function search(page: Page, text: string) {
  await page.keyboard.press('Control+k')
  const palette = dialog(page, 'Search or jump to')
  await palette.getByRole('combobox').fill(text)
  return palette
}

test('the palette says that it is searching until it has an answer', async ({ page, service, owner, site }) => {
  const decision = await decide(service, site)
  await page.goto(tenantUrl(service, owner, '/settings'))
  await expect(heading(page, 'Settings')).toBeVisible()
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(/tenants\.search/, async (route) => {
    await held
    await route.continue()
  })
  const asking = page.waitForRequest(/tenants\.search/)
  const palette = await search(page, decision.slice(-8))
  await expect(palette).toContainText('Searching…')
  await asking
  await expect(palette).toContainText('Searching…')
  await expect(palette).not.toContainText('No results.')
  release()
  await expect(palette.getByRole('option', { name: decision })).toBeVisible()
})

test('the palette opens pasted addresses, and finds codes, hosts, invitations and what is done at a site', async ({
  page,
  service,
  owner,
  site,
}) => {
  const { reference } = await fillTenant(service, owner, site)
  const start = async () => {
    await page.goto(tenantUrl(service, owner, '/settings'))
    await expect(heading(page, 'Settings')).toBeVisible()
  }
  for (const address of [`https://tollgate.example/r/${reference}`, `${consoleUrl(service)}/r/${reference}`]) {
    await start()
    await (await search(page, address)).getByRole('option', { name: `Open /r/${reference}` }).click()
    await expect(heading(page, `Reference ${reference}`)).toBeVisible()
  }
  const leads = {
    unauthor: ['Refusals: unauthorized', /refusals\?.*code=unauthorized/],
    'mirror.exa': ['Refusals: mirror.example', /refusals\?.*hostname=mirror\.example/],
    localhost: ['Hostnames: localhost', /hostnames$/],
    'dana@': ['Invitation of dana@people.example', /members$/],
    'storefront rotate': ['Storefront: rotate the secret key', /keys\?open=rotate$/],
    webhooks: ['Webhooks', /settings\/webhooks$/],
    'api keys': ['API keys', /settings\/api-keys$/],
    'two-factor': ['Two-factor authentication and passkeys of your account', /account#two-factor$/],
  } as const
  for (const [typed, [found, url]] of Object.entries(leads)) {
    await start()
    await (await search(page, typed)).getByRole('option', { name: found }).first().click()
    await expect(page).toHaveURL(url)
  }
})

test('a command of the palette opens its dialog, or leads to what has none', async ({ page, service, owner, site }) => {
  await page.goto(tenantUrl(service, owner, '/settings'))
  await expect(heading(page, 'Settings')).toBeVisible()
  const run = async (typed: string, found: string) =>
    (await search(page, typed)).getByRole('option', { name: found, exact: true }).first().click()
  const opened = {
    'rotate the secret': ['Storefront: rotate the secret key', 'Rotate the secret key'],
    'request more': ['Request more units', 'Request more units'],
    pause: ['Storefront: pause or resume', 'Pause Storefront?'],
  } as const
  for (const [typed, [found, title]] of Object.entries(opened)) {
    await run(typed, found)
    await expect(dialog(page, title)).toBeVisible()
    await button(dialog(page, title), 'Cancel').click()
    await expect(dialog(page, title)).toBeHidden()
    await expect(page).not.toHaveURL(/open=/)
  }
  await run('add a hostname', 'Storefront: add a hostname')
  await expect(page.getByLabel('Add hostnames')).toBeFocused()
  await run('attack mode', 'Storefront: start attack mode')
  await expect(button(page, 'Start attack mode for 1 hour')).toBeFocused()
  await expect(page).toHaveURL(`${site.path}/settings`)
  // there is no such button while it is on
  await service.sql.query(`update site set attack_until = now() + interval '1 hour' where id = $1`, [site.id])
  await page.goto(`${site.path}/settings?open=attack-mode`)
  await expect(button(page, 'End attack mode')).toBeVisible()
  await expect(page).toHaveURL(`${site.path}/settings`)
})

test('a form that is opened and saved untouched changes nothing that is stored', async ({
  page,
  service,
  owner,
  site,
}) => {
  const { decision } = await fillTenant(service, owner, site)
  const rowOf = async (sql: string, id: string) => (await service.sql.query<object>(sql, [id])).rows[0]
  const LATEST =
    'select outcome, business_type, occurred_at from feedback_event where decision_id = $1 order by revision desc limit 1'
  const intent = intentOfDecision(decision) ?? ''
  // a time of its own, with seconds
  for (const older of [
    "update decision set redeemed_at = redeemed_at - interval '2 days' where id = $1",
    "update feedback_event set occurred_at = date_trunc('second', now() - interval '1 day') where decision_id = $1",
  ])
    await service.sql.query(older, [intent])
  const reported = await rowOf(LATEST, intent)
  await page.goto(tenantUrl(service, owner, `/decisions/${decision}`))
  await button(page, 'Correct feedback…').click()
  const correction = dialog(page, 'Correct feedback')
  await expect(correction).toContainText('at all your sites for about 4 days')
  await button(correction, 'Send as revision 2').click()
  await expect(correction).toBeHidden()
  expect(await rowOf(LATEST, intent)).toEqual(reported)

  await service.sql.query(
    `insert into network_rule (id, tenant_id, site_id, network, verdict, note, actor_type, actor_id)
     values (gen_random_uuid(), $1, $2, '203.0.113.0/24', 'dear', 'Scrapers', 'user', $3)`,
    [owner.tenantId, site.id, owner.userId],
  )
  const RULE = 'select network, verdict, note from network_rule where site_id = $1'
  const rule = await rowOf(RULE, site.id)
  await page.goto(`${site.path}/networks`)
  await button(page, 'Change 203.0.113.0/24').click()
  const change = dialog(page, 'Change 203.0.113.0/24')
  await change.locator('[type=submit]').click()
  await expect(change).toBeHidden()
  expect(await rowOf(RULE, site.id)).toEqual(rule)

  const WEBHOOK =
    "select id::text, url, types, disabled_at from webhook_endpoint where tenant_id = $1 and url like '%team=5'"
  await page.goto(tenantUrl(service, owner, '/settings/webhooks'))
  await button(page, 'Create webhook').click()
  const create = dialog(page, 'Create a webhook')
  await create.getByLabel('URL').fill(`${service.url}/hooks?team=5`)
  await button(create, 'Create webhook').click()
  await takeSecret(page, 'The signing secret')
  const webhook = await rowOf(WEBHOOK, owner.tenantId)
  await page.getByRole('link', { name: /team=5/ }).click()
  await button(page, 'Actions for the webhook').click()
  await page.getByRole('menuitem', { name: 'Edit…' }).click()
  const edit = dialog(page, 'Edit the webhook')
  await button(edit, 'Save').click()
  await expect(edit).toBeHidden()
  expect(await rowOf(WEBHOOK, owner.tenantId)).toEqual(webhook)
})
