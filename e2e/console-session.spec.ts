import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './setup/accessible.ts'
import { decide } from './setup/decided.ts'
import { ageSignIn, consoleUrl, givePassword, type Member, openBrowser, openTenant, tenantUrl } from './setup/member.ts'
import { button, dialog, expectErrorAt, heading, unfold } from './setup/page.ts'
import type { Service } from './setup/service.ts'
import type { Site } from './setup/site.ts'
import { expect, test } from './setup/test.ts'

type Form = {
  /** After the tenant's own path, or of the whole console. */
  path: string
  /** Fills the form; the button that sends it. */
  fill: (page: Page) => Promise<Locator>
  /** What the page shows once it is saved. */
  saved: string
}

/** Opens a form in a sheet, fills its fields, and chooses the button at its end. */
const sheet = (open: string, title: string, submit: string, fields: Record<string, string>) => async (page: Page) => {
  await button(page, open).click()
  for (const [label, value] of Object.entries(fields))
    await dialog(page, title).getByLabel(label, { exact: true }).fill(value)
  return button(dialog(page, title), submit)
}

const inPage = (label: string, value: string, submit: string) => async (page: Page) => {
  await page.getByLabel(label, { exact: true }).and(page.locator('input, textarea')).fill(value)
  return button(page, submit)
}

/** A form of each kind. All send by one of the two clients that `clients.test.ts` names. */
const FORMS: Readonly<Record<string, Form>> = {
  'a policy': {
    path: '/sites/$site/settings',
    fill: async (page) => {
      await unfold(page, 'Advanced')
      return inPage('Base difficulty', '500000', 'Save policy')(page)
    },
    saved: 'Policy saved',
  },
  'the name of a site': {
    path: '/sites/$site/settings',
    fill: inPage('Name', 'Second shop', 'Rename'),
    saved: 'Site renamed to Second shop',
  },
  'a site': {
    path: '/sites',
    fill: sheet('Create site', 'Create a site', 'Create site', { Name: 'Forum', 'First hostname': 'forum.example' }),
    saved: 'Your site’s keys',
  },
  'a hostname': {
    path: '/sites/$site/hostnames',
    fill: inPage('Add hostnames', 'forum.example', 'Add'),
    saved: 'forum.example added',
  },
  'a network': {
    path: '/sites/$site/networks',
    fill: sheet('Add network', 'Add a network', 'Add network', { Network: '203.0.113.0/24', Note: 'Office' }),
    saved: 'Office',
  },
  'a grant': {
    path: '/decisions/$decision',
    fill: sheet('Issue grant…', 'Issue grant', 'Issue', { Uses: '2' }),
    saved: 'Your backend has to send this id',
  },
  'an invitation': {
    path: '/members',
    fill: sheet('Invite', 'Invite to Pennywheel', 'Send invitation', { 'E-mail': 'dana@people.example' }),
    saved: 'Invited dana@people.example',
  },
  'an API key': {
    path: '/settings/api-keys',
    fill: sheet('Create key', 'Create an API key', 'Create key', { Name: 'Pipeline' }),
    saved: 'Your new API key',
  },
  'a webhook': {
    path: '/settings/webhooks',
    fill: sheet('Create webhook', 'Create a webhook', 'Create webhook', { URL: 'https://127.0.0.1/hooks' }),
    saved: 'The signing secret',
  },
  'a request for units': {
    path: '/usage',
    fill: sheet('Request more', 'Request more units', 'Send request', {
      'Units a month, in total': '200000',
      'What for': 'Sale',
    }),
    saved: 'Request sent',
  },
  'the name of a tenant': {
    path: '/settings',
    fill: inPage('Name', 'Pennywheel Ltd', 'Rename'),
    saved: 'Tenant renamed to Pennywheel Ltd',
  },
  'the name of a person': {
    path: '/account',
    fill: inPage('Name', 'Sam Person', 'Change name'),
    saved: 'Name changed',
  },
}

for (const [what, { path, fill, saved }] of Object.entries(FORMS)) {
  test(`a session that ends under a half-filled form asks for the password over it, and it is saved: ${what}`, async ({
    page,
    service,
    owner,
    site,
  }) => {
    await service.sql.query('update site set grant_max_ttl = 600, grant_max_uses = 3 where id = $1', [site.id])
    const decision = path.includes('$decision') ? await decide(service, site) : ''
    const url = path.replace('$site', site.id).replace('$decision', decision)
    await page.goto(path === '/account' ? consoleUrl(service) + path : tenantUrl(service, owner, url))
    const submit = await fill(page)
    await page.context().clearCookies()
    await submit.click()
    const asking = dialog(page, 'Your session has ended')
    await expect(asking).toContainText(owner.email)
    await asking.getByLabel('Password', { exact: true }).fill('not my password')
    await button(asking, 'Sign in').click()
    await expectErrorAt(asking, 'Password', 'Wrong password.')
    await asking.getByLabel('Password', { exact: true }).fill(owner.password)
    await button(asking, 'Sign in').click()
    await expect(page.getByText(saved).first()).toBeVisible()
  })
}

test.describe('the demo password', () => {
  // a reply may still be on its way
  test.afterEach(({ page }) => page.unrouteAll({ behavior: 'wait' }))

  /** Lets the page believe that the service is an evaluation that has named these people to this browser. */
  async function pretendEvaluation(page: Page, people: readonly object[]): Promise<void> {
    await page.route(/\/trpc\/.*system\.overview/, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replace('"production"', '"evaluation"') })
    })
    await page.route('**/dev/mailbox/people', (route) => route.fulfill({ json: people }))
  }

  async function askForSignIn(page: Page, service: Service, owner: Member, site: Site): Promise<Locator> {
    await page.goto(`${site.path}/keys`)
    await ageSignIn(service, owner)
    await button(page, 'Rotate').click()
    await button(dialog(page, 'Rotate the secret key'), 'Rotate').click()
    const asking = dialog(page, 'Confirm it’s you')
    await expect(asking.getByLabel('Password', { exact: true })).toBeVisible()
    return asking
  }

  test('is filled in for one of the demo people that this browser knows', async ({ page, service, owner, site }) => {
    const { email, password } = owner
    await pretendEvaluation(page, [{ email, password, name: 'Pat', role: 'owner' }])
    const asking = await askForSignIn(page, service, owner, site)
    await button(asking, 'Fill in the demo password').click()
    await button(asking, 'Confirm').click()
    await expect(dialog(page, 'Your new secret key')).toBeVisible()
    await expect(asking).toBeHidden()
  })

  test('is in demo.json for a browser that has not opened the mailbox', async ({ page, service, owner, site }) => {
    await pretendEvaluation(page, [])
    const asking = await askForSignIn(page, service, owner, site)
    await expect(asking).toContainText('passwords are in demo.json; npm start printed where that file is')
    await expect(button(asking, 'Fill in the demo password')).toHaveCount(0)
  })

  test('is not offered to a person with an account of their own', async ({ page, service, owner, site }) => {
    await pretendEvaluation(page, [{ email: 'ada@people.example', password: 'other', name: 'Ada', role: 'owner' }])
    const known = page.waitForResponse('**/dev/mailbox/people')
    const asking = await askForSignIn(page, service, owner, site)
    await known
    await asking.getByLabel('Password', { exact: true }).fill(owner.password)
    await expect(asking).not.toContainText(/demo/)
  })

  test('is not mentioned outside an evaluation', async ({ page, service, owner, site }) => {
    const asking = await askForSignIn(page, service, owner, site)
    await expect(asking).not.toContainText(/demo/)
  })
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
  await expect(page.getByText('Get started')).toBeVisible()
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
