import type { Page } from '@playwright/test'
import { expectAccessible } from './setup/accessible.ts'
import {
  ageSignIn,
  confirmIdentity,
  consoleUrl,
  type Member,
  makeMember,
  openBrowser,
  openTenant,
  signIn,
  tenantUrl,
} from './setup/member.ts'
import { button, dialog, heading, rowOf } from './setup/page.ts'
import type { Service } from './setup/service.ts'
import { expect, test } from './setup/test.ts'

/** Of the row of a member, one of the things that can be done. */
async function choose(page: Page, member: Member, item: string): Promise<void> {
  await rowOf(page, member).getByRole('button').last().click()
  await page.getByRole('menuitem', { name: item }).click()
}

const call = (page: Page, service: Service, procedure: string, input: object) =>
  page.request.get(`${consoleUrl(service)}/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`)

test('billing sees usage, and neither keys nor the audit', async ({ page, service }) => {
  const owner = await openTenant(service)
  const billing = await makeMember(service, owner, 'billing')
  await service.tollgate('balance', 'add', '--tenant', owner.tenantId, '--units', '2500', '--reason', 'Invoice 7')
  await signIn(page, service, billing)
  await page.goto(tenantUrl(service, owner, '/usage'))
  const nav = page.getByRole('navigation', { name: 'Pages' })
  await expect(page.getByRole('region', { name: 'This month' })).toContainText('of 100,000 in ')
  await expect(page.getByRole('row', { name: /Invoice 7/ })).toContainText('+2,500')
  await expect(nav.getByRole('link', { name: 'Usage' })).toBeVisible()
  for (const name of ['Decisions', 'Settings']) await expect(nav.getByRole('link', { name })).toBeHidden()

  await page.goto(tenantUrl(service, owner, '/members'))
  await expect(page.getByRole('link', { name: 'Audit log' })).toHaveCount(0)
  await expect(button(page, 'Invite')).toHaveAccessibleDescription('Needs Owner or Admin. You are Billing.')
  await expect(rowOf(page, owner).getByRole('button', { name: /^Actions/ })).toBeHidden()
})

test('a role is changed at once, for who signs in anew, and back by undo', async ({
  page,
  browser,
  service,
  owner,
}) => {
  const other = await makeMember(service, owner, 'viewer')
  const theirs = await openBrowser(browser, service, other)
  await page.goto(tenantUrl(service, owner, '/members'))
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
  await page.goto(tenantUrl(service, owner, '/members'))
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
  owner,
}) => {
  const heir = await makeMember(service, owner, 'developer')
  await page.goto(tenantUrl(service, owner, '/members'))
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
  await leave.click()
  await button(dialog(page, /^Leave/), 'Leave').click()
  await expect(page).toHaveURL(/\/welcome/)
  await page.goto(tenantUrl(service, owner, '/members'))
  await expect(page.getByRole('table', { name: 'Members' })).toBeHidden()
})

test('the roles matrix says what the service enforces', async ({ page, service, owner }) => {
  await page.goto(tenantUrl(service, owner, '/members'))
  const tabs = page.getByRole('navigation', { name: 'Team' }).getByRole('link')
  await expect(tabs).toHaveText(['Members', 'Audit log'])
  await button(page, 'Invite').click()
  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'What each role may do' }).click()
  const roles = await opened
  await expect(heading(roles, 'Roles')).toBeVisible()
  await expect(roles.getByRole('navigation', { name: 'Team' }).locator('[aria-current=page]')).toHaveText(['Members'])
  const cells = roles.getByRole('row', { name: 'Revoke secret keys' }).getByRole('cell')
  await expect(cells).toHaveText(['Yes', 'Yes', 'No', 'No', 'No'])
})

test('the address is changed after its consequences and a fresh sign-in, and the page moves along', async ({
  page,
  service,
  owner,
}) => {
  const taken = await openTenant(service, 'Harbour')
  await page.goto(tenantUrl(service, owner, '/settings'))
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
  owner,
}) => {
  const changed = page.waitForResponse((reply) => reply.url().includes('tenants.rename'))
  await page.route(/\/assets\/Toasts-.*\.js$/, async (route) => {
    await changed
    await route.continue()
  })
  await page.goto(tenantUrl(service, owner, '/settings'))
  await expect(button(page, 'Rename')).toHaveAccessibleDescription('No changes to save.')
  await page.getByRole('textbox', { name: 'Name' }).fill('Pennyfarthing')
  await button(page, 'Rename').click()
  // the offer of an undo lasts ten seconds
  await button(page, /^Undo: .* renamed to Pennyfarthing/).click()
  await expect(dialog(page, /renamed to Pennywheel/)).toBeVisible()
  await expect(button(page, 'Tenant Pennywheel: switch')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Pennywheel')
})

test('a second factor is required only by who has one, and who has none is named first', async ({
  page,
  service,
  owner,
}) => {
  const other = await makeMember(service, owner, 'viewer')
  await page.goto(tenantUrl(service, owner, '/settings'))
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

test('a tenant is deleted only by typing its slug, with a fresh sign-in', async ({ page, service, owner }) => {
  await page.goto(tenantUrl(service, owner, '/settings'))
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
    test(`/o/$/${route} can be used, light and dark, wide and narrow, with dialogs open`, {
      tag: '@accessible',
    }, async ({ page, service, owner }) => {
      test.setTimeout(400_000)
      await makeMember(service, owner, 'developer')
      await service.tollgate('balance', 'add', '--tenant', owner.tenantId, '--units', '2500', '--reason', 'Invoice 7')
      await page.goto(tenantUrl(service, owner, `/${route}`))
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
