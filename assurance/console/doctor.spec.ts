import { expectAccessible } from '../../e2e/setup/accessible.ts'
import { expect, test } from '../../e2e/setup/test.ts'
import { createTestClient } from '../../test/support/client.ts'

test('the doctor recognises mistakes in real calls and shows the lines to change, in the language of the page', {
  tag: '@accessible',
}, async ({ page, service, site }) => {
  const client = createTestClient(service.url)
  await page.goto(`${site.path}/integrate`)
  const doctor = page.getByRole('region', { name: 'Likely mistakes' })
  await expect(page.getByRole('region', { name: 'Check my integration' })).toContainText('Missing')
  await expect(doctor).toHaveCount(0)

  await client.intent(site, { hostname: 'www.localhost' })
  await client.intent(site, { hostname: 'localhost', session: 'sid' })
  await page.goto(`${site.path}/integrate?language=node`)
  const host = doctor.getByRole('listitem', { name: 'www.localhost is used, and localhost is allowed' })
  await expect(host).toBeVisible()
  const session = doctor.getByRole('listitem', { name: 'The session or subject is not hashed' })
  await expect(session.locator('del')).toHaveText('- session: req.session.id,')
  await expect(session.locator('ins')).toHaveText('+ session: hashSession(config.sessionKey, req.session.id),')
  await page.goto(`${site.path}/integrate?language=python`)
  await expect(session.locator('ins')).toContainText('hash_session(')
  await expectAccessible(page)

  await host.getByRole('link', { name: 'Hostnames' }).click()
  await expect(page).toHaveURL(/\/hostnames$/)
})

test('a secret that a server still uses is not safe to revoke, and the question says which server', async ({
  page,
  service,
  site,
}) => {
  await fetch(`${service.url}/intents`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${site.secret}`,
      'user-agent': 'tollgate-node/1.0.0',
    },
    body: JSON.stringify({ action: 'signup', nonce: 'n'.repeat(32), hostname: 'localhost' }),
  })
  await page.goto(`${site.path}/keys`)
  const row = page.getByRole('table', { name: 'Secret keys' }).getByRole('row', { name: 'by tollgate-node/1.0.0' })
  await row.getByRole('button', { name: /^Revoke/ }).click()
  const question = page.getByRole('alertdialog').or(page.getByRole('dialog'))
  await expect(question).toContainText('Not safe to revoke yet: tollgate-node/1.0.0')
  await expect(question).toContainText('127.0.0.0/24')
})
