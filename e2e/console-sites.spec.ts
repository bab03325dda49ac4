import { createTestClient } from '../test/support/client.ts'
import { expectAccessible } from './setup/accessible.ts'
import { ageSignIn, confirmIdentity, consoleUrl, makeMember, openTenant, signIn, tenantUrl } from './setup/member.ts'
import { button, dialog, takeSecret, unfold } from './setup/page.ts'
import type { Service } from './setup/service.ts'
import { makeSite, openIntent, type Site } from './setup/site.ts'
import { expect, test } from './setup/test.ts'

const listNetwork = (service: Service, site: Site) =>
  service.tollgate(
    'networks',
    'add',
    '--site',
    site.id,
    '--network',
    '203.0.113.0/24',
    '--verdict',
    'deny',
    '--note',
    'Bots',
  )

test('a site is made, its secret shown once, and the secret works', async ({ page, service, owner }) => {
  await page.goto(tenantUrl(service, owner, '/sites'))
  await expect(page.getByText('No sites yet')).toBeVisible()
  await button(page, 'Create site').click()
  const sheet = dialog(page, 'Create a site')
  await sheet.getByLabel('Name', { exact: true }).fill('Storefront')
  await sheet.getByLabel('First hostname').fill('https://Shop.example:8443/cart')
  await button(sheet, 'Create site').click()

  await expect(dialog(page, 'Your site’s keys')).toBeVisible()
  // what is behind it has not moved
  await expect(page.getByText('No sites yet')).toBeAttached()
  const secret = await takeSecret(page, 'Your site’s keys', 'Continue to Integrate')
  expect(secret).toMatch(/^tg_secret_[0-9A-Za-z]{49}$/)
  // what comes next
  await expect(page.getByRole('heading', { name: 'Add it to your form' })).toBeVisible()
  const kept = await page.evaluate<string>(
    'document.documentElement.outerHTML + JSON.stringify({ ...localStorage, ...sessionStorage }) + location.href',
  )
  expect(kept).not.toContain(secret)

  await expect(page.getByRole('heading', { level: 1, name: 'Storefront' })).toBeFocused()
  await button(page, 'Allow localhost').click()
  await expect(button(page, 'Allow localhost')).toBeHidden()
  const sitekey = (await page.locator('header code').innerText()).trim()
  const client = createTestClient(service.url)
  const intent = await client.intent({ sitekey, secret }, { hostname: 'shop.example' })
  expect(intent.body).toMatchObject({ sitekey, hostname: 'shop.example' })

  await page.getByRole('link', { name: 'Keys', exact: true }).click()
  await expect(page.getByText(`tg_secret_…${secret.slice(-4)}`)).toBeVisible()
  expect(await page.content()).not.toContain(secret)
})

test('a hostname that was refused is named on the overview and allowed with one click; one that was removed comes back by undo', {
  tag: '@accessible',
}, async ({ page, service, owner, site }) => {
  expect(await openIntent(service, site, { hostname: 'shop.example' })).toBe(422)
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await expect(async () => {
    await page.goto(tenantUrl(service, owner))
    await expect(attention).toContainText('shop.example is not allowed · 1 call in 7 days', { timeout: 1000 })
  }).toPass()
  await expectAccessible(page)
  await attention.getByRole('link', { name: 'Fix shop.example' }).click()
  await button(page, 'Allow shop.example').click()
  const allowed = page.getByRole('table', { name: 'Hostnames of the site' })
  await expect(allowed.getByRole('row', { name: /shop\.example/ })).toBeVisible()
  await expect(page.getByText('No refused hostnames')).toBeVisible()
  expect(await openIntent(service, site, { hostname: 'shop.example' })).toBe(200)

  await button(page, 'Remove shop.example').click()
  await expect(allowed.getByRole('row', { name: /shop\.example/ })).toBeHidden()
  expect(await openIntent(service, site, { hostname: 'shop.example' })).toBe(422)
  // several undos may be offered at once: each says what it takes back
  await button(page, 'Remove localhost').click()
  await expect(page.getByRole('button', { name: /^Undo/ })).toHaveCount(2)
  await button(page, 'Undo: shop.example removed').click()
  await expect(allowed.getByRole('row', { name: /shop\.example/ })).toBeVisible()
  expect(await openIntent(service, site, { hostname: 'shop.example' })).toBe(200)

  const field = page.getByLabel('Add hostnames')
  await field.fill('bücher.example')
  await field.press('Enter')
  await expect(allowed.getByRole('row', { name: /xn--bcher-kva\.example/ })).toBeVisible()
  await button(page, 'Undo: Added as xn--bcher-kva.example').click()
  await expect(allowed.getByRole('row', { name: /xn--bcher-kva\.example/ })).toBeHidden()

  // several at once: what is no hostname stays in the field, and what is listed already says so
  await field.fill('https://a.example:8443/form\n*.b.example\nshop.example')
  await button(page, 'Add').click()
  await expect(allowed.getByRole('row', { name: /a\.example/ })).toBeVisible()
  await expect(page.getByText('shop.example is already one of the site’s hostnames')).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('*.b.example: Wildcards aren’t supported')
  await expect(field).toHaveValue('*.b.example')
})

test('the check of an integration tells what arrived and what is missing', async ({ page, service, owner, site }) => {
  await page.goto(`${site.path}/integrate`)
  const step = (name: string) => page.getByRole('listitem', { name })
  await expect(step('The site is ready')).toContainText('Done')
  await expect(step('Your backend opens intents')).toContainText('Missing')
  // of Node and of the short program at first, later of what was chosen
  await expect(page.locator('details[open]').getByText(site.sitekey)).toBeVisible()
  await expect(button(page, 'Copy server.mjs')).toBeVisible()
  await page.getByRole('tab', { name: 'Python' }).click()
  await expect(page).toHaveURL(/language=python/)
  await page.goto(`${site.path}/integrate`)
  await expect(button(page, 'Copy app.py')).toBeVisible()
  await unfold(page, 'Code for production')
  await unfold(page, 'open an intent')
  await expect(page.locator('details[open] details[open]')).toContainText('tollgate = Tollgate(')
  await unfold(page, 'Your page: place the component')
  await expect(page.locator('details[open] details[open]').getByText(site.sitekey)).toBeVisible()
  await unfold(page, 'Or your page in React')
  await expect(page.getByText(/npm install \S+\/sdk\/tollgate-widget-/).first()).toBeVisible()
  await page.getByRole('tab', { name: 'WordPress' }).click()
  await expect(page.getByRole('link', { name: /^tollgate-wordpress-.*\.zip$/ })).toHaveAttribute(
    'href',
    /\/sdk\/tollgate/,
  )
  await expect(page.getByRole('listitem').getByText(site.sitekey)).toBeVisible()

  const client = createTestClient(service.url)
  const earn = () => client.earn(site, { hostname: 'localhost' }, { origin: 'http://localhost' })
  // one or two could be visitors who are still typing
  const [earned] = [await earn(), await earn(), await earn()]
  await expect(step('Your backend opens intents')).toContainText('3 intents')
  await expect(step('Your backend redeems tokens')).toContainText('Missing')
  // a site with traffic: what is wrong, then the check, then the code, which is folded
  await page.goto(`${site.path}/integrate`)
  await expect(step('Your backend never calls /siteverify')).toBeVisible()
  await expect(step('Your backend redeems tokens')).toContainText('No token was redeemed.')
  const folded = page.locator('details:not([open]) > summary')
  await expect(folded).toHaveText(['Add it to your form', 'Playground', 'Test keys'])
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
    'Likely mistakes',
    'Check my integration',
  ])
  await unfold(page, 'Add it to your form')
  await page.getByRole('tab', { name: 'Node' }).click()
  await expect(button(page, 'Copy server.mjs')).toBeVisible()
  await page.getByRole('link', { name: 'Overview' }).last().click()
  await expect(page.getByRole('region', { name: 'You are not calling /siteverify' })).toBeVisible()

  expect((await client.siteverify(site, earned)).status).toBe(200)
  await page.getByRole('link', { name: 'Integrate' }).click()
  await expect(page.getByRole('heading', { name: 'Likely mistakes' })).toHaveCount(0)
  await expect(step('Visitors solve challenges')).toContainText('3 solved challenges')
  await expect(step('Your backend redeems tokens')).toContainText('1 decision')
  await page.goto(tenantUrl(service, owner))
  await expect(page.getByText('Completion rate').first()).toBeVisible()
  await expect(page.getByText('Get started')).toBeHidden()
  await expect(page.getByRole('region', { name: 'You are not calling /siteverify' })).toBeHidden()
})

test('a policy shows its price before it is saved, and is kept', async ({ page, service }) => {
  const owner = await openTenant(service)
  const site = await makeSite(service, owner)
  await signIn(page, service, owner)
  await page.goto(`${site.path}/settings`)
  await unfold(page, 'Advanced')
  const slowPhone = page.getByRole('row', { name: /Slow phone/ })
  await expect(slowPhone).toContainText('2.1 s')
  await page.getByRole('spinbutton', { name: 'Base difficulty' }).fill('500000')
  await expect(slowPhone).toContainText('1.0 s')
  await page.getByRole('radio', { name: 'Fixed' }).check()
  await expect(slowPhone).not.toContainText('13 s')
  await page.getByRole('spinbutton', { name: 'Max uses' }).fill('11')
  await button(page, 'Save policy').click()
  await expect(page.getByRole('alert')).toContainText('A whole number from 1 to 10.')
  await page.getByRole('spinbutton', { name: 'Max uses' }).fill('2')
  await page.getByRole('switch', { name: 'Allow grants' }).click()
  await button(page, 'Save policy').click()
  await expect(page.getByText('Policy saved')).toBeVisible()
  await page.reload()
  await unfold(page, 'Advanced')
  await expect(page.getByRole('spinbutton', { name: 'Base difficulty' })).toHaveValue('500000')
  await expect(page.getByRole('switch', { name: 'Allow grants' })).not.toBeChecked()
})

test('a paused site refuses, and works again when it is resumed', async ({ page, service, site }) => {
  await page.goto(`${site.path}/settings`)
  await button(page, 'Pause site').click()
  const asking = dialog(page, 'Pause Storefront?')
  await expect(asking).toContainText('site-disabled')
  await button(asking, 'Pause site').click()
  await expect(page.getByRole('region', { name: 'Resume this site' })).toBeVisible()
  expect(await openIntent(service, site)).toBe(403)
  await page.getByRole('link', { name: 'Overview', exact: true }).last().click()
  const notice = page.getByRole('region', { name: 'This site is paused' })
  await button(notice, 'Resume').click()
  await expect(notice).toBeHidden()
  expect(await openIntent(service, site)).toBe(200)
})

test('a double click on a question does once what it asked for', async ({ page, service, owner }) => {
  const { path } = await makeSite(service, owner)
  const sent: string[] = []
  page.on('request', (request) => sent.push(...(request.url().match(/sites\.pause|secrets\.rotate/g) ?? [])))
  await page.goto(`${path}/keys`)
  await button(page, 'Rotate').click()
  await button(dialog(page, 'Rotate the secret key'), 'Rotate').dblclick()
  await takeSecret(page, 'Your new secret key')
  await page.goto(`${path}/settings`)
  await button(page, 'Pause site').click()
  await button(dialog(page, 'Pause Storefront?'), 'Pause site').dblclick()
  await expect(button(page, 'Resume')).toBeVisible()
  expect(sent).toEqual(['secrets.rotate', 'sites.pause'])
})

test('a site is deleted only by typing its name', async ({ page, service, owner, site }) => {
  await page.goto(`${site.path}/settings`)
  await ageSignIn(service, owner)
  await button(page, 'Delete site').click()
  const asking = dialog(page, 'Delete Storefront?')
  await asking.getByRole('textbox').fill('storefront')
  await expect(button(asking, 'Delete site')).toHaveAttribute('aria-disabled', 'true')
  await asking.getByRole('textbox').fill('Storefront')
  await button(asking, 'Delete site').click()
  await confirmIdentity(page, owner)
  await expect(page.getByText('No sites yet')).toBeVisible()
  expect(await openIntent(service, site)).toBe(401)
  await page.goto(site.path)
  await expect(page.getByRole('heading', { level: 1, name: 'Site not found' })).toBeVisible()
})

test('a viewer sees what the role allows, cannot change anything, and sees why', async ({ page, service }) => {
  const owner = await openTenant(service)
  const site = await makeSite(service, owner)
  const viewer = await makeMember(service, owner, 'viewer')
  await signIn(page, service, viewer)
  await page.goto(tenantUrl(service, owner, '/sites'))
  const why = 'Needs Owner, Admin or Developer. You are Viewer.'
  const create = button(page, 'Create site')
  await expect(create).toHaveAttribute('aria-disabled', 'true')
  await expect(create).toHaveAccessibleDescription(why)
  await create.click({ force: true })
  await expect(dialog(page, 'Create a site')).toBeHidden()

  await page.goto(`${site.path}/hostnames`)
  await expect(button(page, 'Remove localhost')).toHaveAccessibleDescription(why)
  await expect(button(page, 'Add')).toHaveAccessibleDescription(why)
  await expect(page.getByRole('link', { name: 'Keys', exact: true })).toBeHidden()
  await page.goto(`${site.path}/keys`)
  await expect(page.getByText('You don’t have access to keys')).toBeVisible()
  await expect(page.getByText('Ask Pat Person (owner).')).toBeVisible()
  await expect(page.getByText(`…${site.secret.slice(-4)}`)).toBeHidden()
})

test.describe('for everybody', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  /** The pages, and on each the buttons that open a dialog, with its title. */
  const routes: Record<string, Record<string, RegExp>> = {
    '/o/$': {},
    '/o/$/sites': { 'Create site': /Create a site/ },
    '/o/$/sites/$': {},
    '/o/$/sites/$/keys': { Rotate: /Rotate the secret/, '^Revoke tg_secret': /Revoke this secret/ },
    '/o/$/sites/$/hostnames': {},
    '/o/$/sites/$/networks': { 'Add network': /Add a network/, '^Change': /Change 203/ },
    '/o/$/sites/$/integrate': {},
    '/o/$/sites/$/settings': { 'Pause site': /Pause Storefront/, 'Delete site': /Delete Storefront/ },
  }

  for (const [route, dialogs] of Object.entries(routes)) {
    test(`${route} can be used, light and dark, wide and narrow, with dialogs open`, { tag: '@accessible' }, async ({
      page,
      service,
      owner,
      site,
    }) => {
      test.setTimeout(240_000)
      await openIntent(service, site, { hostname: 'shop.example' })
      await openIntent(service, site)
      // that of a new site, of which the settings show the prices
      await service.sql.query('update site set base_work = default where id = $1', [site.id])
      if (route.endsWith('/networks')) await listNetwork(service, site)
      await page.goto(consoleUrl(service) + route.replace('$', owner.slug).replace('$', site.id))
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      await expectAccessible(page)
      for (const [name, title] of Object.entries(dialogs)) {
        await button(page, name.startsWith('^') ? new RegExp(name) : name)
          .first()
          .click()
        await expect(dialog(page, title)).toBeVisible()
        await expectAccessible(page)
        await page.keyboard.press('Escape')
        await expect(dialog(page, title)).toBeHidden()
      }
    })
  }
})
