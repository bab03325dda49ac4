import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expectAccessible } from './setup/accessible.ts'
import { expect, test } from './setup/test.ts'
import { answer, check, checkbox, delayResponses, token } from './setup/visitor.ts'

const BOX = `document.querySelector('.svc-captcha')`

const group = (page: Page) => page.getByRole('group', { name: 'Human verification' })

/** The service's response to the intent of this name; undefined: no response. */
const ANSWERS: Record<string, [number, object] | undefined> = {
  working: undefined,
  solved: [200, { kind: 'none', response: 'tgr_x', expires_at: 1 }],
  expired: [409, { error: 'intent-expired' }],
  limited: [403, { error: 'site-disabled' }],
  unsupported: [200, { kind: 'later' }],
  unlisted: [403, { error: 'origin-not-allowed' }],
}

/** Opens a page with a component in every state. The service's responses are mocked. */
async function openStates(page: Page, visit: (markup: string) => Promise<void>, size: string): Promise<void> {
  await page.route('**/challenge', async (route) => {
    if (route.request().method() === 'OPTIONS') return route.continue()
    const { intent_id: state }: { intent_id: string } = route.request().postDataJSON()
    const found = ANSWERS[state]
    if (found) await answer(...found, { 'x-request-id': 'req_0189ab4f7c' })(route)
  })
  const boxes = ['idle', ...Object.keys(ANSWERS)].map(
    (state) => `<form><div class="svc-captcha" data-sitekey="x" data-intent="${state}" data-endpoint="/gate"
      data-size="${size}" data-start="${state === 'idle' ? 'submit' : 'auto'}"></div></form>`,
  )
  await visit(`<main><h1>States</h1>${boxes.join('')}</main>`)
  await expect(page.getByText(/^Ref\./)).toHaveCount(3)
  await expect(page.getByText('Verified')).toBeVisible()
}

const countAnimations = (page: Page) =>
  page.evaluate<number>(
    `[...document.querySelectorAll('.svc-captcha')].flatMap((box) => box.firstChild.shadowRoot.getAnimations()).length`,
  )

test.describe('in every state', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  for (const size of process.env['ALL_WIDTHS'] ? ['normal', 'compact', 'flexible'] : ['normal']) {
    test(`${size}: axe finds no WCAG violations, in both themes and at a zoom of 200 %`, {
      tag: '@accessible',
    }, async ({ page, visit }) => {
      await openStates(page, visit, size)
      await expectAccessible(page, [320])
    })
  }
})

test('a screen reader gets name, role and state, and every message once', async ({ page, trial, visit }) => {
  await visit(await trial.form('data-start="submit"'))
  await expect(group(page)).toMatchAriaSnapshot(`
    - group "Human verification":
      - checkbox "Verify you are human"
      - status
      - text: Tollgate`)
  await page.evaluate(`{
    window.announced = []
    const status = ${BOX}.firstChild.shadowRoot.querySelector('[role=status]')
    new MutationObserver(() => announced.push(status.innerText)).observe(status, { subtree: true, childList: true, characterData: true })
  }`)
  const proceed = await delayResponses(page, 'solve')
  await checkbox(page).press('Enter')
  await expect(page.getByRole('progressbar', { name: 'Verifying you are human' })).toHaveAttribute(
    'aria-valuenow',
    '100',
  )
  await expect(group(page)).toMatchAriaSnapshot(`
    - group "Human verification":
      - progressbar "Verifying you are human"
      - status: Verifying you are human
      - text: Tollgate`)
  proceed()
  await expect(check(page)).toHaveText('Verified')
  expect(await page.evaluate('announced')).toEqual(['Verifying you are human', 'Verified'])
})

test('the box gets the focus of its button, and never that of the page', async ({ page, trial, visit }) => {
  await page.route('**/challenge', answer(500, { error: 'internal-error' }), { times: 1 })
  await visit(await trial.form('data-start="focus"'))
  await expect(checkbox(page)).toBeVisible()
  await page.getByLabel('Comment').focus()
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
  await expect(page.getByLabel('Comment')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Retry' })).toBeFocused()
  await page.keyboard.press('Space')
  await expect(check(page)).toHaveText('Verified')
  await expect(group(page)).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Send' })).toBeFocused()
})

test('nothing is animated with prefers-reduced-motion', async ({ page, visit }) => {
  await openStates(page, visit, 'normal')
  expect(await countAnimations(page)).toBeGreaterThan(0)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect.poll(() => countAnimations(page)).toBe(0)
})

test('every part uses system colors in forced-colors mode', async ({ page, visit }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await openStates(page, visit, 'normal')
  const colours = await page.evaluate<string[][]>(`{
    const system = ['Canvas', 'CanvasText', 'Highlight', 'ButtonText'].map((name) => {
      document.body.style.color = name
      return getComputedStyle(document.body).color
    })
    const used = [...document.querySelectorAll('.svc-captcha')].flatMap((box) =>
      [...box.firstChild.shadowRoot.querySelectorAll('.box, .box *')].flatMap((part) => {
        const { color, backgroundColor, fill, stroke, borderTopColor } = getComputedStyle(part)
        return [color, backgroundColor, part.ownerSVGElement ? fill : color, part.ownerSVGElement ? stroke : color, borderTopColor]
      }))
    ;[system, [...new Set(used)].filter((colour) => !['none', 'rgba(0, 0, 0, 0)'].includes(colour))]
  }`)
  const [system = [], used = []] = colours
  expect(used.filter((colour) => !system.includes(colour))).toEqual([])
})

test('the layout is mirrored in a right-to-left language', async ({ page, trial, visit }) => {
  await visit(`<div dir="rtl">${await trial.form('data-language="ar"')}</div>`)
  await expect(token(page)).toHaveValue(/^tgr_/)
  const x = async (part: string) => (await page.locator(part).boundingBox())?.x ?? Number.NaN
  await expect.poll(async () => (await x('.icon')) > (await x('.brand'))).toBe(true)
  const { width = 0 } = page.viewportSize() ?? {}
  expect(await x('.box'), 'at the side where lines begin').toBeGreaterThan(width / 2)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the documented page says that JavaScript is required', async ({ page, visit }) => {
    const blocks = readFileSync('docs/component.md', 'utf8').split('```')
    const block = blocks.find((text) => text.startsWith('html\n') && text.includes('<noscript>'))
    if (!block) throw new Error('the guide has no text for visitors without JavaScript')
    await visit(block.slice('html\n'.length))
    expect(await page.innerText('body')).toContain('Please turn it on')
  })
})
