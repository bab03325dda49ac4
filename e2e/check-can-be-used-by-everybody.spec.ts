import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expectAccessible } from './setup/accessible.ts'
import { expect, test } from './setup/test.ts'
import { check, start, token } from './setup/visitor.ts'

const BOX = `document.querySelector('.svc-captcha')`

const group = (page: Page) => page.getByRole('group', { name: 'Human verification' })

/** What an intent of this name is answered with; nothing: never. */
const ANSWERS: Record<string, [number, object] | undefined> = {
  working: undefined,
  solved: [200, { kind: 'none', response: 'tgr_x', expires_at: 1 }],
  expired: [409, { error: 'intent-expired' }],
  limited: [403, { error: 'site-disabled' }],
  unsupported: [200, { kind: 'later' }],
  unlisted: [403, { error: 'origin-not-allowed' }],
}

/** A page with a check in every state; the service is a made-up one. */
async function openStates(page: Page, serve: (markup: string) => Promise<string>, size: string): Promise<void> {
  await page.route('**/challenge', async (route) => {
    if (route.request().method() === 'OPTIONS') return route.continue()
    const [status, json] =
      ANSWERS[String((route.request().postDataJSON() as Record<string, string>)['intent_id'])] ?? []
    const headers = {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': '*',
      'x-request-id': 'req_0189ab4f7c',
    }
    if (status) await route.fulfill({ status, json, headers })
  })
  const boxes = ['idle', ...Object.keys(ANSWERS)].map(
    (state) => `<form><div class="svc-captcha" data-sitekey="x" data-intent="${state}" data-endpoint="/gate"
      data-size="${size}" data-start="${state === 'idle' ? 'submit' : 'auto'}"></div></form>`,
  )
  await page.goto(await serve(`<main><h1>States</h1>${boxes.join('')}</main>`))
  await expect(page.getByText(/^Ref\./)).toHaveCount(3)
  await expect(page.getByText('Verified')).toBeVisible()
}

const countAnimations = (page: Page) =>
  page.evaluate<number>(
    `[...document.querySelectorAll('.svc-captcha')].flatMap((box) => box.firstChild.shadowRoot.getAnimations()).length`,
  )

test.describe('in every state', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  for (const size of ['normal', 'compact', 'flexible']) {
    test(`${size}, in both themes and at twice the size, by all that a machine can tell`, async ({ page, serve }) => {
      await openStates(page, serve, size)
      await expectAccessible(page, [320])
    })
  }
})

test('a screen reader finds name, role and state, and hears every message once', async ({ page, trial, serve }) => {
  await page.goto(await serve(await trial.form('data-start="submit"')))
  await expect(group(page)).toMatchAriaSnapshot(`
    - group "Human verification":
      - checkbox "Verify you are human"
      - status
      - text: Tollgate`)
  await page.evaluate(`{
    window.heard = []
    const status = ${BOX}.firstChild.shadowRoot.querySelector('[role=status]')
    new MutationObserver(() => heard.push(status.innerText)).observe(status, { subtree: true, childList: true, characterData: true })
  }`)
  let proceed = () => {}
  await page.route('**/solve', async (route) => {
    await new Promise<void>((resolve) => {
      proceed = resolve
    })
    await route.continue()
  })
  await start(page).press('Enter')
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
  expect(await page.evaluate('heard')).toEqual(['Verifying you are human', 'Verified'])
})

test('the focus is never lost with the button that had it, and never taken from elsewhere', async ({
  page,
  trial,
  serve,
}) => {
  await page.route(
    '**/challenge',
    (route) => route.fulfill({ status: 500, headers: { 'access-control-allow-origin': '*' } }),
    { times: 1 },
  )
  await page.goto(await serve(await trial.form('data-start="focus"')))
  await expect(start(page)).toBeVisible()
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

test('it moves only for who likes that', async ({ page, serve }) => {
  await openStates(page, serve, 'normal')
  expect(await countAnimations(page)).toBeGreaterThan(0)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect.poll(() => countAnimations(page)).toBe(0)
})

test('in forced colours every part is of them', async ({ page, serve }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await openStates(page, serve, 'normal')
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

test('from right to left it stands the other way round', async ({ page, trial, serve }) => {
  await page.goto(await serve(`<div dir="rtl">${await trial.form('data-language="ar"')}</div>`))
  await expect(token(page)).toHaveValue(/^tgr_/)
  const x = async (part: string) => (await page.locator(part).boundingBox())?.x ?? Number.NaN
  await expect.poll(async () => (await x('.sign')) > (await x('.brand'))).toBe(true)
  const { width = 0 } = page.viewportSize() ?? {}
  expect(await x('.box'), 'at the side where lines begin').toBeGreaterThan(width / 2)
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the documented page says what is needed', async ({ page, serve }) => {
    const blocks = readFileSync('docs/integration.md', 'utf8').split('```')
    const block = blocks.find((text) => text.startsWith('html\n') && text.includes('<noscript>'))
    if (!block) throw new Error('the guide has no text for who has no JavaScript')
    await page.goto(await serve(block.slice('html\n'.length)))
    expect(await page.innerText('body')).toContain('Please turn it on')
  })
})
