import { expectAccessible } from './setup/accessible.ts'
import { consoleUrl, openBrowser, openTenant, tenantUrl } from './setup/member.ts'
import { openMerchant } from './setup/merchant.ts'
import { button, dialog, heading } from './setup/page.ts'
import { openStaff, staffUrl } from './setup/staff.ts'
import { expect, test } from './setup/test.ts'
import { expectReceipt, placeOrder, prepareOrder } from './setup/visitor.ts'

test.describe('units', () => {
  test.use({ quota: 1 })

  test('the quota runs out in the middle, support tops up, and the traffic goes on', async ({
    page,
    browser,
    service,
    merchant,
  }) => {
    const visitor = await (await browser.newContext()).newPage()
    const late = await visitor.context().newPage()
    await prepareOrder(late, merchant.shop)
    await prepareOrder(visitor, merchant.shop)
    await placeOrder(visitor).click()
    await expectReceipt(visitor)
    await placeOrder(late).click()
    await expect(late.getByRole('heading', { name: 'The counter is closed for a moment' })).toBeVisible()

    await openStaff(page, service, 'lead')
    await page.goto(staffUrl(service, `/tenants/${merchant.tenantId}`))
    await expect(page.getByRole('region', { name: 'Nothing left' })).toBeVisible()
    await button(page, 'Top up…').click()
    const form = dialog(page, /^Balance of/)
    await form.getByLabel('Units to add').fill('2')
    await button(form, 'Add units').click()
    await expect(form.getByRole('alert')).toContainText('Give a reason')
    await form.getByLabel('Reason').fill('Invoice 42 is paid')
    await expect(form.getByText('Before 0, after 2 units')).toBeVisible()
    await button(form, 'Add units').click()
    await expect(form).toBeHidden()
    await late.getByRole('button', { name: 'Try again' }).click()
    await expectReceipt(late)
    expect(await merchant.books()).toMatchObject({ orders: 2, decisions: 2, fromQuota: 1, balance: 1 })

    // what is spent cannot be taken back; what is not can
    await button(page, 'Undo: Invoice 42 is paid').click()
    await expect(page.getByText('The balance is 1 unit, so 2 cannot be removed.').first()).toBeVisible()
    await button(page, 'Set quota…').click()
    const quota = dialog(page, /^Quota of/)
    await quota.getByLabel('Units a month').fill('5,000')
    await quota.getByLabel('Reason').fill('A bigger plan')
    await expect(quota.getByText('Before 1, after 5,000 units')).toBeVisible()
    await button(quota, 'Set quota').click()
    await expect(page.getByRole('row', { name: /A bigger plan/ })).toContainText('5,000')
    await button(page, 'Undo: set the quota back to 1').click()
    await expect(page.getByRole('row', { name: /Undo of: A bigger plan/ })).toBeVisible()
    expect(await service.tollgate('reconcile')).toMatchObject({ ok: true })
  })
})

test('a suspension shows what it stops, wants the slug typed, and is lifted', async ({ page, service }) => {
  const merchant = await openMerchant(service, 100)
  const { rows } = await service.sql.query<{ slug: string }>('select slug from tenant where id = $1', [
    merchant.tenantId,
  ])
  const slug = rows[0]?.slug ?? ''
  const open = async () => (await page.request.get(`${merchant.shop}/checkout`)).status()
  await openStaff(page, service, 'lead')
  await page.goto(staffUrl(service, `/tenants/${slug}`))
  expect(await open()).toBe(200)
  await button(page, 'Suspend…').click()
  const form = dialog(page, 'Suspend Pennywheel?')
  await expect(form.getByRole('region', { name: 'What it stops' })).toContainText('1 visitor can no longer submit')
  await form.getByLabel('Reason').fill('Card testing')
  await form.getByLabel(/^Type/).fill('penny')
  await button(form, 'Suspend').click()
  await expect(form.getByRole('alert')).toContainText(`Type “${slug}”.`)
  await form.getByLabel(/^Type/).fill(slug)
  await button(form, 'Suspend').click()
  await expect(page.getByRole('region', { name: 'Suspended: all verifications are refused' })).toBeVisible()
  expect(await open()).not.toBe(200)
  await button(page, 'Restore…').click()
  const back = dialog(page, 'Restore Pennywheel?')
  await back.getByLabel('Reason').fill('They showed the orders')
  await button(back, 'Restore').click()
  await expect(button(page, 'Suspend…')).toBeVisible()
  expect(await open()).toBe(200)
  await merchant.close()
})

test('support may look, but not suspend, nor read what is for leads', async ({ page, service }) => {
  const owner = await openTenant(service)
  await openStaff(page, service, 'support')
  await page.goto(staffUrl(service, `/tenants/${owner.tenantId}`))
  await expect(button(page, 'Suspend…')).toHaveAccessibleDescription('Needs Lead. You are Support.')
  await expect(page.getByRole('navigation', { name: 'Pages' }).getByRole('link')).toHaveText([
    'Search',
    'Tenants',
    'Usage',
    'Approvals',
  ])
  await page.goto(staffUrl(service, '/system'))
  await expect(heading(page, 'Page not found')).toBeVisible()
})

test('staff who view as a tenant see a banner, can change nothing, and appear in its audit log', {
  tag: '@accessible',
}, async ({ page, browser, service }) => {
  const owner = await openTenant(service)
  await openStaff(page, service, 'support')
  await page.goto(staffUrl(service, `/tenants/${owner.tenantId}`))
  await button(page, 'View as…').click()
  const form = dialog(page, 'View as Pennywheel')
  await form.getByLabel('Reason').fill('Ticket 4711')
  await button(form, 'View as').click()
  await expect(page).toHaveURL(tenantUrl(service, owner))
  const banner = page.getByRole('region', { name: 'Notices' })
  await expect(banner).toContainText(/You are viewing as Pennywheel: read-only.*(29|30) min left/)
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Settings' }).click()
  await expect(heading(page, 'Settings')).toBeVisible()
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await expect(heading(page, 'Webhooks')).toBeVisible()

  await page.goto(tenantUrl(service, owner, '/members'))
  await expect(button(page, 'Invite')).toHaveAccessibleDescription(/You are viewing as this tenant/)
  const invited = await page.request.post(`${consoleUrl(service)}/trpc/members.invite`, {
    headers: { origin: consoleUrl(service) },
    data: { tenant: owner.slug, email: 'mallory@people.example', role: 'viewer' },
  })
  expect(invited.status()).toBe(403)
  expect(await invited.text()).toContain('view-as-read-only')
  await expectAccessible(page, [1280, 320])
  await page.setViewportSize({ width: 1280, height: 900 })

  await button(banner, 'End now').click()
  await expect(heading(page, 'Pennywheel')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Views as this tenant' })).toContainText('Ticket 4711')
  await page.goto(tenantUrl(service, owner, '/members'))
  await expect(heading(page, 'Page not found')).toBeVisible()

  const theirs = await openBrowser(browser, service, owner)
  await theirs.goto(tenantUrl(service, owner, '/audit'))
  await expect(theirs.getByRole('row', { name: /Viewing started/ })).toContainText('Tollgate support')
  await theirs.getByRole('link', { name: 'Viewing started' }).click()
  await expect(dialog(theirs, 'Viewing started')).toContainText('Ticket 4711')
})

test('a lead asks for a reconciliation and reads what it found; strangers see no staff console', async ({
  page,
  browser,
  service,
}) => {
  const owner = await openTenant(service)
  await openStaff(page, service, 'lead')
  await page.goto(staffUrl(service, '/system'))
  await button(page, 'Run now').click()
  await expect(page.getByText('All charges match')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Reconciliation' })).toContainText('of all tenants')
  await expect(page.getByRole('row', { name: /^reconcile / })).toContainText('Not due yet')
  await page.goto(staffUrl(service, '/audit'))
  await page.getByRole('link', { name: 'Reconciliation requested' }).click()
  await expect(dialog(page, 'Reconciliation requested')).toContainText('Pat Person')

  const theirs = await openBrowser(browser, service, owner)
  await theirs.goto(staffUrl(service))
  await expect(heading(theirs, 'Page not found')).toBeVisible()
})

test('a lead sees an e-mail that failed, tries it again and deletes one', { tag: '@accessible' }, async ({
  page,
  service,
}) => {
  const owner = await openTenant(service)
  await openStaff(page, service, 'lead')
  // refused by the worker, because it was not encrypted for these recipients
  await service.sql.query(
    `select graphile_worker.add_job('send_email', json_build_object('id', gen_random_uuid(), 'to', a, 'subject', 'You are invited',
       'tenant', $1::uuid, 'content', 't1.AAAA')) from unnest(array['ada@people.example', 'ben@people.example']) a`,
    [owner.tenantId],
  )
  // from before the failed jobs were a part of the page
  await page.goto(staffUrl(service, '/jobs'))
  await expect(page).toHaveURL(staffUrl(service, '/system#failed-jobs'))
  const row = (address: string) => page.getByRole('row', { name: address })
  await expect(row('ada@people.example')).toContainText(/You are invited.*\d of 25/)
  await expectAccessible(page)

  await button(row('ben@people.example'), /^Delete: /).click()
  await expectAccessible(page)
  await button(dialog(page, 'Delete this job?'), 'Delete').click()
  await expect(row('ben@people.example')).toHaveCount(0)

  await service.sql.query(
    "update graphile_worker._private_jobs set attempts = max_attempts, run_at = now() where payload->>'to' like 'ada@%'",
  )
  await expect(row('ada@people.example')).toContainText('25 of 25')
  await button(row('ada@people.example'), /^Try again: /).click()
  await expect(row('ada@people.example')).not.toContainText('25 of 25')

  await page.goto(staffUrl(service, '/audit'))
  await expect(page.getByRole('link', { name: 'Failed job tried again' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Failed job deleted' })).toBeVisible()
  await service.sql.query("delete from graphile_worker._private_jobs where payload->>'tenant' = $1", [owner.tenantId])
})

test.describe('accessible', () => {
  test.slow()

  test('every page of our own people, light and dark, wide and narrow', { tag: '@accessible' }, async ({
    page,
    service,
    merchant,
  }) => {
    const intent = await merchant.intent()
    await openStaff(page, service, 'lead')
    const pages: Record<string, RegExp> = {
      '': /Search/,
      '?q=pennywheel': /Search/,
      '?q=deadbeef': /Search/,
      [`/trace/${intent}`]: /Intent/,
      '/tenants': /Tenants/,
      [`/tenants/${merchant.tenantId}`]: /Pennywheel/,
      '/usage': /Usage/,
      '/approvals': /Approvals/,
      '/erasure': /Erasure/,
      '/audit': /Audit/,
      '/system': /System/,
    }
    for (const [path, title] of Object.entries(pages)) {
      await page.goto(staffUrl(service, path))
      await expect(heading(page, title)).toBeVisible()
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      await expectAccessible(page)
    }
  })

  test('every dialog of theirs, open', { tag: '@accessible' }, async ({ page, service, merchant }) => {
    await openStaff(page, service, 'lead')
    await page.goto(staffUrl(service, `/tenants/${merchant.tenantId}`))
    for (const [name, title] of [
      ['Top up…', /^Balance of/],
      ['Set quota…', /^Quota of/],
      ['Suspend…', /^Suspend/],
      ['View as…', /^View as/],
    ] as const) {
      await button(page, name).click()
      await expect(dialog(page, title)).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(dialog(page, title)).toBeHidden()
    }
    await page.goto(staffUrl(service, '/audit'))
    await page.getByRole('link', { name: 'Tenant created' }).first().click()
    await expect(dialog(page, 'Tenant created')).toBeVisible()
    await expectAccessible(page)
  })
})
