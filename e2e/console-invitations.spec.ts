import { randomUUID } from 'node:crypto'
import { consoleUrl, mailed, moveToNewNetwork, openBrowser, openTenant, signIn, tenantUrl } from './setup/member.ts'
import { button, dialog, expectErrorAt, rowOf } from './setup/page.ts'
import type { Service } from './setup/service.ts'
import { expect, test } from './setup/test.ts'

/** Where the newest invitation to the address leads. */
async function invitationTo({ sql }: Service, email: string): Promise<string> {
  const { rows } = await sql.query<{ id: string }>(
    'select id from invitation where email = $1 order by created_at desc limit 1',
    [email],
  )
  return `invite/${rows[0]?.id}`
}

test('who is invited joins with the role that was offered, once', async ({ page, browser, service, owner }) => {
  const guest = await openTenant(service, 'Harbour')
  await page.goto(tenantUrl(service, owner, '/members'))
  await expect(page.getByText('No open invitations')).toBeVisible()
  await button(page, 'Invite').click()
  const sheet = dialog(page, 'Invite to Pennywheel')
  await sheet.getByLabel('E-mail').fill('nobody')
  await button(sheet, 'Send invitation').click()
  await expect(sheet.getByRole('alert')).toContainText('Enter an e-mail address.')
  await sheet.getByLabel('E-mail').fill(owner.email)
  await button(sheet, 'Send invitation').click()
  await expectErrorAt(sheet, 'E-mail', `${owner.email} is already a member.`)
  await sheet.getByLabel('E-mail').fill(guest.email)
  await expect(sheet.getByRole('alert')).toHaveCount(0)
  await sheet.getByRole('radio', { name: /^Billing/ }).check()
  await button(sheet, 'Send invitation').click()
  await expect(sheet).toBeHidden()
  await expect(rowOf(page, guest)).toContainText('Billing')

  const link = `${consoleUrl(service)}/${await invitationTo(service, guest.email)}`
  const theirs = await openBrowser(browser, service, guest)
  await theirs.goto(link)
  await expect(theirs.getByText('as billing')).toBeVisible()
  await button(theirs, 'Join Pennywheel').click()
  await expect(theirs).toHaveURL(new RegExp(`/o/${owner.slug}`))
  await theirs.goto(tenantUrl(service, owner, '/members'))
  await expect(rowOf(theirs, guest)).toContainText('Billing')
  await expect(rowOf(theirs, guest)).toContainText('You')
  await theirs.goto(link)
  await expect(theirs.getByText('has already been used')).toBeVisible()

  await page.reload()
  await expect(page.getByText('No open invitations')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Members' }).getByText(guest.email)).toBeVisible()
})

test('an invitation survives signing up: it is readable signed out, and is where the confirmed address leads', async ({
  page,
  browser,
  service,
  owner,
}) => {
  const [email, password] = [`new.${randomUUID().slice(0, 8)}@people.example`, 'correct horse battery']
  const headers = { origin: consoleUrl(service) }
  const data = { tenant: owner.slug, email, role: 'developer' }
  expect((await page.request.post(`${consoleUrl(service)}/trpc/members.invite`, { data, headers })).status()).toBe(200)

  const theirs = await (await browser.newContext()).newPage()
  await moveToNewNetwork(theirs)
  await theirs.goto(`${consoleUrl(service)}/${await invitationTo(service, email)}`)
  await expect(theirs.getByText('Pat Person invites you to Pennywheel as developer')).toBeVisible()
  await theirs.getByRole('link', { name: 'Create an account' }).click()
  await expect(theirs.getByLabel('E-mail')).toHaveValue(email)
  await expect(theirs.getByLabel('E-mail')).not.toBeEditable()
  await theirs.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
  await theirs.getByLabel('Password', { exact: true }).fill(password)
  await button(theirs, 'Create account').click()
  await expect(theirs.getByText(`We sent a link to ${email}`)).toBeVisible()

  // the link is opened in another browser, which knows nothing of the invitation
  const phone = await (await browser.newContext()).newPage()
  await moveToNewNetwork(phone)
  await phone.goto(await mailed(service, email, '/verify-email'))
  await button(phone, 'Confirm').click()
  await phone.getByRole('link', { name: 'Sign in' }).click()
  await expect(phone.getByLabel('E-mail')).toHaveValue(email)
  await expect(phone.getByLabel('Password', { exact: true })).toBeFocused()
  await phone.getByLabel('Password', { exact: true }).fill(password)
  await button(phone, 'Sign in').click()
  await button(phone, 'Join Pennywheel').click()
  await expect(phone).toHaveURL(new RegExp(`/o/${owner.slug}`))
  const { rows } = await service.sql.query(
    'select count(*)::int as tenants from member m join "user" u on u.id = m.user_id where u.email = $1',
    [email],
  )
  expect(rows).toEqual([{ tenants: 1 }])
})

test('who is invited and signs up by another way finds the invitation above the form for a tenant', async ({
  page,
  service,
  owner,
}) => {
  const guest = await openTenant(service, 'Harbour')
  await service.sql.query('delete from member where user_id = $1', [guest.userId])
  const data = { tenant: owner.slug, email: guest.email, role: 'viewer' }
  const headers = { origin: consoleUrl(service) }
  await page.request.post(`${consoleUrl(service)}/trpc/members.invite`, { data, headers })
  await page.context().clearCookies()
  await signIn(page, service, guest)
  await page.goto(consoleUrl(service))
  await page.getByRole('link', { name: 'See the invitation' }).click()
  await button(page, 'Join Pennywheel').click()
  await expect(page).toHaveURL(new RegExp(`/o/${owner.slug}`))
})

test('a revoked invitation opens nothing; its undo sends another', async ({ page, browser, service, owner }) => {
  const guest = await openTenant(service, 'Harbour')
  await page.goto(tenantUrl(service, owner, '/members?invite=true'))
  const sheet = dialog(page, 'Invite to Pennywheel')
  await sheet.getByLabel('E-mail').fill(guest.email)
  await button(sheet, 'Send invitation').click()
  const first = await expect
    .poll(() => invitationTo(service, guest.email))
    .not.toContain('undefined')
    .then(() => invitationTo(service, guest.email))
  await button(page, `Revoke the invitation for ${guest.email}`).click()
  const said = dialog(page, `Invitation for ${guest.email} revoked`)
  await expect(page.getByText('No open invitations')).toBeVisible()
  const theirs = await openBrowser(browser, service, guest)
  await theirs.goto(`${consoleUrl(service)}/${first}`)
  await expect(theirs.getByText('It was revoked, or a newer one was sent. Ask Pat Person for a new one.')).toBeVisible()

  await button(said, /^Undo/).click()
  await expect(rowOf(page, guest)).toContainText('Developer')
  expect(await invitationTo(service, guest.email)).not.toBe(first)
})
