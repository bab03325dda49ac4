import { randomBytes } from 'node:crypto'
import { createTestClient } from '../test/support/client.ts'
import { expectAccessible } from './setup/accessible.ts'
import { decide, fromPage, newSession, tail } from './setup/decided.ts'
import { makeMember, signIn, tenantUrl } from './setup/member.ts'
import { button } from './setup/page.ts'
import type { Service } from './setup/service.ts'
import type { Site } from './setup/site.ts'
import { expect, test } from './setup/test.ts'

/** An exemption of a new decision of the session; its id. */
async function give(service: Service, site: Site, session: string): Promise<string> {
  const decision_id = await decide(service, site, { session })
  const { body } = await createTestClient(service.url).asSite('/grants', site, { decision_id, session, uses: 3 })
  return String(body['grant_id'])
}

/** The decision of an intent that is opened with a grant; its id. */
async function useGrant(service: Service, site: Site, fields: { session?: string; trusted_grant_id: unknown }) {
  const client = createTestClient(service.url)
  const { intent_id } = (await client.intent(site, { hostname: 'localhost', ...fields })).body
  const { response } = (await client.challenge(site, intent_id, fromPage)).body
  const verified = await client.siteverify(site, {
    response,
    intent_id,
    action: 'checkout',
    hostname: 'localhost',
    idempotency_key: randomBytes(24).toString('base64url'),
  })
  return String(verified.body['decision_id'])
}

/** What /intents answers to an intent with the exemption. */
async function spend(service: Service, site: Site, session: string, grant: string): Promise<number> {
  const fields = { hostname: 'localhost', session, trusted_grant_id: grant }
  return (await createTestClient(service.url).intent(site, fields)).status
}

test('a grant is revoked at once, and works again by undo', async ({ page, service, owner, site }) => {
  const [session, other] = [newSession(), newSession()]
  const grant = await give(service, site, session)
  const kept = await give(service, site, other)
  await page.goto(tenantUrl(service, owner, '/grants?state=any'))
  const row = page.getByRole('row').filter({ hasText: tail(grant) })
  await expect(row).toContainText('Active')
  expect(await spend(service, site, session, grant)).toBe(200)

  await button(row, `Revoke ${tail(grant)}`).click()
  await expect(row).toContainText('Revoked')
  expect(await spend(service, site, session, grant)).toBe(409)
  await button(page, /^Undo: Grant/).click()
  await expect(row).toContainText('Active')
  await expect(row).toContainText('1 of 3')
  expect(await spend(service, site, session, grant)).toBe(200)
  expect(await spend(service, site, other, kept)).toBe(200)
})

test('a grant is issued in the console, shown with what to do, and used by the backend', async ({
  page,
  service,
  owner,
  site,
}) => {
  await service.sql.query('update site set grant_max_ttl = 600, grant_max_uses = 3 where id = $1', [site.id])
  const session = newSession()
  const decision = await decide(service, site, { session })
  await page.goto(tenantUrl(service, owner, `/decisions/${decision}`))
  await button(page, 'Issue grant…').click()
  const form = page.getByRole('dialog', { name: 'Issue grant' })
  await expect(form.getByLabel('Lifetime in minutes')).toHaveValue('10')
  await form.getByLabel('Lifetime in minutes').fill('11')
  await form.getByLabel('Uses').fill('4')
  await button(form, 'Issue').click()
  await expect(form.getByRole('alert').first()).toHaveText('Enter a whole number from 1 to 10.')
  await expect(form.getByRole('alert').last()).toHaveText('Enter a whole number from 1 to 3.')
  await form.getByLabel('Lifetime in minutes').fill('5')
  await form.getByLabel('Uses').fill('2')
  await button(form, 'Issue').dblclick()

  const shown = page.getByRole('dialog', { name: 'Grant', exact: true })
  await expect(shown).toContainText('Your backend has to send this id as trusted_grant_id with its next POST /intents')
  await expect(shown).toContainText(`with the same session as this one (${session.slice(0, 8)}…)`)
  await expect(button(shown, 'Copy grant id')).toBeVisible()
  const { rows } = await service.sql.query('select id, ttl_asked, uses from captcha_grant where site_id = $1', [
    site.id,
  ])
  expect(rows).toEqual([{ id: expect.any(String), ttl_asked: 300, uses: 2 }])
  const grant = String(rows[0].id)
  await expect(shown).toContainText(grant)
  expect(await spend(service, site, newSession(), grant)).toBe(409)
  expect(await spend(service, site, session, grant)).toBe(200)
  await button(shown, 'Close').last().click()
  await expect(button(page, 'Show grant')).toBeFocused()

  await page.reload()
  await button(page, 'Show grant').click()
  await expect(shown).toContainText('1 of 2')
  await shown.getByRole('link', { name: 'Grants of this session' }).click()
  const row = page.getByRole('row').filter({ hasText: tail(grant) })
  await expect(row).toContainText('Active')
  await page.goto(tenantUrl(service, owner, '/audit'))
  await expect(page.getByRole('row').filter({ hasText: 'Grant issued' })).toContainText(`grant ${tail(grant)}`)
})

test('a grant that the backend issued meanwhile is kept, and the form says so', async ({
  page,
  service,
  owner,
  site,
}) => {
  const decision = await decide(service, site)
  await page.goto(tenantUrl(service, owner, `/decisions/${decision}`))
  await button(page, 'Issue grant…').click()
  const form = page.getByRole('dialog', { name: 'Issue grant' })
  await form.getByLabel('Uses').fill('2')
  const { body } = await createTestClient(service.url).asSite('/grants', site, { decision_id: decision })
  await button(form, 'Issue').click()
  await expect(form.getByRole('alert')).toContainText('This decision has already issued a grant')
  await expect(button(form, 'Issue')).toBeDisabled()
  await button(form, 'Cancel').click()
  await button(page, 'Show grant').click()
  const shown = page.getByRole('dialog', { name: 'Grant', exact: true })
  await expect(shown).toContainText(String(body['grant_id']))
  await expect(shown).toContainText('without a session, because this decision has none')
})

test('where no grant can be issued, the button says why', async ({ page, service, owner, site }) => {
  const session = newSession()
  const decision = await decide(service, site)
  const bare = await createTestClient(service.url).asSite('/grants', site, { decision_id: await decide(service, site) })
  const exempt = await useGrant(service, site, { trusted_grant_id: bare.body['grant_id'] })
  const renewing = await useGrant(service, site, {
    session,
    trusted_grant_id: await give(service, site, session),
  })
  const expectReason = async (of: string, reason: string | RegExp) => {
    await page.goto(tenantUrl(service, owner, `/decisions/${of}`))
    await expect(button(page, 'Issue grant…')).toBeDisabled()
    await expect(button(page, 'Issue grant…')).toHaveAccessibleDescription(reason)
  }
  await expectReason(exempt, /^The challenge of this decision was skipped/)
  await page.goto(tenantUrl(service, owner, `/decisions/${renewing}`))
  await button(page, 'Issue grant…').click()
  await button(page.getByRole('dialog', { name: 'Issue grant' }), 'Issue').click()
  await expect(page.getByRole('dialog', { name: 'Grant', exact: true })).toContainText('0 of 1')

  await service.sql.query('update site set grants_enabled = false where id = $1', [site.id])
  await expectReason(decision, /^Grants are off for this site/)
  await service.sql.query('update site set grants_enabled = true where id = $1', [site.id])
  await service.sql.query("update decision set redeemed_at = redeemed_at - interval '11 min' where site_id = $1", [
    site.id,
  ])
  await expectReason(decision, /for 10 minutes after its redemption/)
  await page.context().clearCookies()
  await signIn(page, service, await makeMember(service, owner, 'viewer'))
  await expectReason(decision, 'Needs Owner, Admin or Developer. You are Viewer.')
})

test('all grants of a session end together, found by its first digits, and come back together', async ({
  page,
  service,
  owner,
  site,
}) => {
  const session = newSession()
  const grants = [await give(service, site, session), await give(service, site, session)]
  const kept = await give(service, site, newSession())
  await page.goto(tenantUrl(service, owner, '/grants'))
  const table = page.getByRole('table', { name: 'Grants' })
  await expect(table.getByText('Active')).toHaveCount(3)
  await page.getByLabel('Session', { exact: true }).fill('not a session')
  await button(page, 'Find').click()
  await expect(page.getByRole('alert')).toContainText('at least the first 8 digits')
  await page.getByLabel('Session', { exact: true }).fill(session.slice(0, 8))
  await button(page, 'Find').click()
  await expect(page).toHaveURL(new RegExp(`session=%22${session.slice(0, 8)}|session=${session.slice(0, 8)}`))
  await expect(table.getByText('Active')).toHaveCount(2)

  await button(page, 'Revoke all of this session').click()
  await expect(table.getByText('Revoked')).toHaveCount(2)
  for (const grant of grants) expect(await spend(service, site, session, grant)).toBe(409)
  await button(page, /^Undo: 2 grants/).click()
  await expect(table.getByText('Active')).toHaveCount(2)
  for (const grant of grants) expect(await spend(service, site, session, grant)).toBe(200)
  await expect(table.getByText(tail(kept))).toHaveCount(0)

  await page.goto(`${tenantUrl(service, owner, '/grants')}?state=revoked`)
  await expect(page.getByText('No matches')).toBeVisible()
})

test('grants without a session and renewals are shown as what they are', async ({ page, service, owner, site }) => {
  const client = createTestClient(service.url)
  const bare = await client.asSite('/grants', site, { decision_id: await decide(service, site) })
  const session = newSession()
  const grant = await give(service, site, session)
  const exempt = await useGrant(service, site, { session, trusted_grant_id: grant })
  const renewed = await client.asSite('/grants', site, { decision_id: exempt })
  expect(renewed.status).toBe(200)

  await page.goto(tenantUrl(service, owner, '/grants'))
  const row = (id: unknown) => page.getByRole('row').filter({ hasText: tail(String(id)) })
  const without = row(bare.body['grant_id'])
  await expect(without.getByRole('cell', { name: 'none', exact: true })).toBeVisible()
  await expect(without).not.toContainText('renewal')
  await expect(row(renewed.body['grant_id'])).toContainText('renewal')
  await button(without, /^More for/).click()
  await expect(page.getByRole('menuitem', { name: 'Copy the grant’s id' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: /session/ })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await button(without, /^Revoke/).click()
  // only active grants are listed at first
  await expect(without).toHaveCount(0)
  await expect(row(renewed.body['grant_id'])).toContainText('Active')
  await page.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'Any state' }).click()
  await expect(without).toContainText('Revoked')
})

test.describe('for everybody', () => {
  // times take the most room with AM and PM
  test.use({ contextOptions: { reducedMotion: 'reduce' }, locale: 'en-US' })

  test('grants, their menu and one session can be used light and dark, wide and narrow', {
    tag: '@accessible',
  }, async ({ page, service, owner, site }) => {
    test.setTimeout(400_000)
    await page.goto(tenantUrl(service, owner, '/grants'))
    await expect(page.getByText('No active grants from this period')).toBeVisible()
    await expectAccessible(page)
    const session = newSession()
    await give(service, site, session)
    await page.goto(`${tenantUrl(service, owner, '/grants')}?session=${session}`)
    await expect(button(page, 'Revoke all of this session')).toBeVisible()
    await expectAccessible(page)
    const older = await give(service, site, newSession())
    await service.sql.query(
      `update captcha_grant set created_at = date_trunc('day', now()) - interval '61 minutes',
         expires_at = date_trunc('day', now()) - interval '1 minute' where id = $1`,
      [older],
    )
    await page.goto(tenantUrl(service, owner, '/grants?state=any'))
    await expect(page.getByRole('row')).toHaveCount(3)
    await expectAccessible(page)
    await button(page, /^More for/)
      .first()
      .click()
    await expect(page.getByRole('menuitem', { name: /^Revoke all/ })).toBeVisible()
    await expectAccessible(page)
  })

  test('issuing a grant can be done light and dark, wide and narrow', { tag: '@accessible' }, async ({
    page,
    service,
    owner,
    site,
  }) => {
    test.setTimeout(400_000)
    const decision = await decide(service, site)
    await page.goto(tenantUrl(service, owner, `/decisions/${decision}`))
    await button(page, 'Issue grant…').click()
    const form = page.getByRole('dialog', { name: 'Issue grant' })
    await form.getByLabel('Uses').fill('0')
    await button(form, 'Issue').click()
    await expect(form.getByRole('alert')).toBeVisible()
    await expectAccessible(page)
    await form.getByLabel('Uses').fill('1')
    await button(form, 'Issue').click()
    await expect(page.getByRole('dialog', { name: 'Grant', exact: true })).toBeVisible()
    await expectAccessible(page)
  })
})
