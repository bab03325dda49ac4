import { createHash } from 'node:crypto'
import { createTestClient } from '../test/support/client.ts'
import { expectAccessible } from './setup/accessible.ts'
import { consoleUrl, makeMember, openTenant, signIn, tenantUrl } from './setup/member.ts'
import { makeSite } from './setup/site.ts'
import { openStaff, staffUrl } from './setup/staff.ts'
import { expect, test } from './setup/test.ts'

test('support gets from a visitor’s reference to the cause, sees what the merchant sees, and helps within its limit', async ({
  page,
  service,
}) => {
  const owner = await openTenant(service)
  const site = await makeSite(service, owner)
  const refused = await createTestClient(service.url).intent(site, { hostname: 'www.localhost' })
  const request = refused.headers.get('x-request-id') ?? ''
  await openStaff(page, service, 'support')
  // the page looks again while the refusal is not stored yet
  await page.goto(`${consoleUrl(service)}/r/${request.slice(-8)}`)
  await page.getByRole('link', { name: 'Open the trace' }).click()
  await expect(page.getByText('422 bad-request')).toBeVisible()
  await page.getByLabel('New note').fill('They moved to www, ticket 4711')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByRole('region', { name: 'Notes' })).toContainText('They moved to www')

  await page.getByRole('link', { name: 'Pennywheel' }).click()
  await page.getByRole('button', { name: 'View as…' }).click()
  const viewAs = page.getByRole('dialog', { name: 'View as Pennywheel' })
  await viewAs.getByLabel('Reason').fill('Ticket 4711')
  await viewAs.getByRole('button', { name: 'View as', exact: true }).click()
  await page.getByRole('complementary').getByRole('link', { name: 'Decisions' }).click()
  await page.getByRole('link', { name: 'Refusals', exact: true }).click()
  await expect(page.getByText('The hostname is not one of the site’s hostnames').first()).toBeVisible()
  await page.getByRole('button', { name: 'End now' }).click()

  await page.getByRole('button', { name: 'Top up…' }).click()
  const balance = page.getByRole('dialog', { name: 'Balance of Pennywheel' })
  await balance.getByLabel('Units to add').fill('200,000')
  await balance.getByLabel('Reason').fill('Ticket 4711')
  await balance.getByRole('button', { name: 'Add units' }).click()
  await expect(balance.getByRole('alert')).toContainText(
    'at most 100,000 units at once, and give at most as many to all tenants in 24 hours. Ask a lead',
  )
  await balance.getByLabel('Units to add').fill('500')
  await balance.getByRole('button', { name: 'Add units' }).click()
  await expect(page.getByText('The balance of Pennywheel is 500')).toBeVisible()
})

test('a large top-up by a lead waits until another lead approves it, and is seen in the tenant’s usage', async ({
  page,
  browser,
  service,
}) => {
  const owner = await openTenant(service)
  await openStaff(page, service, 'lead')
  await page.goto(staffUrl(service, `/tenants/${owner.tenantId}`))
  await page.getByRole('button', { name: 'Top up…' }).click()
  const balance = page.getByRole('dialog', { name: 'Balance of Pennywheel' })
  await balance.getByLabel('Units to add').fill('12,000,000')
  await balance.getByLabel('Reason').fill('Contract 7')
  await balance.getByRole('button', { name: 'Add units' }).click()
  await expect(page.getByText('Waiting for approval')).toBeVisible()

  const own = page.getByRole('row', { name: /Contract 7/ })
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Approvals' }).click()
  await expect(
    page.getByText('Changes of more than 10,000,000 units, at once or by one lead in 24 hours.'),
  ).toBeVisible()
  await expect(own.getByRole('button', { name: /^Approve/ })).toHaveAccessibleDescription(/Another lead has to approve/)

  const other = await (await browser.newContext()).newPage()
  await openStaff(other, service, 'lead')
  await other.goto(staffUrl(service, '/approvals'))
  await other
    .getByRole('row', { name: /Contract 7/ })
    .getByRole('button', { name: /^Approve/ })
    .click()
  const question = other.getByRole('dialog', { name: 'Approve this request?' })
  await expect(question).toContainText('Pennywheel: Add 12,000,000 prepaid units; the balance is 0.')
  await question.getByRole('button', { name: 'Approve' }).click()
  await expect(other.getByText('Approved: Pennywheel has 12,000,000 units now')).toBeVisible()
  await other.context().close()

  await signIn(page, service, owner)
  await page.goto(tenantUrl(service, owner, '/usage'))
  await expect(page.getByRole('row', { name: /Contract 7/ })).toContainText('+12,000,000')
})

test('a tenant asks for units, support approves them with another number, and the tenant sees the answer', {
  tag: '@accessible',
}, async ({ page, browser, service }) => {
  const owner = await openTenant(service, 'Pennywheel', 10_000)
  await signIn(page, service, owner)
  await page.goto(tenantUrl(service, owner, '/usage'))
  await page.getByRole('button', { name: 'Request more' }).click()
  const asking = page.getByRole('dialog', { name: 'Request more units' })
  await asking.getByLabel('Units a month').fill('500,000')
  await asking.getByLabel('What for').fill('Christmas sale')
  await asking.getByRole('button', { name: 'Send request' }).click()
  const own = page.getByRole('region', { name: 'Your request for units' })
  await expect(own).toContainText('Requested 500,000 units a month')
  await expect(own).toContainText('Waiting')
  await page.getByRole('button', { name: 'Change request' }).click()
  const changing = page.getByRole('dialog', { name: 'Change your request' })
  await expect(changing.getByLabel('What for')).toHaveValue('Christmas sale')
  await changing.getByLabel('Units a month').fill('50,000')
  await changing.getByRole('button', { name: 'Change request' }).click()
  await expect(own).toContainText('Requested 50,000 units a month')
  await expectAccessible(page, [1280])

  const desk = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  await openStaff(desk, service, 'support')
  await desk.goto(staffUrl(service, `/tenants/${owner.tenantId}`))
  await expect(desk.getByRole('region', { name: 'Asks for 50,000 units a month' })).toContainText('Christmas sale')
  await expect(desk.locator('main .bg-brand').and(desk.getByRole('button'))).toHaveText(['Approve…'])
  await desk.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Approvals' }).click()
  const row = desk
    .getByRole('table', { name: 'Requests of tenants' })
    .getByRole('row')
    .filter({ has: desk.locator(`a[href$="${owner.tenantId}"]`) })
  await row.getByRole('link', { name: 'Top up instead…' }).click()
  const balance = desk.getByRole('dialog', { name: 'Balance of Pennywheel' })
  await expect(balance.getByLabel('Units to add')).toHaveValue('40000')
  await expect(balance).toContainText('Their request still waits for an answer.')
  await expectAccessible(desk, [1280])
  await balance.getByRole('button', { name: 'Cancel' }).click()
  await expect(desk).toHaveURL(staffUrl(service, `/tenants/${owner.tenantId}`))
  await desk.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Approvals' }).click()
  await row.getByRole('button', { name: 'Approve the request of Pennywheel' }).click()
  const answering = desk.getByRole('dialog', { name: 'Approve the request of Pennywheel' })
  await expect(answering.getByLabel('Units a month')).toHaveValue('50000')
  await expect(answering.getByRole('figure', { name: 'What for' })).toContainText('Christmas sale')
  const answer = answering.getByLabel('Reason')
  await expect(answer).toHaveValue('Approved as requested')
  await expectAccessible(desk, [1280])
  await answering.getByLabel('Units a month').fill('40,000')
  await expect(answer).toHaveValue('Approved: 40,000 units a month')
  await answer.fill('As much as the plan allows')
  await answering.getByRole('button', { name: 'Approve' }).click()
  await expect(desk.getByText('Approved: Pennywheel has 40,000 units a month')).toBeVisible()
  await expect(row).toContainText('Approved 40,000')
  await expect(row).not.toContainText('→')
  await expectAccessible(desk, [1280])
  await desk.context().close()

  await page.reload()
  await expect(own).toContainText('Approved')
  await expect(own).toContainText('40,000 units a month. “As much as the plan allows”')
  await expect(page.getByText(/of 40,000 in /)).toBeVisible()
  await page.goto(tenantUrl(service, owner, '/audit'))
  await expect(page.getByRole('table').getByText('Units approved')).toBeVisible()
})

test('a lead erases a visitor by the hash that the tenant names', async ({ page, service }) => {
  const owner = await openTenant(service)
  const site = await makeSite(service, owner)
  const session = createHash('sha256').update(owner.tenantId).digest('hex')
  await createTestClient(service.url).intent(site, { hostname: 'localhost', session })
  await openStaff(page, service, 'lead')
  await page.goto(staffUrl(service, '/erasure'))
  const visitor = page.getByRole('region', { name: 'A visitor of a tenant' })
  await visitor.getByRole('textbox', { name: 'Tenant' }).fill(owner.slug)
  await visitor.getByLabel('Hash').fill(session)
  await visitor.getByRole('button', { name: 'Erase…' }).click()
  const question = page.getByRole('dialog', { name: 'Erase this visitor?' })
  await question.getByRole('textbox').fill(owner.slug)
  await question.getByRole('button', { name: 'Erase' }).click()
  await expect(page.getByText('1 intent, 0 grants, 0 decisions.')).toBeVisible()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Audit log' }).click()
  await expect(page.getByRole('link', { name: 'Visitor erased' }).first()).toBeVisible()
})

test('a lead exports a person and erases the account, and the person sees their own activity before', async ({
  page,
  browser,
  service,
}) => {
  const tenant = await openTenant(service)
  const viewer = await makeMember(service, tenant, 'viewer')
  const theirs = await browser.newPage()
  await signIn(theirs, service, viewer)
  await theirs.goto(`${consoleUrl(service)}/account`)
  await expect(theirs.getByRole('table', { name: 'Recent activity' }).getByRole('row')).toHaveCount(2)
  await theirs.close()

  await openStaff(page, service, 'lead')
  await page.goto(staffUrl(service, '/erasure'))
  const person = page.getByRole('region', { name: 'A person with an account' })
  await person.getByLabel('E-mail address').fill(viewer.email)
  const download = page.waitForEvent('download')
  await person.getByRole('button', { name: 'Export' }).click()
  expect((await download).suggestedFilename()).toBe(`${viewer.email}.json`)
  await person.getByRole('button', { name: 'Erase…' }).click()
  const question = page.getByRole('dialog')
  await question.getByRole('textbox').fill(viewer.email)
  await question.getByRole('button', { name: /^Erase/ }).click()
  await expect(page.getByText('Account deleted')).toBeVisible()
  const { rowCount } = await service.sql.query('select 1 from "user" where id = $1', [viewer.userId])
  expect(rowCount).toBe(0)
})
