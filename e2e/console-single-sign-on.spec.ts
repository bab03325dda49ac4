import { CLIENT, openIdentityProvider } from '../test/support/identityProvider.ts'
import { expectAccessible } from './setup/accessible.ts'
import { consoleUrl, openTenant } from './setup/member.ts'
import { button, dialog, heading } from './setup/page.ts'
import { openService } from './setup/service.ts'
import { expect, test } from './setup/test.ts'

test('a person signs in by the page of the identity provider, and links an account that exists', {
  tag: '@accessible',
}, async ({ page }) => {
  const idp = await openIdentityProvider()
  const service = await openService('error', {
    OIDC_ISSUER: idp.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_LABEL: 'Example SSO',
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
    await service.close()
    idp.close()
  }
})
