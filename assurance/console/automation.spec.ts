import { expectAccessible } from '../../e2e/setup/accessible.ts'
import { tenantUrl } from '../../e2e/setup/member.ts'
import { unfold } from '../../e2e/setup/page.ts'
import { expect, test } from '../../e2e/setup/test.ts'
import { createTestClient } from '../../test/support/client.ts'

const origin = 'http://localhost'
const CURL = { origin, headers: { 'user-agent': 'curl/8.5.0' } }

test('the console names the signs of automation, and can refuse clients that name a tool', {
  tag: '@accessible',
}, async ({ page, service, owner }) => {
  const site = await service.operator.createSite(owner.tenantId, { name: 'Storefront', hostname: 'localhost' })
  await service.sql.query('update site set base_work = 1024 where id = $1', [site.id])
  const client = createTestClient(service.url)
  const binding = { hostname: 'localhost' }
  const redeem = async (earned: Record<string, string>) =>
    String((await client.siteverify(site, earned)).body['decision_id'])
  await redeem(await client.earn(site, binding, { origin, address: '10.0.0.1' }))
  const id = await redeem(await client.earn(site, binding, CURL))
  const home = tenantUrl(service, owner)

  await page.goto(`${home}/decisions`)
  const rows = page.getByRole('table', { name: 'Decisions' }).getByRole('link')
  await expect(rows).toHaveCount(2)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await unfold(page, 'More filters')
  await page.getByRole('combobox', { name: 'Difficulty raised by' }).click()
  await page.getByRole('option', { name: 'Signs of automation' }).click()
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(rows).toHaveCount(1)
  await rows.click()
  await expect(page).toHaveURL(new RegExp(id))
  await expect(page.getByText('×4 for signs of automation: it names an automation tool')).toBeVisible()
  await expect(page.getByText('Solved SHA-256 in')).toBeVisible()

  await page.goto(`${home}/sites/${site.id}/settings`)
  await unfold(page, 'Advanced')
  const refuse = page.getByRole('switch', { name: 'Refuse declared automation' })
  await expect(refuse).not.toBeChecked()
  await refuse.click()
  await page.getByRole('button', { name: 'Save policy' }).click()
  await expect(page.getByText('Policy saved')).toBeVisible()
  await page.reload()
  await unfold(page, 'Advanced')
  await expect(refuse).toBeChecked()
  const intent = await client.intent(site, binding)
  const challenge = (visit: object) => client.challenge(site, intent.body['intent_id'], visit)
  expect((await challenge(CURL)).status).toBe(429)
  expect((await challenge({ origin })).status).toBe(200)
  // refusals are written within a second
  await expect(async () => {
    await page.goto(`${home}/refusals`)
    await expect(page.getByText('The client names an automation tool').first()).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expectAccessible(page)
})
