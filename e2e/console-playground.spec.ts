import { expectAccessible } from './setup/accessible.ts'
import { makeMember, openTenant, signIn } from './setup/member.ts'
import { unfold } from './setup/page.ts'
import { makeSite } from './setup/site.ts'
import { expect, test } from './setup/test.ts'

test.use({ expectedErrors: /^Tollgate: / })

test('a site is verified in the console, call by call, and each fault shows what visitor and backend get', {
  tag: '@accessible',
}, async ({ page, service, owner, site }) => {
  await service.sql.query("update site set base_work = 1024, challenge_kind = 'sha256' where id = $1", [site.id])
  // none of the console's, which the playground needs no entry for
  await service.sql.query("update hostname set hostname = 'shop.example' where site_id = $1", [site.id])
  await page.goto(`${site.path}/integrate`)
  await unfold(page, 'Playground')
  const playground = page.getByRole('main')
  const calls = playground.getByRole('list', { name: 'Calls' }).getByRole('listitem')
  const visitor = page.frameLocator('iframe[title="The component"]')
  const run = async (fault: string) => {
    await playground.getByRole('radio', { name: fault }).check()
    await playground.getByRole('button', { name: /^Start/ }).click()
  }

  await run('Valid form')
  await expect(playground.getByText('Completed', { exact: true })).toBeVisible()
  await expect(playground.getByText(/^It works: 4 calls, [\d.]+ s\.$/)).toBeVisible()
  await expect(calls).toHaveText([/200.*\/intents/, /200.*\/challenge/, /200.*\/solve/, /200.*\/siteverify/])
  await expectAccessible(page)

  await run('Reused token')
  await expect(playground.getByText('Refused', { exact: true })).toBeVisible()
  await expect(calls.last()).toContainText('already-redeemed')
  await expect(calls.last()).toContainText('The visitor submitted the form twice')

  await run('Wrong host')
  await expect(visitor.getByText('This address is not on the site’s list')).toBeVisible()
  await expect(calls).toHaveText([/200.*\/intents/, /403.*origin-not-allowed/])
  await expect(calls.last()).toContainText('The page’s hostname is not the intent’s')

  await run('Expired')
  await expect(visitor.getByText('Verification expired')).toBeVisible()
  await expect(calls.last()).toContainText('intent-expired')
  await expect(calls.last()).toContainText('The form was open for more than five minutes')

  await run('No units left')
  await expect(calls.last()).toContainText('quota-exceeded')
  await expect(calls.last()).toContainText('402')

  // two were completed, and none of them is taken for a call of the merchant's own
  const { rows } = await service.sql.query('select count(*)::int as n from decision where tenant_id = $1', [
    owner.tenantId,
  ])
  expect(rows).toEqual([{ n: 2 }])
  await expect(page.getByText('No call to /intents with this site’s secret yet')).toBeVisible()

  await run('Valid form')
  await calls.last().getByRole('link', { name: 'Open the decision' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Decision/ })).toBeVisible()
})

test('a viewer is told why a verification cannot be started', async ({ page, service }) => {
  const owner = await openTenant(service)
  const site = await makeSite(service, owner)
  await signIn(page, service, await makeMember(service, owner, 'viewer'))
  await page.goto(`${site.path}/integrate`)
  await unfold(page, 'Playground')
  await expect(page.getByRole('main').getByRole('button', { name: 'Start' })).toBeDisabled()
})
