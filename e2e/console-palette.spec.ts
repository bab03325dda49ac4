import { openOverview, openTenant, signIn, tenantUrl } from './setup/member.ts'
import { button, heading } from './setup/page.ts'
import { makeSite } from './setup/site.ts'
import { expect, test } from './setup/test.ts'

test('the palette leads to a page and to a site by keyboard alone, and Escape leads back', async ({
  page,
  service,
}) => {
  await makeSite(service, await openOverview(page, service))
  const palette = page.getByRole('dialog', { name: 'Search or jump to' })
  const search = async (words: string, found: string | RegExp) => {
    await page.keyboard.press('Control+k')
    await expect(palette.getByRole('combobox')).toBeFocused()
    await page.keyboard.type(words)
    // pages of the docs that are found later may have the name too
    await expect(palette.getByRole('option', { name: found }).first()).toHaveAttribute('data-highlighted')
    await page.keyboard.press('Enter')
    await expect(palette).toBeHidden()
  }
  await search('memb', 'Members')
  await expect(heading(page, 'Members')).toBeFocused()
  await search('storef', /^Storefront(?!:)/)
  await expect(heading(page, 'Storefront')).toBeFocused()
  await expect(page).toHaveURL(/\/sites\/[0-9a-f-]{36}$/)

  // without a text, the page before is the first result
  await page.keyboard.press('Control+k')
  await expect(palette.getByRole('group', { name: 'Recent' }).getByRole('option')).toHaveText(['Members', 'Overview'])
  await expect(palette.getByRole('group', { name: 'Pages' }).getByRole('option', { name: 'Sites' })).toContainText(
    'g s',
  )
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Members')).toBeFocused()

  const opener = page.getByRole('button', { name: 'Search or jump to…' })
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('nothing is called this')
  await expect(palette.getByText('No results.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(palette).toBeHidden()
  await expect(opener).toBeFocused()
})

test('a touch screen shows no keys', async ({ browser, service }) => {
  const owner = await openTenant(service)
  const context = await browser.newContext({ hasTouch: true, isMobile: true, viewport: { width: 375, height: 700 } })
  const phone = await context.newPage()
  await signIn(phone, service, owner)
  await phone.goto(tenantUrl(service, owner))
  await button(phone, 'Open navigation').click()
  const opener = phone.getByRole('dialog', { name: 'Navigation' }).getByRole('button', { name: 'Search or jump to…' })
  await expect(opener).toBeVisible()
  await expect(opener.locator('kbd')).toBeHidden()
  await opener.click()
  const sites = phone.getByRole('dialog', { name: 'Search or jump to' }).getByRole('option', { name: 'Sites' })
  await expect(sites).toBeVisible()
  await expect(sites.locator('kbd')).toBeHidden()
  await context.close()
})

test('what is typed after Ctrl+K is typed into the palette, also while its code still loads', async ({
  page,
  service,
}) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(/\/assets\/\w*Palette-.*\.js$/, async (route) => {
    await held
    await route.continue()
  })
  await openOverview(page, service)
  const palette = page.getByRole('dialog', { name: 'Search or jump to' })
  const overview = page.url()

  await page.keyboard.press('Control+k')
  await page.keyboard.type('gu')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  // as shortcuts, its letters open the usage
  await page.keyboard.type('guidx')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('e ?')
  release()
  await expect(palette.getByRole('combobox')).toBeFocused()
  await page.keyboard.type(' end')
  await expect(palette.getByRole('combobox')).toHaveValue('guide ? end')
  expect(page.url()).toBe(overview)

  await page.keyboard.press('Escape')
  await expect(palette).toBeHidden()
  await page.keyboard.type('gu')
  await expect(heading(page, 'Usage')).toBeVisible()
})
