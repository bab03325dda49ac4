import { expectAccessible } from './setup/accessible.ts'
import { makeMember, openBrowser, tenantUrl } from './setup/member.ts'
import { button, dialog } from './setup/page.ts'
import { makeSite } from './setup/site.ts'
import { expect, test } from './setup/test.ts'

test('a key is created for one site, copied, used, seen with its last use, and refused once it is revoked', {
  tag: '@accessible',
}, async ({ page, service, owner, site }) => {
  const whoami = async (key: string) => {
    const reply = await fetch(`${service.url}/v1/whoami`, { headers: { authorization: `Bearer ${key}` } })
    return { status: reply.status, body: (await reply.json()) as object }
  }
  await makeSite(service, owner, 'Blog')
  await page.goto(tenantUrl(service, owner, '/settings'))
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'API keys' }).click()
  await expect(page.getByText('No API keys')).toBeVisible()
  await expectAccessible(page)

  await button(page, 'Create key').click()
  const form = dialog(page, 'Create an API key')
  await form.getByLabel('Name').fill('GitHub Actions')
  await form.getByRole('checkbox', { name: /^sites:read/ }).uncheck()
  await button(form, 'Create key').click()
  await expect(form.getByRole('alert')).toHaveText('Choose at least one.')
  await form.getByRole('checkbox', { name: /^traffic:read/ }).check()
  await form.getByRole('checkbox', { name: 'Storefront' }).check()
  await form.getByRole('combobox', { name: 'Expires after' }).click()
  await page.getByRole('option', { name: '30 days' }).click()
  await expectAccessible(page)
  await button(form, 'Create key').click()

  const shown = dialog(page, 'Your new API key')
  const key = await shown.locator('code').innerText()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await shown.getByRole('button', { name: 'Copy API key' }).click()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key)
  await expectAccessible(page)
  await shown.getByRole('checkbox', { name: 'I have saved it' }).check()
  await button(shown, 'Done').click()

  const row = page.getByRole('table', { name: 'API keys' }).getByRole('row', { name: /GitHub Actions/ })
  await expect(row).toContainText('Active')
  await expect(row).toContainText('Never')
  expect(await page.content()).not.toContain(key)
  expect(await whoami(key)).toMatchObject({
    status: 200,
    body: { key: { name: 'GitHub Actions' }, scopes: ['traffic:read'], sites: [site.id] },
  })
  await page.reload()
  await expect(row).toContainText('from 127.0.0.0/24')
  await expect(row).toContainText('Storefront')
  await expectAccessible(page)

  await button(row, 'Revoke GitHub Actions').click()
  await button(dialog(page, 'Revoke GitHub Actions?'), 'Revoke now').click()
  await expect(row).toContainText('Revoked')
  expect(await whoami(key)).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
})

test('members who may not manage keys and webhooks are told so', { tag: '@accessible' }, async ({
  browser,
  service,
  owner,
}) => {
  const page = await openBrowser(browser, service, await makeMember(service, owner, 'developer'))
  for (const [path, create, what] of [
    ['api-keys', 'Create key', 'API keys'],
    ['webhooks', 'Create webhook', 'webhooks'],
  ] as const) {
    await page.goto(tenantUrl(service, owner, `/settings/${path}`))
    await expect(page.getByText(`You don’t have access to ${what}`)).toBeVisible()
    await expect(button(page, create)).toHaveCount(0)
    await expectAccessible(page)
  }
  await page.context().close()
})
