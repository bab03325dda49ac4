import { randomUUID } from 'node:crypto'
import { createTestClient } from '../test/support/client.ts'
import { expectAccessible } from './setup/accessible.ts'
import { decide, tail } from './setup/decided.ts'
import { makeMember, signIn, tenantUrl } from './setup/member.ts'
import { button } from './setup/page.ts'
import type { Service } from './setup/service.ts'
import type { Site } from './setup/site.ts'
import { expect, test } from './setup/test.ts'

type Reported = { outcome?: string; type?: string; supersedes?: string }

/** Reports a decision; the event's id. */
async function report(service: Service, site: Site, decision: string, fields: Reported = {}): Promise<string> {
  const { outcome = 'confirmed_abuse', type = 'chargeback', supersedes } = fields
  const event = randomUUID()
  const { status } = await createTestClient(service.url).asSite('/feedback', site, {
    decision_id: decision,
    event_id: event,
    outcome,
    business_type: type,
    occurred_at: Math.floor(Date.now() / 1000),
    ...(supersedes && { supersedes_event_id: supersedes }),
  })
  expect(status).toBe(200)
  return event
}

test('a correction takes the place of what it corrects, and the history keeps both', async ({
  page,
  service,
  owner,
  site,
}) => {
  const [one, two] = [await decide(service, site), await decide(service, site, { action: 'login' })]
  await report(service, site, two, { type: 'account_takeover' })
  const first = await report(service, site, one)
  await report(service, site, one, { outcome: 'legitimate', type: 'customer_called', supersedes: first })

  const rates = page.getByRole('table', { name: 'By action' })
  await expect(async () => {
    await page.goto(tenantUrl(service, owner, '/feedback'))
    // counted about a second behind
    await expect(rates.getByRole('row', { name: /^login/ })).toContainText('100%', { timeout: 2000 })
    await expect(rates.getByRole('row', { name: /^checkout/ })).toContainText('0%', { timeout: 2000 })
  }).toPass()
  await expect(page.getByText('50% of 2 completed verifications were confirmed abuse', { exact: false })).toBeVisible()
  const reports = page.getByRole('table', { name: 'Reports' })
  await expect(reports.getByRole('row')).toHaveCount(3)

  await rates.getByRole('link', { name: 'login' }).click()
  await expect(page).toHaveURL(/action=login/)
  await expect(reports.getByRole('row')).toHaveCount(2)
  await button(page, 'Clear').click()
  await page.getByRole('combobox', { name: 'Business type' }).click()
  await expect(page.getByRole('option', { name: 'Chargeback' })).toHaveCount(0)
  await page.getByRole('option', { name: 'Customer called' }).click()
  await expect(page).toHaveURL(/type=customer_called/)
  await expect(reports.getByRole('row')).toHaveCount(2)
  await page.reload()
  await expect(reports.getByRole('row')).toHaveCount(2)
  await expect(reports.getByRole('row', { name: new RegExp(tail(one)) })).toContainText('Legitimate')

  await reports.getByRole('link', { name: `corrected history of ${tail(one)}` }).click()
  const history = page.getByRole('dialog', { name: 'Feedback history' })
  await expect(history.getByRole('listitem', { name: 'Revision 2' })).toContainText('replaces revision 1')
  const past = history.getByRole('listitem', { name: 'Revision 1' })
  await expect(past).toContainText('Replaced by revision 2')
  await expect(past).toContainText('Confirmed abuse')
  await expect(past).toContainText(tail(first))
  await history.getByRole('link', { name: 'Open the decision' }).click()
  await expect(page).toHaveURL(new RegExp(`/decisions/${one}$`))
})

test('a decision is reported in the console and corrected from its history, and both are audited', async ({
  page,
  service,
  owner,
  site,
}) => {
  const decision = await decide(service, site)
  await page.goto(tenantUrl(service, owner, `/decisions/${decision}`))
  await button(page, 'Report feedback…').click()
  const form = page.getByRole('dialog', { name: 'Report feedback' })
  await button(form, 'Report').click()
  await expect(form.getByRole('alert').filter({ hasText: 'Choose an outcome.' })).toBeVisible()
  await form.getByRole('radio', { name: /^Confirmed abuse/ }).check()
  await form.getByLabel('Business type').fill('manual review')
  await button(form, 'Report').click()
  await expect(form.getByRole('alert')).toContainText('Use 1 to 64 letters')
  await form.getByLabel('Business type').fill('manual_review')
  await button(form, 'Report').click()
  await expect(form).toBeHidden()
  const timeline = page.getByRole('list', { name: 'Timeline' })
  await expect(timeline.getByRole('listitem').filter({ hasText: 'Feedback received' })).toContainText(
    'Manual review, occurred',
  )

  await button(page, 'Correct feedback…').click()
  const correction = page.getByRole('dialog', { name: 'Correct feedback' })
  await expect(correction).toContainText('Replaces revision 1: Confirmed abuse, Manual review.')
  await expect(correction.getByRole('radio', { name: /^Confirmed abuse/ })).toBeChecked()
  await correction.getByRole('radio', { name: /^Legitimate/ }).check()
  await correction.getByLabel('Business type').fill('customer_called')
  await button(correction, 'Send as revision 2').click()
  await expect(correction).toBeHidden()
  await page.goto(tenantUrl(service, owner, '/feedback'))
  await page.getByRole('link', { name: `corrected history of ${tail(decision)}` }).click()
  const history = page.getByRole('dialog', { name: 'Feedback history' })
  await expect(history.getByRole('listitem', { name: 'Revision 2' })).toContainText('replaces revision 1')
  await expect(history.getByRole('listitem', { name: 'Revision 1' })).toContainText('Replaced by revision 2')
  await expect(button(history, 'Correct feedback…')).toBeVisible()

  const { rows } = await service.sql.query(
    'select actor_type, actor_id, action from audit_event where tenant_id = $1 and target = $2 order by created_at, id',
    [owner.tenantId, decision],
  )
  const actor = { actor_type: 'user', actor_id: owner.userId }
  expect(rows).toEqual([
    { ...actor, action: 'feedback.report' },
    { ...actor, action: 'feedback.correct' },
  ])
})

test('a correction that another one preceded is refused, shows the newer one, and can be sent after it', async ({
  page,
  service,
  owner,
  site,
}) => {
  const decision = await decide(service, site)
  const first = await report(service, site, decision)
  await page.goto(tenantUrl(service, owner, `/decisions/${decision}`))
  await button(page, 'Correct feedback…').click()
  const form = page.getByRole('dialog', { name: 'Correct feedback' })
  await form.getByRole('radio', { name: /^Unknown/ }).check()
  await report(service, site, decision, { outcome: 'legitimate', type: 'customer_called', supersedes: first })
  await button(form, 'Send as revision 2').click()
  await expect(form.getByRole('alert')).toContainText('Someone reported on this decision in the meantime.')
  await expect(form).toContainText('Replaces revision 2: Legitimate, Customer called.')
  // what was chosen is kept
  await expect(form.getByRole('radio', { name: /^Unknown/ })).toBeChecked()
  await button(form, 'Send as revision 3').click()
  await expect(form).toBeHidden()
  await expect(page.getByRole('list', { name: 'Timeline' })).toContainText('Feedback corrected, revision 3')
})

test('feedback is closed after 7 days and for a viewer, and the button says why', async ({
  page,
  service,
  owner,
  site,
}) => {
  const decision = await decide(service, site)
  await service.sql.query("update decision set redeemed_at = redeemed_at - interval '8 days' where site_id = $1", [
    site.id,
  ])
  await page.goto(tenantUrl(service, owner, `/decisions/${decision}`))
  await expect(button(page, 'Report feedback…')).toBeDisabled()
  await expect(button(page, 'Report feedback…')).toHaveAccessibleDescription(/more than 7 days ago/)

  await page.context().clearCookies()
  await signIn(page, service, await makeMember(service, owner, 'viewer'))
  await page.goto(tenantUrl(service, owner, `/decisions/${decision}`))
  await expect(button(page, 'Report feedback…')).toHaveAccessibleDescription(
    'Needs Owner, Admin or Developer. You are Viewer.',
  )
})

test.describe('for everybody', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('feedback and a history can be used light and dark, wide and narrow', { tag: '@accessible' }, async ({
    page,
    service,
    owner,
    site,
  }) => {
    test.setTimeout(400_000)
    await page.goto(`${tenantUrl(service, owner, '/feedback')}?period=24h`)
    await expect(page.getByText('No reports in this period')).toBeVisible()
    await expectAccessible(page)
    const decision = await decide(service, site)
    const first = await report(service, site, decision)
    await report(service, site, decision, { outcome: 'unknown', supersedes: first })
    await expect(async () => {
      await page.reload()
      await expect(page.getByRole('table', { name: 'By action' })).toBeVisible({ timeout: 2000 })
    }).toPass()
    await page.getByText('View as table').click()
    await expectAccessible(page)
    await page.getByRole('link', { name: /^corrected history of/ }).click()
    await expect(page.getByRole('listitem', { name: 'Revision 1' })).toBeVisible()
    await expectAccessible(page)
    await button(page, 'Correct feedback…').click()
    await expect(page.getByRole('dialog', { name: 'Correct feedback' })).toBeVisible()
    await expectAccessible(page)
  })
})
