import { createTestClient, newNonce } from '../test/support/client.ts'
import { expectAccessible } from './setup/accessible.ts'
import { ageSignIn, confirmIdentity, tenantUrl } from './setup/member.ts'
import { button, dialog, takeSecret } from './setup/page.ts'
import { openIntent } from './setup/site.ts'
import { expect, test } from './setup/test.ts'

test('a rotation takes a fresh sign-in; both secrets work until the overlap ends, then the old one stops', async ({
  page,
  service,
  owner,
  site,
}) => {
  await page.goto(`${site.path}/keys`)
  await ageSignIn(service, owner)
  await button(page, 'Rotate').click()
  const asking = dialog(page, 'Rotate the secret key')
  await asking.getByRole('radio', { name: '1 hour' }).check()
  await button(asking, 'Rotate').click()
  await confirmIdentity(page, owner)
  const secret = await takeSecret(page, 'Your new secret key')

  expect([await openIntent(service, site), await openIntent(service, site, { secret })]).toEqual([200, 200])
  const old = page.getByRole('row', { name: new RegExp(`tg_secret_…${site.secret.slice(-4)}`) })
  await expect(old).toContainText('Ending')
  await expect(page.getByText(`Next, put the new secret …${secret.slice(-4)} on your servers`)).toContainText(
    new RegExp(`the old one, …${site.secret.slice(-4)}, works until .+, and “Last used” shows whether`),
  )
  // a third would be one too many
  await expect(button(page, 'Create secret')).toHaveAttribute('aria-disabled', 'true')
  await button(page, 'Rotate').click()
  await expect(asking.getByText('Two secrets are active, so there can be no overlap.')).toBeVisible()
  await asking.getByRole('radio', { name: '7 days' }).check()
  await expect(button(asking, 'Rotate')).toHaveAccessibleDescription(/Two secrets are active/)
  await button(asking, 'Cancel').click()
  await expect(asking).toBeHidden()
  await expect(button(page, 'Rotate')).toBeFocused()

  await service.sql.query(
    `update secret set expires_at = now() - interval '1 s' where site_id = $1 and expires_at is not null`,
    [site.id],
  )
  await expect.poll(() => openIntent(service, site)).toBe(401)
  expect(await openIntent(service, site, { secret })).toBe(200)
  await page.reload()
  await expect(old).toContainText('Ended')
  // the new one is in use
  await expect(page.getByText('Next, put the new secret')).toHaveCount(0)
})

test('an ended secret that a server still sends says so, with the server and the secret to use', {
  tag: '@accessible',
}, async ({ page, service, owner, site }) => {
  test.setTimeout(240_000)
  await page.goto(`${site.path}/keys`)
  await button(page, 'Create secret').click()
  const creating = dialog(page, 'Create a secret key')
  await expect(creating).toContainText('The current secret keeps working')
  await button(creating, 'Create secret').click()
  const current = await takeSecret(page, 'Your new secret key')
  const [oldLast4, last4] = [site.secret.slice(-4), current.slice(-4)]
  await button(page, `Revoke tg_secret_…${oldLast4}`).click()
  await button(dialog(page, 'Revoke this secret?'), 'Revoke now').click()
  const old = page.getByRole('row', { name: new RegExp(`tg_secret_…${oldLast4}`) })
  await expect(old).toContainText('Ended')
  await expect(old).toContainText('Never')
  const mistake = page.getByRole('listitem', { name: `A server still uses the ended secret …${oldLast4}` })
  await expect(mistake).toHaveCount(0)

  const body = { action: 'a', nonce: newNonce(), hostname: 'localhost' }
  const headers = { authorization: `Bearer ${site.secret}`, 'user-agent': 'tollgate-node/1.0.0' }
  const refused = await createTestClient(service.url).post('/intents', body, headers)
  expect(refused.status).toBe(401)
  await expect(async () => {
    await page.reload()
    await expect(old).toContainText(/Refused .* by tollgate-node\/1\.0\.0/, { timeout: 1000 })
  }).toPass()
  await expect(mistake).toContainText('tollgate-node/1.0.0, in the network 127.0.0.0/24, sent it')
  await expect(mistake).toContainText(`Give that server the current secret, …${last4}`)
  await expect(
    page.getByText(`Next, put the new secret …${last4} on your servers: the old one no longer works.`),
  ).toBeVisible()
  // the name of a client stays on one line
  await page.setViewportSize({ width: 375, height: 700 })
  const names = page.getByText('tollgate-node/1.0.0', { exact: true })
  await expect(names).toHaveCount(2)
  for (const name of await names.all()) expect((await name.boundingBox())?.height).toBeLessThan(30)
  await page.setViewportSize({ width: 1280, height: 700 })
  await expectAccessible(page)

  // so does the refused request
  await page.goto(tenantUrl(service, owner, '/refusals?code=unauthorized'))
  await page
    .getByRole('table', { name: 'Refusals' })
    .getByRole('link', { name: /^Request/ })
    .first()
    .click()
  const cause = dialog(page, 'Refused request').getByRole('region', { name: 'Cause and fix' })
  await expect(cause).toContainText(`Your backend sent the secret key …${oldLast4}, which ended`)
  await expect(cause).toContainText(`Give that server the current one, …${last4}, and restart it.`)
  await expect(dialog(page, 'Refused request').getByText(oldLast4)).toHaveCount(1)
  await cause.getByRole('link', { name: 'Keys' }).click()
  await expect(page).toHaveURL(new RegExp(`/sites/${site.id}/keys$`))

  // the page of the integration tells it once: the check only counts the calls
  expect(await openIntent(service, site, { secret: current })).toBe(200)
  await page.goto(`${site.path}/integrate`)
  const opens = page.getByRole('listitem', { name: 'Your backend opens intents' })
  await expect(opens).toContainText('1 of 2 calls succeeded; 1 was refused.')
  await expect(opens).not.toContainText('unauthorized')
  await expect(page.getByRole('region', { name: 'Check my integration' })).not.toContainText(oldLast4)
  await mistake.getByRole('link', { name: 'Keys' }).click()
  await expect(page).toHaveURL(/\/keys$/)
  await expect(mistake).toBeVisible()
  await expect(mistake.getByRole('link', { name: 'Keys' })).toHaveCount(0)

  // the overview leads to the mistake itself, on any screen
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 700 })
    await page.goto(tenantUrl(service, owner))
    await page
      .getByRole('region', { name: 'Needs attention' })
      .getByRole('listitem')
      .filter({ hasText: 'a server still' })
      .getByRole('link', { name: /^Fix/ })
      .click()
    await expect(mistake).toBeFocused()
    await expect(mistake.getByRole('heading')).toBeInViewport({ ratio: 1 })
  }
})

test('a revoked secret stops at once, after its consequences were read', async ({ page, service, site }) => {
  await page.goto(`${site.path}/keys`)
  expect(await openIntent(service, site)).toBe(200)
  await button(page, /^Revoke tg_secret_/).click()
  const asking = dialog(page, 'Revoke this secret?')
  await expect(asking).toContainText('It is the only active secret')
  await button(asking, 'Revoke now').click()
  await expect(page.getByRole('row', { name: /tg_secret_/ })).toContainText('Ended')
  expect(await openIntent(service, site)).toBe(401)
})

test.describe('for everybody', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('a secret that is shown can be read by everybody, light and dark, wide and narrow', {
    tag: '@accessible',
  }, async ({ page, site }) => {
    test.setTimeout(240_000)
    await page.goto(`${site.path}/keys`)
    await button(page, 'Create secret').click()
    await button(dialog(page, 'Create a secret key'), 'Create secret').click()
    await expect(dialog(page, 'Your new secret key')).toBeVisible()
    await expectAccessible(page)
  })
})
