import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from '../../e2e/setup/accessible.ts'
import { plugInAuthenticator, totp } from '../../e2e/setup/authenticator.ts'
import {
  ageSignIn,
  consoleUrl,
  type Member,
  makeMember,
  openBrowser,
  openTenant,
  signIn,
  tenantUrl,
} from '../../e2e/setup/member.ts'
import { button, dialog } from '../../e2e/setup/page.ts'
import type { Service } from '../../e2e/setup/service.ts'
import { makeSite } from '../../e2e/setup/site.ts'
import { expect, test } from '../../e2e/setup/test.ts'

/*
 * What opens above a page, held against WCAG while it is open; here is what the pages' own tests do not open. The rail
 * is there from 1024 pixels on, and in a sheet below.
 */

const RAIL = [1280]
const SHEET = [768, 320]

async function open(page: Page, service: Service, path: (owner: Member) => string): Promise<Member> {
  test.setTimeout(400_000)
  const owner = await openTenant(service)
  await signIn(page, service, owner)
  await page.goto(`${consoleUrl(service)}/${path(owner)}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  return owner
}

/** Holds what is open against WCAG, and closes it. */
async function inspect(page: Page, layer: Locator, widths?: readonly number[]): Promise<void> {
  await expect(layer).toBeVisible()
  await expectAccessible(page, widths)
  await page.keyboard.press('Escape')
  await expect(layer).toBeHidden()
}

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('the second factor: password, QR code and recovery codes', { tag: '@accessible' }, async ({ page, service }) => {
  const { password } = await open(page, service, () => 'account')
  const panel = page.getByRole('region', { name: 'Two-factor authentication' })
  const asking = dialog(page, 'Turn on two-factor authentication')
  await button(panel, 'Turn on').click()
  await inspect(page, asking)
  await button(panel, 'Turn on').click()
  await asking.getByLabel('Password', { exact: true }).fill(password)
  await button(asking, 'Continue').click()
  const connecting = dialog(page, 'Connect your authenticator app')
  await expect(connecting).toBeVisible()
  await expectAccessible(page)
  await connecting.getByLabel('Code').fill(totp(await connecting.locator('code').innerText()))
  await button(connecting, 'Turn on').click()

  const codes = dialog(page, 'Your recovery codes')
  await expect(codes).toBeVisible()
  await expectAccessible(page)
  await codes.getByRole('checkbox', { name: 'I have saved it' }).check()
  await button(codes, 'Done').click()
  await button(panel, 'Create new recovery codes').click()
  await inspect(page, dialog(page, 'Create new recovery codes?'))
  await button(panel, 'Turn off').click()
  await inspect(page, dialog(page, 'Turn off two-factor authentication?'))
})

test('passkeys and sessions: what is kept, and its removal', { tag: '@accessible' }, async ({
  page,
  browser,
  service,
}) => {
  const owner = await open(page, service, () => 'account')
  const elsewhere = await openBrowser(browser, service, owner)
  await elsewhere.context().close()
  await plugInAuthenticator(page)
  await page.reload()
  await button(page, 'Create passkey').click()
  await dialog(page, 'Create a passkey').getByLabel('Password', { exact: true }).fill(owner.password)
  await button(dialog(page, 'Create a passkey'), 'Continue').click()
  const remove = button(page.getByRole('table', { name: 'Passkeys' }), /^Remove/)
  await expect(remove).toBeVisible()
  await expect(button(page, /^End the session in/)).toBeVisible()
  await expectAccessible(page)
  await remove.click()
  await inspect(page, dialog(page, /^Remove/))
})

test('the palette, the menus of the rail, and the rail in its sheet', { tag: '@accessible' }, async ({
  page,
  service,
}) => {
  const { slug } = await open(page, service, ({ slug }) => `o/${slug}/members`)
  await page.keyboard.press('Control+k')
  await inspect(page, dialog(page, 'Search or jump to'))
  await page.setViewportSize({ width: 1280, height: 900 })
  await button(page, 'Tenant Pennywheel: switch').click()
  await inspect(page, page.getByRole('menu'), RAIL)
  await button(page, /Account menu$/).click()
  await inspect(page, page.getByRole('menu'), RAIL)

  await page.setViewportSize({ width: 320, height: 900 })
  await button(page, 'Open navigation').click()
  const sheet = dialog(page, 'Navigation')
  await inspect(page, sheet, SHEET)
  await button(page, 'Open navigation').click()
  await button(sheet, 'Tenant Pennywheel: switch').click()
  await inspect(page, page.getByRole('menu'), SHEET)
  await sheet.getByRole('link', { name: 'Overview' }).click()
  await expect(page).toHaveURL(new RegExp(`/o/${slug}$`))
})

test('members: what can be done with one, and leaving', { tag: '@accessible' }, async ({ page, service }) => {
  const owner = await open(page, service, ({ slug }) => `o/${slug}/members`)
  const viewer = await makeMember(service, owner, 'viewer')
  await page.reload()
  await button(page, /^Actions for/).click()
  await inspect(page, page.getByRole('menu'))
  await page.context().clearCookies()
  await signIn(page, service, viewer)
  await page.goto(tenantUrl(service, owner, '/members'))
  await button(page, 'Leave').click()
  await inspect(page, dialog(page, /^Leave/))
})

test('settings: another address, and the second factor for all', { tag: '@accessible' }, async ({ page, service }) => {
  const owner = await open(page, service, ({ slug }) => `o/${slug}/settings`)
  await page.getByLabel('Slug').fill(`moved-${owner.tenantId.slice(-8)}`)
  await button(page, 'Change URL…').click()
  await inspect(page, dialog(page, /^Change the URL to/))
  await service.sql.query('update "user" set two_factor_enabled = true where id = $1', [owner.userId])
  await makeMember(service, owner, 'viewer')
  await page.reload()
  await page.getByRole('switch', { name: 'Require it for all members' }).click()
  await inspect(page, dialog(page, 'Require two-factor authentication?'))
})

test('the question for a fresh sign-in, and what is said in the corner', { tag: '@accessible' }, async ({
  page,
  service,
}) => {
  const owner = await open(page, service, ({ slug }) => `o/${slug}`)
  const site = await makeSite(service, owner)
  await page.goto(`${site.path}/keys`)
  await ageSignIn(service, owner)
  await button(page, 'Rotate').click()
  await button(dialog(page, 'Rotate the secret key'), 'Rotate').click()
  await inspect(page, dialog(page, 'Confirm it’s you'))

  await page.goto(`${site.path}/hostnames`)
  await page.route(/hostnames\.add/, (route) => route.abort())
  await button(page, 'Remove localhost').click()
  const undo = button(page, 'Undo: localhost removed')
  await expect(undo).toBeVisible()
  // who looks at it keeps it there
  await undo.focus()
  await expectAccessible(page)
  await undo.click()
  // F6 does nothing until there is something to move to
  await expect(page.getByRole('alert')).toContainText('Can’t reach Tollgate')
  await page.keyboard.press('F6')
  await expect(page.getByRole('alertdialog', { name: 'Can’t reach Tollgate' })).toBeVisible()
  await expectAccessible(page)
})

test('the period of a page: the list, and two moments of one’s own', { tag: '@accessible' }, async ({
  page,
  service,
}) => {
  await open(page, service, ({ slug }) => `o/${slug}/decisions`)
  const period = page.getByRole('combobox', { name: 'Period' })
  await period.click()
  await inspect(page, page.getByRole('listbox'))
  // by key, because a click did not always open it just after the page was resized
  await period.press('Enter')
  await page.getByRole('option', { name: 'Custom…' }).click()
  await inspect(page, dialog(page, 'Choose a period'))
})
