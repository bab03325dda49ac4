import { createTestClient } from '../test/support/client.ts'
import { expectAccessible } from './setup/accessible.ts'
import { tenantUrl } from './setup/member.ts'
import { button, unfold } from './setup/page.ts'
import type { Service } from './setup/service.ts'
import { type Site } from './setup/site.ts'
import { expect, test } from './setup/test.ts'

/** Makes and charges one decision of an hour ago for each: seconds to the solution, on a phone or not, action, doublings of the network. */
async function decided(
  { sql }: Service,
  site: Site & { tenantId: string },
  decisions: readonly { seconds: number; mobile: boolean; action: string; network: number }[],
): Promise<void> {
  await sql.query(
    `with made as (
       insert into decision (id, tenant_id, site_id, action, hostname, token_hash, key_hash, redeemed_at, charged_to,
       challenged_at, solved_at, work, work_reasons, mobile)
     select gen_random_uuid(), $1, $2, d.action, 'localhost', '\\x00', '\\x00', now() - interval '1 hour', 'quota',
       now() - interval '1 hour' - d.seconds * interval '1 s', now() - interval '1 hour', 1048576 * 2 ^ d.network, d.network, d.mobile
     from jsonb_to_recordset($3) as d(seconds float8, mobile boolean, action text, network int)
       returning redeemed_at
     )
     insert into quota_period (tenant_id, month, included, used)
     select $1, date_trunc('month', redeemed_at at time zone 'utc')::date, 100000, count(*) from made group by 2
     on conflict (tenant_id, month) do update set used = quota_period.used + excluded.used`,
    [site.tenantId, site.id, JSON.stringify(decisions)],
  )
}

test('the form is shown when nothing that moves it is still loading', async ({ page, service, site }) => {
  const shadow = { workMode: 'adaptive', baseWork: 2_097_152, challengeKind: 'sha256', actions: [] }
  await service.sql.query('update site set shadow = $2, shadow_since = now() where id = $1', [site.id, shadow])
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/sites\.compare/, async (route) => {
    await released
    await route.continue()
  })
  const asked = page.waitForRequest(/sites\.compare/)
  await page.goto(`${site.path}/settings`)
  await asked
  await expect(page.getByRole('heading', { name: 'Difficulty' })).toBeVisible()
  await expect(button(page, 'Save policy')).toBeHidden()
  release()
  await expect(button(page, 'Save policy')).toBeVisible()
  await expect(page.getByText('No challenges to compare')).toBeVisible()
})

test('a policy shows what it would have asked for last week’s challenges, runs in shadow, and is switched on', {
  tag: '@accessible',
}, async ({ page, service, owner, site }) => {
  await decided(service, { ...site, tenantId: owner.tenantId }, [
    { seconds: 4, mobile: true, action: 'login', network: 0 },
    { seconds: 0.5, mobile: false, action: 'login', network: 0 },
    { seconds: 2, mobile: false, action: 'signup', network: 1 },
  ])
  await service.sql.query('update site set base_work = default where id = $1', [site.id])
  await page.goto(`${site.path}/settings`)

  // on the slow phone, and in the busy network, whose challenges are harder also in attack mode
  const attackEffect =
    '66.7% of last week’s challenges would have taken longer than 15 s, and 0% would have been refused.'
  await expect(page.getByRole('region', { name: 'Attack mode', exact: true })).toContainText(attackEffect)
  await expect(page.getByRole('radio', { name: /^Standard/ })).toBeChecked()
  await expect(page.getByRole('radio', { name: /^Standard/ })).toHaveAccessibleName(/0\.5 s on a current phone.*\$/)

  const effect = page.getByRole('table', { name: 'Effect on the challenges of the last 7 days' })
  const row = (name: string) => effect.getByRole('row', { name: new RegExp(`^${name}`) })
  await expect(effect).toHaveCount(0)
  await page.getByRole('radio', { name: /^Strict/ }).check()
  await expect(row('Computers, signup')).toHaveCount(0)
  await expect(row('Phones and tablets')).toContainText(/4\.2 s → , then 1\d s/)
  await unfold(page, 'Advanced')
  await expect(page.getByRole('radio', { name: /^Under attack/ })).toHaveCount(0)
  await page.getByRole('spinbutton', { name: 'Base difficulty' }).fill('2097152')
  await expect(page.getByRole('radio', { name: /^Custom/ })).toBeChecked()
  await expect(row('Phones and tablets')).toContainText(/4\.2 s → , then 8\.\d s/)

  const attack = page.getByRole('table', { name: /1,000,000 passes/ })
  await expect(attack.getByRole('row', { name: /SHA-256 on a cheap server/ })).toContainText('$0.031$0.094')
  const hashwx = attack.getByRole('row', { name: /HashWX on a cheap server/ })
  await expect(hashwx).toHaveCount(0)
  await page.getByRole('radio', { name: 'HashWX where possible' }).check()
  await expect(hashwx).toContainText('$0.064$0.19')
  await page.getByRole('radio', { name: /^SHA-256/ }).check()

  // an action gets its own, and the rest stays as it was
  await page.getByRole('spinbutton', { name: 'Base difficulty' }).fill('1048576')
  await button(page, 'Add action').click()
  const action = page.getByRole('group', { name: 'Action 1' })
  await action.getByLabel('Action', { exact: true }).fill('sign up')
  await action.getByLabel('Difficulty').fill('4194304')
  await button(page, 'Save policy').click()
  await expect(page.getByRole('alert')).toContainText('1 to 64 letters, digits, _ or -.')
  await expect(page.locator('datalist option')).toHaveCount(2)
  await action.getByLabel('Action', { exact: true }).fill('signup')
  await action.getByLabel('Mode').click()
  await page.getByRole('option', { name: 'Fixed' }).click()
  await expect(row('Computers, signup')).toContainText(/2\.\d s → , then 4\.\d s/)
  await expect(row('Computers, login')).toHaveCount(0)
  await expectAccessible(page)

  await button(page, 'Run as shadow policy').click()
  await expect(page.getByText('Shadow policy saved')).toBeVisible()
  const shadow = page.getByRole('region', { name: 'Shadow policy' })
  await expect(shadow).toContainText('1,048,576, adaptive, SHA-256; signup 4,194,304, fixed')
  await expect(shadow).toContainText('No challenges to compare')
  await expect(page.getByRole('group', { name: /^Action/ })).toHaveCount(0)
  await expectAccessible(page)

  await button(shadow, 'Switch on').click()
  await expect(page.getByText('Policy switched on')).toBeVisible()
  await expect(shadow).toBeHidden()
  await expect(page.getByRole('group', { name: 'Action signup' })).toBeVisible()
  await page.reload()
  await unfold(page, 'Advanced')
  await expect(page.getByRole('group', { name: 'Action signup' }).getByLabel('Difficulty')).toHaveValue('4194304')
  await expect(shadow).toBeHidden()

  // limits are no part of a shadow policy, and their changes are not lost by starting one
  await page.getByRole('spinbutton', { name: 'Burst' }).fill('500')
  await expect(button(page, 'Save policy')).toBeEnabled()
  await expect(button(page, 'Run as shadow policy')).toHaveCount(0)
  await button(page, 'Remove signup').click()
  await button(page, 'Run as shadow policy').click()
  await expect(shadow).toBeVisible()
  await expect(page.getByRole('spinbutton', { name: 'Burst' })).toHaveValue('500')
  await button(shadow, 'Discard shadow policy').click()
  await expect(shadow).toBeHidden()
})

test('feedback as abuse says in the decision until when it raises the difficulty, and that it was taken back', {
  tag: '@accessible',
}, async ({ page, service, owner, site }) => {
  const client = createTestClient(service.url)
  const earned = await client.earn(
    site,
    { hostname: 'localhost', subject: '5b'.repeat(32) },
    { origin: 'http://localhost:3001' },
  )
  const { body } = await client.siteverify(site, earned)
  await page.goto(tenantUrl(service, owner, `/decisions/${String(body['decision_id'])}`))
  const timeline = page.getByRole('list', { name: 'Timeline' })
  await button(page, 'Report feedback…').click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('radio', { name: /abuse/i }).check()
  await sheet.getByLabel('Business type').fill('chargeback')
  await button(sheet, 'Report').click()
  await expect(timeline).toContainText('Raises the difficulty for this network and subject until about')
  await expectAccessible(page)
  await button(page, 'Correct feedback…').click()
  await sheet.getByRole('radio', { name: /legitimate/i }).check()
  await button(sheet, 'Send as revision 2').click()
  await expect(timeline).toContainText('Taken back: the difficulty for this network and subject is no longer raised.')
  await expect(timeline).toContainText('Raised the difficulty for this network and subject until it was taken back.')
})
