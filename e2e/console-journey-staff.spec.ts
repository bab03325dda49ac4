import { newId } from '../server/kit/ids.ts'
import { consoleUrl, makeMember, openTenant, signIn } from './setup/member.ts'
import { openStaff } from './setup/staff.ts'
import { expect, test } from './setup/test.ts'

test('a lead approves what another lead asked for, and not what they asked for themselves', async ({
  page,
  service,
}) => {
  const tenant = await openTenant(service)
  const { userId } = await openStaff(page, service, 'lead')
  const ask = (askedBy: string, units: number) =>
    service.sql.query(
      `insert into unit_request (id, tenant_id, kind, units, reason, asked_by)
       values ($1, $2, 'balance', $3, 'A large sale', $4)`,
      [newId(), tenant.tenantId, units, askedBy],
    )
  await ask(tenant.userId, 2_000_000)
  await ask(userId, 3_000_000)
  await page.goto(`${consoleUrl(service)}/staff/approvals`)
  await expect(page.getByRole('button', { name: /^Approve: Add 3,000,000/ })).toBeDisabled()
  await page.getByRole('button', { name: /^Approve: Add 2,000,000/ }).click()
  await page.getByRole('dialog', { name: 'Approve this request?' }).getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('Approved: Pennywheel has 2,000,000 units now')).toBeVisible()
  const { rows } = await service.sql.query('select units::int from balance where tenant_id = $1', [tenant.tenantId])
  expect(rows).toEqual([{ units: 2_000_000 }])
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
  await page.goto(`${consoleUrl(service)}/staff/erasure`)
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
