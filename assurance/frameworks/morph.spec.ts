import { check, countRequests, token } from '../../e2e/setup/visitor.ts'
import { boxOf, formOf, type Site } from './shop.ts'
import { expect, expectSignUp, sendVerified, test, worksWith } from './works.ts'

/** Libraries that change a page to its new markup, in which the server still names the first intent. */
const LIBRARIES = [
  { name: 'idiomorph', file: 'idiomorph/dist/idiomorph.js', morph: 'Idiomorph.morph(form, next)' },
  { name: 'morphdom', file: 'morphdom/dist/morphdom-umd.js', morph: 'morphdom(form, next)' },
  {
    name: 'Alpine Morph',
    from: '@alpinejs/morph',
    file: '@alpinejs/morph/dist/cdn.js',
    morph: 'Alpine.morph(form, next)',
  },
]
const ALSO = ['alpinejs/dist/cdn.js']

for (const { name, from, file, morph } of LIBRARIES) {
  test.describe(name, () => {
    const works = worksWith(name, from)
    const scripts = name.startsWith('Alpine') ? [file, ...ALSO] : [file]
    let markup = ''
    const form = (site: Site) => {
      markup = formOf(site, '', boxOf(site, 'data-renew="/intent"'))
      return markup
    }
    /** Morphs the form to its first markup, with a hint that the server has added. */
    const render = () =>
      `{ const form = document.forms[0]; const next = ${JSON.stringify(markup.replace('<button>', '<p>Almost there</p><button>'))}; ${morph} }`

    test('updated after the verification', works, async ({ page, open }) => {
      const shop = await open({ scripts, form })
      await page.goto(shop.url)
      await expect(check(page)).toHaveText('Verified')
      await page.evaluate(render())
      await expect(page.getByText('Almost there')).toBeVisible()
      await sendVerified(page)
      await expectSignUp(page, shop)
    })

    test('updated to its first intent after a renewal', works, async ({ page, open }) => {
      await page.clock.install()
      const shop = await open({ scripts, form })
      await page.goto(shop.url)
      await expect(token(page)).toHaveValue(/^tgr_/)
      const first = await page.locator('.svc-captcha').getAttribute('data-intent')
      await page.clock.fastForward('05:01')
      await page.getByLabel('Comment').focus()
      await expect(check(page)).toHaveText('Verified')
      const challenges = countRequests(page, 'challenge')
      await page.evaluate(render())
      await expect(page.getByText('Almost there')).toBeVisible()
      await expect(page.locator('.svc-captcha')).not.toHaveAttribute('data-intent', first ?? '')
      await sendVerified(page)
      await expectSignUp(page, shop)
      expect(challenges(), 'the token was kept').toBe(0)
    })
  })
}
