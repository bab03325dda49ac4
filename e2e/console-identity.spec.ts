import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { plugInAuthenticator, totp } from './setup/authenticator.ts'
import {
  consoleUrl,
  givePassword,
  mailed,
  moveToNewNetwork,
  openBrowser,
  openTenant,
  signIn,
  tenantUrl,
} from './setup/member.ts'
import { button, dialog, expectErrorAt, heading, takeSecret } from './setup/page.ts'
import { expect, test } from './setup/test.ts'

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Account menu$/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(heading(page, 'Sign in')).toBeVisible()
}

test('a code of the app is asked for after the password; each recovery code works once', async ({
  page,
  service,
  owner,
}) => {
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
  const recovery = (await takeSecret(page, 'Your recovery codes')).split('\n')
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
    // as a person writes it
    await page.getByLabel('Recovery code').fill(String(recovery[0]).toUpperCase().replace('-', ' '))
    await button(page, 'Verify').click()
  }
  await recover()
  await expect(heading(page, 'Overview')).toBeVisible()
  await recover()
  await expect(page.getByRole('alert')).toContainText('wrong or has been used')
  await page.goto(`${consoleUrl(service)}/account`)
  await expect(heading(page, 'Sign in')).toBeVisible()
})

test('a passkey signs in without anything typed, until it is removed', async ({ page, service, owner }) => {
  await plugInAuthenticator(page)
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
  await choose('password12')
  await expectErrorAt(page.getByRole('main'), 'New password', /one of the most common ones/)
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

test('a session elsewhere is listed, ended, and signed out', async ({ page, browser, service, owner }) => {
  const elsewhere = await (await browser.newContext({ userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0' })).newPage()
  await signIn(elsewhere, service, owner)
  await elsewhere.goto(`${consoleUrl(service)}/account`)
  await page.goto(`${consoleUrl(service)}/account`)
  const sessions = page.getByRole('table', { name: 'Sessions' })
  await expect(sessions.getByRole('row').filter({ hasText: 'This browser' })).toContainText('Chrom')
  await button(sessions, /^End the session in Firefox/).click()
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
