import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from '@playwright/test'
import { expectAccessible } from './setup/accessible.ts'
import {
  ageSignIn,
  confirmIdentity,
  consoleUrl,
  type Member,
  makeMember,
  moveToNewNetwork,
  openTenant,
  signIn,
} from './setup/member.ts'
import type { Service } from './setup/service.ts'
import { expect, test } from './setup/test.ts'

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const button = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name, exact: true })
const rowOf = (page: Page, { email }: Member) => page.getByRole('row', { name: new RegExp(email) })

const at = (service: Service, { slug }: Member, page: string) => `${consoleUrl(service)}/o/${slug}/${page}`

/** Somebody else's browser. */
async function openBrowser(browser: Browser, service: Service, member: Member): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await signIn(page, service, member)
  return page
}

/** Of the row of a member, one of the things that can be done. */
async function choose(page: Page, member: Member, item: string): Promise<void> {
  await rowOf(page, member).getByRole('button').last().click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Where the newest invitation to the address leads. */
async function invitationTo({ sql }: Service, email: string): Promise<string> {
  const { rows } = await sql.query<{ id: string }>(
    'select id from invitation where email = $1 order by created_at desc limit 1',
    [email],
  )
  return `invite/${rows[0]?.id}`
}

const call = (page: Page, service: Service, procedure: string, input: object) =>
  page.request.get(`${consoleUrl(service)}/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`)

test('who is invited joins with the role that was offered, once', async ({ page, browser, service }) => {
  const owner = await openTenant(service)
  const guest = await openTenant(service, 'Harbour')
  await signIn(page, service, owner)
  await page.goto(at(service, owner, 'members'))
  await expect(page.getByText('No open invitations')).toBeVisible()
  await button(page, 'Invite').click()
  const sheet = dialog(page, 'Invite to Pennywheel')
  await sheet.getByLabel('E-mail').fill('nobody')
  await button(sheet, 'Send invitation').click()
  await expect(sheet.getByRole('alert')).toContainText('Enter an e-mail address.')
  await sheet.getByLabel('E-mail').fill(guest.email)
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
  await theirs.goto(at(service, owner, 'members'))
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
}) => {
  const owner = await openTenant(service)
  await signIn(page, service, owner)
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
  await expect.poll(() => service.mailbox.linkTo(email, '/verify-email')).toBeDefined()
  await phone.goto(String(service.mailbox.linkTo(email, '/verify-email')))
  await button(phone, 'Confirm').click()
  await phone.getByRole('link', { name: 'Sign in' }).click()
  await expect(phone.getByLabel('E-mail')).toHaveValue(email)
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
}) => {
  const owner = await openTenant(service)
  const guest = await openTenant(service, 'Harbour')
  await service.sql.query('delete from member where user_id = $1', [guest.userId])
  await signIn(page, service, owner)
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

test('a revoked invitation opens nothing; its undo sends another', async ({ page, browser, service }) => {
  const owner = await openTenant(service)
  const guest = await openTenant(service, 'Harbour')
  await signIn(page, service, owner)
  await page.goto(at(service, owner, 'members?invite=true'))
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
  await expect(theirs.getByText('was revoked or has expired')).toBeVisible()

  await button(said, /^Undo/).click()
  await expect(rowOf(page, guest)).toContainText('Developer')
  expect(await invitationTo(service, guest.email)).not.toBe(first)
})

test('billing sees usage, and neither keys nor the audit', async ({ page, service }) => {
  const owner = await openTenant(service)
  const billing = await makeMember(service, owner, 'billing')
  await service.tollgate('balance', 'add', '--tenant', owner.tenantId, '--units', '2500', '--reason', 'Invoice 7')
  await signIn(page, service, billing)
  await page.goto(at(service, owner, 'usage'))
  const nav = page.getByRole('navigation', { name: 'Pages' })
  await expect(page.getByRole('region', { name: 'This month' })).toContainText('of 100,000 included')
  await expect(page.getByRole('row', { name: /Invoice 7/ })).toContainText('+2,500')
  await expect(page.getByRole('table', { name: 'Months' })).toContainText('100,000')
  await expect(nav.getByRole('link', { name: 'Usage' })).toBeVisible()
  for (const name of ['Audit log', 'Settings']) await expect(nav.getByRole('link', { name })).toBeHidden()
  expect((await call(page, service, 'secrets.list', { tenant: owner.slug, site: owner.tenantId })).status()).toBe(403)
  expect((await call(page, service, 'audit.list', { tenant: owner.slug })).status()).toBe(403)

  await page.goto(at(service, owner, 'members'))
  await expect(button(page, 'Invite')).toHaveAccessibleDescription('Needs Owner or Admin. You are Billing.')
  await expect(rowOf(page, owner).getByRole('button', { name: /^Actions/ })).toBeHidden()
})

test('a role is changed at once, for who signs in anew, and back by undo', async ({ page, browser, service }) => {
  const owner = await openTenant(service)
  const other = await makeMember(service, owner, 'viewer')
  const theirs = await openBrowser(browser, service, other)
  await signIn(page, service, owner)
  await page.goto(at(service, owner, 'members'))
  const mayRead = async () => (await call(theirs, service, 'audit.list', { tenant: owner.slug })).status()
  expect(await mayRead()).toBe(403)

  await choose(page, other, 'Change role…')
  const asking = dialog(page, /^Role of/)
  await expect(button(asking, 'Change role')).toHaveAccessibleDescription('They already have this role.')
  await asking.getByRole('radio', { name: /^Admin/ }).check()
  await button(asking, 'Change role').click()
  await expect(rowOf(page, other)).toContainText('Admin')
  expect(await mayRead()).toBe(401)
  await signIn(theirs, service, other)
  expect(await mayRead()).toBe(200)
  await button(page, /^Undo: .* is now Admin/).click()
  await expect(rowOf(page, other)).toContainText('Viewer')
  expect(await mayRead()).toBe(401)
  await signIn(theirs, service, other)
  expect(await mayRead()).toBe(403)

  await choose(page, other, 'Remove…')
  const consequences = dialog(page, /^Remove/)
  await expect(consequences).toContainText('Secret keys that they know keep working')
  await button(consequences, 'Remove').click()
  await expect(consequences).toBeHidden()
  await expect(rowOf(page, other)).toBeHidden()
  expect(await mayRead()).toBe(404)
})

test('an admin reaches no owner', async ({ page, service }) => {
  const owner = await openTenant(service)
  const admin = await makeMember(service, owner, 'admin')
  await signIn(page, service, admin)
  await page.goto(at(service, owner, 'members'))
  await rowOf(page, owner).getByRole('button').last().click()
  const item = page.getByRole('menuitem', { name: 'Change role…' })
  await expect(item).toHaveAttribute('aria-disabled', 'true')
  await expect(item).toContainText('Needs Owner. You are Admin.')
  await expect(page.getByRole('menuitem', { name: 'Transfer ownership…' })).toBeHidden()
  await page.keyboard.press('Escape')
  await button(page, 'Invite').click()
  await expect(dialog(page, /^Invite/).getByRole('radio', { name: /^Owner/ })).toBeDisabled()
})

test('the last owner cannot leave, until the ownership is transferred with a fresh sign-in', async ({
  page,
  service,
}) => {
  const owner = await openTenant(service)
  const heir = await makeMember(service, owner, 'developer')
  await signIn(page, service, owner)
  await page.goto(at(service, owner, 'members'))
  const leave = button(rowOf(page, owner), 'Leave')
  await expect(leave).toHaveAttribute('aria-disabled', 'true')
  await expect(leave).toHaveAccessibleDescription(/You are the last owner/)
  await leave.click({ force: true })
  await expect(dialog(page, /^Leave/)).toBeHidden()

  await ageSignIn(service, owner)
  await choose(page, heir, 'Transfer ownership…')
  const consequences = dialog(page, /^Transfer Pennywheel/)
  await expect(consequences).toContainText('You can’t undo this')
  await button(consequences, 'Transfer ownership').click()
  await confirmIdentity(page, owner)
  await expect(rowOf(page, heir)).toContainText('Owner')
  await expect(rowOf(page, owner)).toContainText('Admin')
  await expect(page.getByRole('link', { name: 'Settings' })).toBeHidden()

  await leave.click()
  await button(dialog(page, /^Leave/), 'Leave').click()
  await expect(page).toHaveURL(/\/welcome/)
  await page.goto(at(service, owner, 'members'))
  await expect(page.getByRole('table', { name: 'Members' })).toBeHidden()
})

test('the roles matrix says what the service enforces', async ({ page, service }) => {
  const owner = await openTenant(service)
  await signIn(page, service, owner)
  await page.goto(at(service, owner, 'members'))
  await page.getByRole('tab', { name: 'Roles' }).click()
  await expect(page).toHaveURL(/tab=roles/)
  const cells = page.getByRole('row', { name: 'Revoke secret keys' }).getByRole('cell')
  await expect(cells).toHaveText(['Yes', 'Yes', 'No', 'No', 'No'])
})

test('the audit finds what was changed, with its diff, all in the address; its CSV is what is shown', async ({
  page,
  service,
}) => {
  const owner = await openTenant(service)
  await signIn(page, service, owner)
  await page.goto(at(service, owner, 'settings'))
  await page.getByRole('textbox', { name: 'Name' }).fill('=Pennyfarthing')
  await button(page, 'Rename').click()
  await expect(dialog(page, /renamed to =Pennyfarthing/)).toBeVisible()

  await page.getByRole('link', { name: 'Audit log' }).click()
  await expect(page.getByRole('table', { name: 'Audit log' }).getByRole('row')).toHaveCount(3)
  await page.getByLabel('Search the audit log').fill(`actor:${owner.email} farthing`)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/q=actor/)
  await expect(page.getByRole('table', { name: 'Audit log' }).getByRole('row')).toHaveCount(2)

  const saving = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).click()
  const csv = await readFile(await (await saving).path(), 'utf8')
  // the export is an event of its own
  expect(csv.trim().split('\r\n')).toHaveLength(3)
  expect(csv).toContain('tenant.export')
  expect(csv).toContain('tenant.update')
  expect(csv).toContain(`'=Pennyfarthing`)

  await page.getByRole('link', { name: 'Tenant changed' }).click()
  await expect(page).toHaveURL(/q=actor.*event=/)
  await page.reload()
  const event = dialog(page, 'Tenant changed')
  await expect(event.locator('del')).toHaveText(/Before: Pennywheel/)
  await expect(event.locator('ins')).toHaveText(/After: =Pennyfarthing/)
  await expect(event.getByText('2 unchanged')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(event).toBeHidden()
  await expect(page).not.toHaveURL(/event=/)

  await page.getByLabel('Search the audit log').fill('no such thing')
  await button(page, 'Search').click()
  await button(page, 'Show all').click()
  await expect(page.getByRole('table', { name: 'Audit log' }).getByRole('row')).toHaveCount(4)
})

test('an event far down has an address; one of another tenant is none', async ({ page, service }) => {
  const owner = await openTenant(service)
  const stranger = await openTenant(service, 'Harbour')
  await signIn(page, service, owner)
  const eventOf = async ({ tenantId }: Member) =>
    (await service.sql.query<{ id: string }>('select id from audit_event where tenant_id = $1', [tenantId])).rows[0]?.id
  await page.goto(at(service, owner, `audit?q=nothing&event=${await eventOf(owner)}`))
  await expect(dialog(page, 'Tenant created')).toContainText('Pennywheel')
  await page.goto(at(service, owner, `audit?event=${await eventOf(stranger)}`))
  await expect(dialog(page, 'Event')).toContainText('There is no such event.')
})

test('the address is changed after its consequences and a fresh sign-in, and the page moves along', async ({
  page,
  service,
}) => {
  const owner = await openTenant(service)
  const taken = await openTenant(service, 'Harbour')
  await signIn(page, service, owner)
  await page.goto(at(service, owner, 'settings'))
  await ageSignIn(service, owner)
  const slug = `moved-${owner.tenantId.slice(-8)}`
  await page.getByLabel('Slug').fill('No Slug')
  await button(page, 'Change URL…').click()
  await expect(page.getByRole('alert')).toContainText('lower-case letters')
  await page.getByLabel('Slug').fill(taken.slug)
  await button(page, 'Change URL…').click()
  const asking = dialog(page, `Change the URL to /o/${taken.slug}?`)
  await expect(asking).toContainText('will stop working')
  await button(asking, 'Change URL').click()
  await confirmIdentity(page, owner)
  await expect(asking.getByRole('alert')).toContainText('is taken')
  await button(asking, 'Cancel').click()

  await page.getByLabel('Slug').fill(slug)
  await button(page, 'Change URL…').click()
  await button(dialog(page, `Change the URL to /o/${slug}?`), 'Change URL').click()
  await expect(page).toHaveURL(new RegExp(`/o/${slug}/settings`))
  await expect(page.getByLabel('Slug')).toHaveValue(slug)
  expect((await call(page, service, 'tenants.get', { tenant: owner.slug })).status()).toBe(404)
})

test('a name is changed, and back by undo, however late the corner of the toasts is there', async ({
  page,
  service,
}) => {
  const owner = await openTenant(service)
  await signIn(page, service, owner)
  const changed = page.waitForResponse((reply) => reply.url().includes('tenants.rename'))
  await page.route(/\/assets\/Toasts-.*\.js$/, async (route) => {
    await changed
    await route.continue()
  })
  await page.goto(at(service, owner, 'settings'))
  await expect(button(page, 'Rename')).toHaveAccessibleDescription('No changes to save.')
  await page.getByRole('textbox', { name: 'Name' }).fill('Pennyfarthing')
  await button(page, 'Rename').click()
  // the offer of an undo lasts ten seconds
  await button(page, /^Undo: .* renamed to Pennyfarthing/).click()
  await expect(dialog(page, /renamed to Pennywheel/)).toBeVisible()
  await expect(button(page, 'Tenant Pennywheel: switch')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Pennywheel')
})

test('a second factor is required only by who has one, and who has none is named first', async ({ page, service }) => {
  const owner = await openTenant(service)
  const other = await makeMember(service, owner, 'viewer')
  await signIn(page, service, owner)
  await page.goto(at(service, owner, 'settings'))
  const required = page.getByRole('switch', { name: 'Require it for all members' })
  await expect(required).toBeDisabled()
  await expect(page.getByText('Turn on two-factor authentication for your own account first')).toBeVisible()

  await service.sql.query('update "user" set two_factor_enabled = true where id = $1', [owner.userId])
  await page.reload()
  await required.click()
  const asking = dialog(page, 'Require two-factor authentication?')
  await expect(asking.getByRole('listitem')).toHaveText([other.email])
  await button(asking, 'Require it').click()
  await expect(required).toBeChecked()
})

test('a tenant is deleted only by typing its slug, with a fresh sign-in', async ({ page, service }) => {
  const owner = await openTenant(service)
  await signIn(page, service, owner)
  await page.goto(at(service, owner, 'settings'))
  await ageSignIn(service, owner)
  await button(page, 'Delete tenant…').click()
  const asking = dialog(page, 'Delete Pennywheel?')
  await asking.getByRole('textbox').fill('Pennywheel')
  await expect(button(asking, 'Delete tenant')).toHaveAttribute('aria-disabled', 'true')
  await asking.getByRole('textbox').fill(owner.slug)
  await button(asking, 'Delete tenant').click()
  await confirmIdentity(page, owner)
  await expect(page).toHaveURL(/\/welcome/)
  expect((await call(page, service, 'tenants.get', { tenant: owner.slug })).status()).toBe(404)
})

test.describe('for everybody', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  type Step = { open: (page: Page) => Promise<void>; shows: RegExp }

  const menu = (item: string) => async (page: Page) => {
    await button(page, /^Actions for/).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  const press = (name: string) => (page: Page) => button(page, name).first().click()

  /** The pages, and on each what opens a dialog, with its title. */
  const routes: Record<string, Step[]> = {
    usage: [],
    members: [
      { open: press('Invite'), shows: /^Invite to/ },
      { open: menu('Change role…'), shows: /^Role of/ },
      { open: menu('Transfer ownership…'), shows: /^Transfer/ },
      { open: menu('Remove…'), shows: /^Remove/ },
    ],
    'members?tab=roles': [],
    audit: [{ open: (page) => page.getByRole('link', { name: 'Tenant created' }).click(), shows: /Tenant created/ }],
    'audit?q=nothing': [],
    settings: [{ open: press('Delete tenant…'), shows: /^Delete/ }],
  }

  for (const [route, dialogs] of Object.entries(routes)) {
    test(`/o/$/${route} can be used, light and dark, wide and narrow, with dialogs open`, async ({ page, service }) => {
      test.setTimeout(400_000)
      const owner = await openTenant(service)
      await makeMember(service, owner, 'developer')
      await service.tollgate('balance', 'add', '--tenant', owner.tenantId, '--units', '2500', '--reason', 'Invoice 7')
      await signIn(page, service, owner)
      await page.goto(at(service, owner, route))
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      await expectAccessible(page)
      for (const { open, shows } of dialogs) {
        await open(page)
        await expect(dialog(page, shows)).toBeVisible()
        await expectAccessible(page)
        await page.keyboard.press('Escape')
        await expect(dialog(page, shows)).toBeHidden()
      }
    })
  }
})
