import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { createTestClient } from '../test/support/client.ts'
import { plugInAuthenticator, totp } from './setup/authenticator.ts'
import {
  consoleUrl,
  givePassword,
  moveToNewNetwork,
  openBrowser,
  openTenant,
  signIn,
  tenantUrl,
} from './setup/member.ts'
import { openShop } from './setup/merchant.ts'
import { button, dialog, heading } from './setup/page.ts'
import type { Service } from './setup/service.ts'
import { expect, test } from './setup/test.ts'
import { expectReceipt, placeOrder, prepareOrder } from './setup/visitor.ts'

/** The link of the newest letter to the address. */
async function mailed({ mailbox }: Service, email: string, path: string): Promise<string> {
  await expect.poll(() => mailbox.linkTo(email, path), { message: `a letter to ${email}` }).toBeDefined()
  return String(mailbox.linkTo(email, path))
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account menu of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(heading(page, 'Sign in')).toBeVisible()
}

/** What a reveal shows this once; confirms that it is stored. */
async function take(page: Page, title: string): Promise<string> {
  const reveal = dialog(page, title)
  const secret = await reveal.locator('code').innerText()
  await reveal.getByRole('checkbox', { name: 'I have saved it' }).check()
  await button(reveal, 'Done').click()
  await expect(reveal).toBeHidden()
  return secret
}

test('from signing up to the first decision: every step turns green as it happens', async ({
  page,
  context,
  service,
}) => {
  const email = `ada.${randomUUID().slice(0, 8)}@people.example`
  const password = 'correct horse battery'
  await moveToNewNetwork(page)
  await page.goto(`${consoleUrl(service)}/sign-up`)
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('short')
  await button(page, 'Create account').click()
  await expect(page.getByRole('alert')).toContainText('at least 10 characters')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Create account').click()
  await expect(page.getByText(`We sent a link to ${email}`)).toBeVisible()

  // no sign-in before the address is confirmed
  await givePassword(page, service, { email, password })
  await expect(page.getByRole('alert')).toContainText('Confirm your e-mail address first')
  await page.goto(await mailed(service, email, '/verify-email'))
  await button(page, 'Confirm').click()
  await expect(heading(page, 'E-mail address confirmed')).toBeVisible()
  await givePassword(page, service, { email, password })

  await expect(heading(page, 'Set up Tollgate')).toBeVisible()
  await expect(button(page, 'Sign out')).toBeVisible()
  const step = (title: string) => page.getByRole('heading', { level: 2, name: title })
  await page.getByLabel('Name', { exact: true }).fill('Analytical Engines')
  await button(page, 'Create tenant').click()
  await expect(step('Name your tenant')).toContainText('Done')
  await page.getByLabel('Name', { exact: true }).fill('Shop')
  await page.getByLabel('Hostname', { exact: true }).fill('http://localhost:8080/')
  await button(page, 'Create site').click()
  await button(page, 'Use localhost').click()
  await button(page, 'Create site').click()
  const secret = await take(page, 'Your secret key')
  await expect(step('Create your first site')).toContainText('Done')
  await expect(step('Add it to your form')).toContainText('Now')

  // the address says which step is shown
  await page.reload()
  await expect(page.getByText('Your backend opens an intent: waiting')).toBeVisible()
  const site = {
    sitekey: await page
      .getByText(/^tg_site_\w{20}$/)
      .first()
      .innerText(),
    secret,
  }
  const client = createTestClient(service.url)
  await client.intent(site, { hostname: 'elsewhere.example' })
  await expect(page.getByText('Your backend opens an intent: refused')).toBeVisible()
  await expect(page.getByText('Allow it under Hostnames')).toBeVisible()
  const earned = await client.earn(site, { hostname: 'localhost' }, { origin: 'http://localhost' })
  await expect(page.getByText('Your backend opens an intent: done')).toBeVisible()
  await expect(page.getByText('The visitor’s browser solves the challenge: done')).toBeVisible()
  await client.siteverify(site, { ...earned, action: 'other' })
  await expect(page.getByText('Your backend redeems the token: refused')).toBeVisible()
  await expect(page.getByText('binding-mismatch')).toBeVisible()
  const { sitekey } = site
  const { rows } = await service.sql.query<{ tenant_id: string }>('select tenant_id from site where sitekey = $1', [
    sitekey,
  ])
  const shop = await openShop(service, { tenantId: String(rows[0]?.tenant_id), sitekey, secret })
  const visitor = await context.newPage()
  await prepareOrder(visitor, shop.shop)
  await placeOrder(visitor).click()
  await expectReceipt(visitor)
  expect(await shop.books()).toMatchObject({ orders: 1, decisions: 1, fromQuota: 1 })
  await visitor.close()
  await shop.close()

  await expect(step('Complete the first verification')).toContainText('Done')
  await expect(step('Add it to your form')).toContainText('Done')
  await page.getByRole('link', { name: 'Open the console' }).click()
  await expect(heading(page, 'Overview')).toBeFocused()
  await expect(page.getByRole('table', { name: 'Sites' }).getByRole('link', { name: 'Shop' })).toBeVisible()
  await expect(page.getByText('Get started')).toBeHidden()
})

test('a code of the app is asked for after the password; each recovery code works once', async ({ page, service }) => {
  const owner = await openTenant(service)
  await signIn(page, service, owner)
  await page.goto(`${consoleUrl(service)}/account`)
  const panel = page.getByRole('region', { name: 'Two-factor authentication' })
  await button(panel, 'Turn on').click()
  const asking = dialog(page, 'Turn on two-factor authentication')
  await asking.getByLabel('Password', { exact: true }).fill('not my password')
  await button(asking, 'Continue').click()
  await expect(asking.getByRole('alert')).toContainText('Wrong password.')
  await asking.getByLabel('Password', { exact: true }).fill(owner.password)
  await button(asking, 'Continue').click()
  const connecting = dialog(page, 'Connect your authenticator app')
  const secret = (await connecting.locator('code').innerText()).trim()
  await connecting.getByLabel('Code').fill(totp(secret))
  await button(connecting, 'Turn on').click()
  const recovery = (await take(page, 'Your recovery codes')).split('\n')
  expect(new Set(recovery).size).toBeGreaterThan(4)
  await expect(panel.getByText('On', { exact: true })).toBeVisible()

  await page.goto(tenantUrl(service, owner))
  await signOut(page)
  await givePassword(page, service, owner)
  await expect(heading(page, 'Two-factor authentication')).toBeVisible()
  await page.getByLabel('Code').fill('12345')
  await button(page, 'Verify').click()
  await expect(page.getByRole('alert')).toContainText('That code is wrong')
  // the code that turned it on counts no more; the next one is accepted already
  await page.getByLabel('Code').fill(totp(secret, 1))
  await button(page, 'Verify').click()
  await expect(heading(page, 'Overview')).toBeVisible()

  const recover = async () => {
    await signOut(page)
    await givePassword(page, service, owner)
    await button(page, 'Use a recovery code').click()
    await page.getByLabel('Recovery code').fill(String(recovery[0]))
    await button(page, 'Verify').click()
  }
  await recover()
  await expect(heading(page, 'Overview')).toBeVisible()
  await recover()
  await expect(page.getByRole('alert')).toContainText('wrong or has been used')
  await page.goto(`${consoleUrl(service)}/account`)
  await expect(heading(page, 'Sign in')).toBeVisible()
})

test('a passkey signs in without anything typed, until it is removed', async ({ page, service }) => {
  const owner = await openTenant(service)
  await plugInAuthenticator(page)
  await signIn(page, service, owner)
  await page.goto(`${consoleUrl(service)}/account`)
  await button(page, 'Create passkey').click()
  await dialog(page, 'Create a passkey').getByLabel('Password', { exact: true }).fill(owner.password)
  await button(dialog(page, 'Create a passkey'), 'Continue').click()
  const kept = page.getByRole('table', { name: 'Passkeys' }).getByRole('row', { name: /Chrom/ })
  await expect(kept).toBeVisible()

  const enter = async () => {
    await page.goto(tenantUrl(service, owner))
    await signOut(page)
    await button(page, 'Sign in with a passkey').click()
  }
  await enter()
  await expect(heading(page, 'Overview')).toBeVisible()

  await page.goto(`${consoleUrl(service)}/account`)
  await button(kept, /^Remove/).click()
  await dialog(page, /^Remove/)
    .getByLabel('Password', { exact: true })
    .fill(owner.password)
  await button(dialog(page, /^Remove/), 'Remove passkey').click()
  await expect(page.getByText('No passkeys yet')).toBeVisible()
  await enter()
  await expect(page.getByRole('alert')).toContainText('This passkey is not registered.')
})

test('a forgotten password is replaced through the mailbox, once, and ends every session', async ({
  page,
  browser,
  service,
}) => {
  const owner = await openTenant(service)
  const elsewhere = await openBrowser(browser, service, owner)
  await elsewhere.goto(`${consoleUrl(service)}/account`)
  await expect(heading(elsewhere, 'Account')).toBeVisible()
  const ask = async (email: string) => {
    await moveToNewNetwork(page)
    await page.goto(`${consoleUrl(service)}/forgot`)
    await page.getByLabel('E-mail').fill(email)
    await button(page, 'Send link').click()
    await expect(heading(page, 'Check your inbox')).toBeVisible()
    return (await page.getByRole('main').innerText()).replace(email, '')
  }
  const stranger = `nobody.${randomUUID().slice(0, 8)}@people.example`
  expect(await ask(stranger)).toBe(await ask(owner.email))
  const link = await mailed(service, owner.email, '/reset')
  expect(service.mailbox.linkTo(stranger, '/reset')).toBeUndefined()

  const choose = async (password: string) => {
    await page.goto(link)
    await page.reload()
    await page.getByLabel('New password').fill(password)
    await button(page, 'Change password').click()
  }
  await choose('another horse battery')
  await expect(heading(page, 'Password changed')).toBeVisible()
  await choose('a third horse battery')
  await expect(page.getByRole('alert')).toContainText('This link has been used or has expired.')
  await elsewhere.reload()
  await expect(heading(elsewhere, 'Sign in')).toBeVisible()
  await elsewhere.context().close()
  await givePassword(page, service, owner)
  await expect(page.getByRole('alert')).toContainText('Wrong e-mail address or password.')
  await givePassword(page, service, { ...owner, password: 'another horse battery' })
  await expect(heading(page, 'Overview')).toBeVisible()
})

test('a wrong password and an unknown address get the same message', async ({ page, service }) => {
  const owner = await openTenant(service)
  const messageFor = async (email: string) => {
    const answer = page.waitForResponse(/\/auth\/sign-in\/email$/)
    await givePassword(page, service, { email, password: 'not the password' })
    const body = await (await answer).text()
    return [(await answer).status(), body, await page.getByRole('alert').innerText()]
  }
  const known = await messageFor(owner.email)
  expect(known.join(' ')).toContain('Wrong e-mail address or password.')
  expect(await messageFor(`nobody.${randomUUID().slice(0, 8)}@people.example`)).toEqual(known)
})

test('a session elsewhere is listed, ended, and signed out', async ({ page, browser, service }) => {
  const owner = await openTenant(service)
  const elsewhere = await (await browser.newContext({ userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0' })).newPage()
  await signIn(elsewhere, service, owner)
  await elsewhere.goto(`${consoleUrl(service)}/account`)
  await signIn(page, service, owner)
  await page.goto(`${consoleUrl(service)}/account`)
  const sessions = page.getByRole('table', { name: 'Sessions' })
  await expect(sessions.getByRole('row').filter({ hasText: 'This browser' })).toContainText('Chrom')
  await button(sessions, /^Sign out of the session in Firefox/).click()
  await expect(sessions.getByRole('row', { name: /Firefox/ })).toBeHidden()
  await expect(button(page, 'Sign out everywhere else')).toHaveAccessibleDescription(
    'You are not signed in anywhere else.',
  )

  await button(elsewhere, 'Sign out everywhere else').click({ force: true })
  // the refused click may lead to the sign-in just now, which aborts a reload
  await expect(() => elsewhere.reload()).toPass()
  await expect(heading(elsewhere, 'Sign in')).toBeVisible()
  await elsewhere.context().close()
  await page.reload()
  await expect(heading(page, 'Account')).toBeVisible()
  await button(page, 'Sign out').click()
  await expect(heading(page, 'Sign in')).toBeVisible()
})
