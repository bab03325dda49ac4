import type { Page } from '@playwright/test'
import { CLIENT, openIdentityProvider } from '../test/support/identityProvider.ts'
import { expectAccessible } from './setup/accessible.ts'
import { consoleUrl, openTenant } from './setup/member.ts'
import { button, dialog, heading } from './setup/page.ts'
import { openService } from './setup/service.ts'
import { expect, test } from './setup/test.ts'

/** A service with an identity provider. `settings`: more of the service's. */
async function open(page: Page, settings: Record<string, string> = {}) {
  const idp = await openIdentityProvider()
  const service = await openService('error', {
    OIDC_ISSUER: idp.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_LABEL: 'Example SSO',
    ...settings,
  })
  const url = consoleUrl(service)
  idp.register({ redirectUri: `${url}/auth/oidc/callback`, logoutUri: `${service.url}/auth/oidc/logout` })
  /** Signs in from the sign-in page as the subject, whom the provider knows by these claims. */
  const signInAs = async (sub: string, email: string, verified = true) => {
    idp.people.set(sub, { email, email_verified: verified, name: 'Ida Provided' })
    await page.context().clearCookies()
    await page.goto(`${url}/sign-in`)
    await page.getByRole('link', { name: 'Sign in with Example SSO' }).click()
    await page.getByLabel('Subject').fill(sub)
    await button(page, 'Continue').click()
  }
  const close = async () => {
    await service.close()
    idp.close()
  }
  return { idp, service, url, signInAs, close }
}

test('a person signs in by the page of the identity provider, and links an account that exists', {
  tag: '@accessible',
}, async ({ page }) => {
  const { idp, service, url, signInAs, close } = await open(page)
  try {
    await signInAs('new', 'ida@people.example')
    await expect(page).toHaveURL(`${url}/welcome`)
    await page.goto(`${url}/account`)
    const identities = page.getByRole('region', { name: 'Single sign-on' })
    await expect(identities.getByText(idp.issuer)).toBeVisible()
    await expectAccessible(page)
    await button(identities, `Unlink ${idp.issuer}`).click()
    const asking = dialog(page, 'Unlink this identity?')
    await button(asking, 'Unlink').click()
    await expect(asking.getByRole('alert')).toContainText('This is your only way to sign in.')
    // signing in again would not help
    await expect(asking.getByRole('link')).toHaveCount(0)

    await signInAs('unverified', 'other@people.example', false)
    await expect(page.getByText('The identity provider does not confirm your e-mail address.')).toBeVisible()
    await expectAccessible(page)

    const owner = await openTenant(service)
    await signInAs('existing', owner.email)
    await expect(heading(page, 'Link your account')).toBeVisible()
    await expect(page.getByText(`There is already an account for ${owner.email}.`)).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Sign in to link' }).click()
    await page.getByLabel('E-mail').fill(owner.email)
    await page.getByLabel('Password', { exact: true }).fill(owner.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await button(page, 'Link account').click()
    await expect(page).toHaveURL(new RegExp(`/o/${owner.slug}`))
    await signInAs('existing', owner.email)
    await expect(page).toHaveURL(new RegExp(`/o/${owner.slug}`))
  } finally {
    await close()
  }
})

test('without passwords nobody is asked for one: an old sign-in leads to the identity provider', {
  tag: '@accessible',
}, async ({ page }) => {
  const { service, url, signInAs, close } = await open(page, { PASSWORDS: 'off' })
  const age = () => service.sql.query(`update session set created_at = now() - interval '11 minutes'`)
  try {
    await page.goto(`${url}/sign-in`)
    await expect(page.getByRole('link', { name: 'Sign in with Example SSO' })).toBeVisible()
    await expect(page.getByText('password')).toHaveCount(0)
    await signInAs('ida', 'ida@people.example')
    await expect(page).toHaveURL(`${url}/welcome`)
    // as it was before PASSWORDS=off
    await service.sql.query(
      `insert into account (id, user_id, account_id, provider_id, password, updated_at)
       select gen_random_uuid(), id, id::text, 'credential', 'a hash', now() from "user"`,
    )
    await page.goto(`${url}/account`)
    await expect(page.getByText('Recent activity')).toBeVisible()
    await expect(page.getByText('password')).toHaveCount(0)
    await age()
    await button(page, 'Turn on').click()
    const asking = dialog(page, 'Turn on two-factor authentication')
    await expect(asking.getByLabel('Password')).toHaveCount(0)
    await button(asking, 'Continue').click()
    await expect(asking.getByRole('alert')).toContainText('more than 10 minutes ago')
    await expectAccessible(page)
    await asking.getByRole('link', { name: 'Sign in with Example SSO' }).click()
    await expect(page).toHaveURL(`${url}/account`)
    await button(page, 'Turn on').click()
    await button(asking, 'Continue').click()
    await expect(dialog(page, 'Connect your authenticator app')).toBeVisible()

    const { id, slug } = await service.operator.createTenant({ name: 'Pennywheel', quota: 1000 })
    await service.sql.query(
      `insert into member (id, tenant_id, user_id, role) select gen_random_uuid(), $1, id, 'owner' from "user"
       where email = 'ida@people.example'`,
      [id],
    )
    await page.goto(`${url}/o/${slug}/settings/api-keys`)
    await age()
    await button(page, 'Create key').click()
    const form = dialog(page, 'Create an API key')
    await form.getByLabel('Name').fill('CI')
    await button(form, 'Create key').click()
    const confirming = dialog(page, 'Confirm it’s you')
    await expect(confirming.getByRole('link', { name: 'Sign in with Example SSO' })).toBeVisible()
    await expect(confirming.getByLabel('Password')).toHaveCount(0)
    await expectAccessible(page)
  } finally {
    await close()
  }
})
