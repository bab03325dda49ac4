import { createTestClient } from '../test/support/client.ts'
import { refusalsWritten } from './setup/decided.ts'
import { makeMember, openTenant, signIn, tenantUrl } from './setup/member.ts'
import { makeSite } from './setup/site.ts'
import { expect, test } from './setup/test.ts'

test('a developer finds why calls are refused, fixes it, and sees the integration turn green', async ({
  page,
  service,
}) => {
  const owner = await openTenant(service)
  const site = await makeSite(service, owner)
  await service.sql.query("update site set base_work = 1024, challenge_kind = 'sha256' where id = $1", [site.id])
  const client = createTestClient(service.url)
  const from = { origin: 'https://www.localhost' }
  const refused = await client.intent(site, { hostname: 'www.localhost' })
  expect(refused.status).toBe(422)
  await refusalsWritten(service, owner, 1)

  await signIn(page, service, await makeMember(service, owner, 'developer'))
  await page.goto(tenantUrl(service, owner))
  await page.getByRole('link', { name: '1 refused' }).click()
  await page
    .getByRole('region', { name: 'By type' })
    .getByRole('link', { name: 'bad-request hostname', exact: true })
    .click()
  await expect(page).toHaveURL(/code=bad-field/)
  const type = page.getByRole('listitem').filter({ hasText: 'The hostname is not one of the site’s hostnames' })
  await expect(type.getByRole('link', { name: 'Docs for bad-request hostname' })).toHaveAttribute(
    'href',
    /^\/docs\/errors#[a-z_]+$/,
  )
  await page.goto(`${site.path}/integrate`)
  const mistake = page.getByRole('listitem', { name: 'www.localhost is used, and localhost is allowed' })
  await mistake.getByRole('link', { name: 'Hostnames' }).click()
  await page
    .getByRole('button', { name: /^Allow/ })
    .first()
    .click()
  await expect
    .poll(async () => (await client.intent(site, { hostname: 'www.localhost' })).status, { timeout: 15_000 })
    .toBe(200)

  const earned = await client.earn(site, { hostname: 'www.localhost' }, from)
  expect((await client.siteverify(site, earned)).status).toBe(200)
  await page.goto(`${site.path}/integrate`)
  const check = page.getByRole('region', { name: 'Check my integration' })
  for (const step of ['Your backend opens intents', 'Visitors solve challenges', 'Your backend redeems tokens'])
    await expect(check.getByRole('listitem', { name: step })).toContainText('Done')
  await expect(mistake).toHaveCount(0)
})
