import { expectAccessible } from './setup/accessible.ts'
import { consoleUrl, givePassword, openBrowser, openTenant, tenantUrl } from './setup/member.ts'
import { button, dialog, heading, unfold } from './setup/page.ts'
import { expect, test } from './setup/test.ts'

test('a session that ends under a half-filled form asks for the password over it, and the form is saved', async ({
  page,
  owner,
  site,
}) => {
  await page.goto(`${site.path}/settings`)
  await unfold(page, 'Advanced')
  const difficulty = page.getByRole('spinbutton', { name: 'Base difficulty' })
  await difficulty.fill('500000')
  await page.context().clearCookies()
  await button(page, 'Save policy').click()
  const asking = dialog(page, 'Your session has ended')
  await expect(asking).toContainText(owner.email)
  await asking.getByLabel('Password', { exact: true }).fill(owner.password)
  await button(asking, 'Sign in').click()
  await expect(page.getByText('Policy saved')).toBeVisible()
  await page.reload()
  await unfold(page, 'Advanced')
  await expect(difficulty).toHaveValue('500000')
})

test('signing in in another tab continues in this one', async ({ page, context, service, owner }) => {
  await page.goto(tenantUrl(service, owner))
  await expect(heading(page, 'Overview')).toBeVisible()
  await context.clearCookies()
  // the next call finds out
  const asking = dialog(page, 'Your session has ended')
  const opened = context.waitForEvent('page')
  await asking.getByRole('link', { name: 'sign in in another tab' }).click()
  const other = await opened
  await givePassword(other, service, owner)
  await expect(heading(other, 'Overview')).toBeVisible()
  await page.bringToFront()
  // a browser without windows does not move the focus
  await page.evaluate("dispatchEvent(new Event('focus'))")
  await expect(asking).toBeHidden()
  await expect(page.getByText('No sites yet').first()).toBeVisible()
})

test('if the person cancels, what was changed is not left without a question', async ({ page, site }) => {
  await page.goto(`${site.path}/settings`)
  await unfold(page, 'Advanced')
  const difficulty = page.getByRole('spinbutton', { name: 'Base difficulty' })
  await difficulty.fill('500000')
  await page.context().clearCookies()
  await button(page, 'Save policy').click()
  const asked: string[] = []
  page.on('dialog', async (question) => {
    asked.push(question.type())
    await question.dismiss()
  })
  await button(dialog(page, 'Your session has ended'), 'Cancel').click()
  await expect.poll(() => asked).toContain('beforeunload')
  // the next call asks again, over the page
  await expect(page.getByRole('spinbutton', { name: 'Base difficulty', includeHidden: true })).toHaveValue('500000')
})

test('another person who signs in gets their own pages', { tag: '@accessible' }, async ({
  page,
  browser,
  service,
  owner,
}) => {
  const other = await openTenant(service, 'Harbour')
  await page.goto(tenantUrl(service, owner))
  await expect(heading(page, 'Overview')).toBeVisible()
  await page.context().clearCookies()
  // the next call finds out
  await expect(dialog(page, 'Your session has ended')).toBeVisible()
  await expectAccessible(page)
  const theirs = await openBrowser(browser, service, other)
  await page.context().addCookies(await theirs.context().cookies(consoleUrl(service)))
  await page.evaluate("dispatchEvent(new Event('focus'))")
  await expect(page.getByText('Pennywheel')).toHaveCount(0)
})

test('while the database does not answer, the page says that it is not the connection, and recovers by itself', async ({
  page,
  service,
  owner,
}) => {
  await page.goto(tenantUrl(service, owner))
  const lock = await service.sql.connect()
  try {
    await lock.query('begin')
    await lock.query('lock table site in access exclusive mode')
    await page.getByRole('complementary').getByRole('link', { name: 'Sites' }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'Tollgate is busy' })
    await expect(alert).toContainText('It is not your connection', { timeout: 60_000 })
  } finally {
    await lock.query('rollback')
    lock.release()
  }
  await expect(page.getByText('No sites yet')).toBeVisible({ timeout: 30_000 })
})
