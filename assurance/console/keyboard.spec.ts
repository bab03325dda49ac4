import type { Locator, Page } from '@playwright/test'
import { consoleUrl, moveToNewNetwork, openTenant } from '../../e2e/setup/member.ts'
import { button, dialog, heading } from '../../e2e/setup/page.ts'
import { expect, test } from '../../e2e/setup/test.ts'

/** Goes on with Tab until the target has the focus: what a keyboard does not reach is not there. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  for (let tabs = 0; tabs < 40; tabs++) {
    if ((await target.and(page.locator(':focus')).count()) > 0) break
    await page.keyboard.press('Tab')
  }
  await expect(target).toBeFocused()
}

async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

/** From a page that was just loaded past everything that stands around it. */
async function skipToContent(page: Page): Promise<void> {
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
}

async function storeSecret(page: Page, title: string, action = 'Done'): Promise<void> {
  const reveal = dialog(page, title)
  await expect(reveal).toBeVisible()
  // what cannot be shown again is not lost to a slip of the finger
  await page.keyboard.press('Escape')
  await expect(reveal).toBeVisible()
  await press(page, reveal.getByRole('checkbox', { name: 'I have saved it' }), 'Space')
  await press(page, button(reveal, action))
  await expect(reveal).toBeHidden()
}

test('a keyboard is enough to sign in and to make a site', async ({ page, service }) => {
  const owner = await openTenant(service)
  await moveToNewNetwork(page)
  await page.goto(`${consoleUrl(service)}/sign-in`)
  await expect(page.getByLabel('E-mail')).toBeFocused()
  await page.keyboard.type(owner.email)
  await tabTo(page, page.getByLabel('Password', { exact: true }))
  await page.keyboard.type(owner.password)
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Overview')).toBeFocused()

  await press(page, page.getByRole('complementary').getByRole('link', { name: 'Sites' }))
  await expect(heading(page, 'Sites')).toBeFocused()
  const sheet = dialog(page, 'Create a site')
  const opener = button(page, 'Create site')
  await press(page, opener)
  await expect(sheet).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(page, sheet.getByLabel('Name', { exact: true }))
  await page.keyboard.type('Storefront')
  await tabTo(page, sheet.getByLabel('First hostname'))
  await page.keyboard.type('localhost')
  await page.keyboard.press('Enter')
  await storeSecret(page, 'Your site’s keys', 'Continue to Integrate')
  await expect(heading(page, 'Storefront')).toBeFocused()
})

test('a keyboard is enough to rotate a secret with an overlap, and to revoke the old one', async ({ page, site }) => {
  await page.goto(`${site.path}/keys`)
  const revoke = button(page, `Revoke tg_secret_…${site.secret.slice(-4)}`)
  await expect(revoke).toBeVisible()
  await skipToContent(page)
  const opener = button(page, 'Rotate')
  await press(page, opener)
  const rotating = dialog(page, 'Rotate the secret key')
  await tabTo(page, rotating.getByRole('radio', { name: '24 hours' }))
  await page.keyboard.press('ArrowDown')
  await expect(rotating.getByRole('radio', { name: '7 days' })).toBeChecked()
  await press(page, button(rotating, 'Rotate'))
  await storeSecret(page, 'Your new secret key')
  await expect(opener).toBeFocused()
  const inAWeek = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(Date.now() + 7 * 86_400_000)
  await expect(page.getByRole('row', { name: /Ending/ })).toContainText(inAWeek)

  await press(page, revoke)
  const revoking = dialog(page, 'Revoke this secret?')
  await expect(revoking).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(revoking).toBeHidden()
  await expect(revoke).toBeFocused()
  await page.keyboard.press('Enter')
  await press(page, button(revoking, 'Revoke now'))
  await expect(page.getByRole('row', { name: /Ended/ })).toBeVisible()
  // its button is gone: the focus stays at the table, from where the other one is next
  await expectFocusWithin(page, 'Secret keys')
})

test('a keyboard is enough to remove a hostname, and to take that back', async ({ page, site }) => {
  await page.goto(`${site.path}/hostnames`)
  const remove = button(page, 'Remove localhost')
  await expect(remove).toBeVisible()
  await skipToContent(page)
  await press(page, remove)
  await expect(page.getByText('No hostnames yet')).toBeVisible()
  await page.keyboard.press('F6')
  await press(page, button(page, 'Undo: localhost removed'))
  await expect(remove).toBeVisible()
  await expectFocusWithin(page, 'Hostnames')
})

test('a keyboard is enough to delete a site, by typing its name', async ({ page, site }) => {
  await page.goto(`${site.path}/settings`)
  const opener = button(page.getByRole('region', { name: 'Delete this site' }), 'Delete site')
  await expect(opener).toBeVisible()
  await skipToContent(page)
  await press(page, opener)
  const asking = dialog(page, 'Delete Storefront?')
  await expect(asking.getByRole('textbox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(asking.getByRole('textbox')).toBeFocused()
  await page.keyboard.type('Storefront')
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Sites')).toBeFocused()
  await expect(page.getByText('No sites yet')).toBeVisible()
})

/** The focus has not fallen back to the top of the page. */
async function expectFocusWithin(page: Page, region: string): Promise<void> {
  await expect(page.getByRole('region', { name: region }).locator(':focus')).toHaveCount(1)
}
