import type { Page } from '@playwright/test'
import { expect, test } from '../../e2e/setup/test.ts'
import { check, checkbox, countRequests, delayResponses, events, token } from '../../e2e/setup/visitor.ts'

/** The component follows what the page changes while it is open: language, direction, colors, place and width. */

const BOX = `document.querySelector('.svc-captcha')`
const LIGHT = 'rgb(255, 255, 255)'
const DARK = 'rgb(21, 24, 30)'

const group = (page: Page) => page.getByRole('group')

const LANGUAGES: Readonly<Record<string, [change: string, tag: string]>> = {
  'of the document': [`document.documentElement.lang = 'de'`, 'de'],
  'of an element around it': [`document.forms[0].lang = 'fr'`, 'fr'],
  'of its element': [`${BOX}.lang = 'es'`, 'es'],
  'of data-language, over that of its element': [`${BOX}.lang = 'es'; ${BOX}.dataset.language = 'it'`, 'it'],
  'of the document, after that of the form was removed': [
    `document.forms[0].lang = 'fr'; document.documentElement.lang = 'nl'; document.forms[0].removeAttribute('lang')`,
    'nl',
  ],
}
for (const [whose, [change, tag]] of Object.entries(LANGUAGES)) {
  test(`the box changes to the language ${whose}`, async ({ page, trial, visit }) => {
    const challenges = countRequests(page, 'challenge')
    await visit(await trial.form())
    await expect(check(page)).toHaveText('Verified')
    const given = await token(page).inputValue()
    await page.evaluate(change)
    await expect(group(page)).toHaveAttribute('lang', tag)
    await expect(group(page).getByRole('status')).not.toHaveText('Verified')
    expect([await token(page).inputValue(), challenges()]).toEqual([given, 1])
  })
}

test('the box changes its side with the direction of the page', async ({ page, trial, visit }) => {
  await visit(await trial.form())
  await expect(check(page)).toHaveText('Verified')
  const left = (await group(page).boundingBox())?.x ?? Number.NaN
  await page.evaluate(`Object.assign(document.documentElement, { dir: 'rtl', lang: 'ar' })`)
  await expect(group(page)).toHaveAttribute('lang', 'ar')
  expect((await group(page).boundingBox())?.x).toBeGreaterThan(left + 100)
  await expect(group(page)).toHaveCSS('direction', 'rtl')
})

const ROOT = 'document.documentElement.style.colorScheme ='
const SCHEMES: Readonly<Record<string, [system: 'light' | 'dark', change: string, color: string]>> = {
  'a dark scheme of the page': ['light', `${ROOT} 'dark'`, DARK],
  'a page that has both, in a dark system': ['dark', `${ROOT} 'light dark'`, DARK],
  'a page that has both, in a light system': ['light', `${ROOT} 'light dark'`, LIGHT],
  'a dark scheme of an element around it': ['light', `document.forms[0].style.colorScheme = 'only dark'`, DARK],
  'a style sheet that is added': [
    'light',
    `document.head.append(Object.assign(document.createElement('style'), { textContent: ':root { color-scheme: dark }' }))`,
    DARK,
  ],
  'the system, without a scheme of the page': ['dark', '', DARK],
  'its own theme over that of the page': ['light', `${ROOT} 'dark'; ${BOX}.dataset.theme = 'light'`, LIGHT],
}
for (const [what, [system, change, color]] of Object.entries(SCHEMES)) {
  test(`the colors follow ${what}`, async ({ page, trial, visit }) => {
    await page.emulateMedia({ colorScheme: system })
    await visit(await trial.form())
    await expect(check(page)).toHaveText('Verified')
    await page.evaluate(change)
    await expect(group(page)).toHaveCSS('background-color', color)
  })
}

test('the colors are light in a light page in a dark system', async ({ page, trial, visit }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await visit(`<style>:root { color-scheme: light }</style>${await trial.form()}`)
  await expect(group(page)).toHaveCSS('background-color', LIGHT)
})

test('the colors follow a theme that is switched there and back, and the system', async ({ page, trial, visit }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await visit(`<meta name="color-scheme" content="light dark">${await trial.form()}`)
  await expect(check(page)).toHaveText('Verified')
  await expect(group(page)).toHaveCSS('background-color', LIGHT)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(group(page)).toHaveCSS('background-color', DARK)
  for (const [scheme, color] of [
    ['light', LIGHT],
    ['dark', DARK],
    ['light', LIGHT],
  ]) {
    await page.evaluate(`${ROOT} '${scheme}'`)
    await expect(group(page)).toHaveCSS('background-color', color ?? '')
  }
})

const PUT_ASIDE = `aside = document.querySelector('#view'); aside.remove()`
const PUT_BACK = `document.body.append(aside)`

for (const state of ['solved', 'working', 'idle'] as const) {
  test(`a widget that is set aside while ${state} continues when it is put back`, async ({ page, trial, visit }) => {
    await visit('<div id="view"><form><div id="box"></div></form></div>', { query: '?render=explicit' })
    const release = state === 'working' ? await delayResponses(page, 'challenge') : () => {}
    const options = await trial.options({ start: state === 'idle' ? 'submit' : 'auto' })
    const id = await page.evaluate<string>(`svcCaptcha.render('#box', ${options})`)
    if (state === 'solved') await expect(check(page)).toHaveText('Verified')
    if (state === 'working') await expect(check(page)).toHaveText('Verifying you are human')
    if (state === 'idle') await expect(checkbox(page)).toBeVisible()
    for (let i = 0; i < 3; i++) {
      await page.evaluate(PUT_ASIDE)
      await expect.poll(() => page.workers()).toEqual([])
      expect(await page.evaluate(`svcCaptcha.getResponse('${id}')`)).toBe('')
      await page.evaluate(PUT_BACK)
      await expect(group(page)).toHaveCount(1)
    }
    release()
    await expect(state === 'idle' ? checkbox(page) : check(page)).toBeVisible()
    await page.evaluate(`svcCaptcha.execute('${id}')`)
    await expect(check(page)).toHaveText('Verified')
    const response = await page.evaluate<string>(`svcCaptcha.getResponse('${id}')`)
    expect(response).toBe(await token(page).inputValue())
    expect(await trial.redeem(JSON.parse(options).intent, response)).toBe(200)
    expect((await events(page)).map((event) => event.id)).toEqual((await events(page)).map(() => id))
    await page.evaluate(`svcCaptcha.remove('${id}'); ${PUT_ASIDE}; ${PUT_BACK}`)
    await expect(group(page)).toHaveCount(0)
  })
}

const ROWS = {
  'a flex row': 'display: flex; width: 200px',
  'a flex row with another item': 'display: flex; width: 200px',
  'a grid': 'display: grid; width: 200px',
  'a grid with columns': 'display: grid; grid-template-columns: auto auto; width: 200px',
  'a column': 'width: 200px',
  'a table': 'display: table; width: 200px',
} as const
test('no size sticks out of a container of 200 px', async ({ page, trial, visit }) => {
  const boxes = await Promise.all(
    ['normal', 'compact', 'flexible'].flatMap((size) => [
      trial.box(`data-language="fi" data-size="${size}" data-start="submit"`),
      trial.box(`data-language="de" data-size="${size}"`).then((box) => box.replace(trial.sitekey, '')),
    ]),
  )
  const rows = Object.entries(ROWS).flatMap(([what, style]) => {
    const item = what.includes('another') ? '<span>Check:</span>' : ''
    return boxes.map(
      (box) => `<div class="row" title="${what}" style="${style}; border: 1px solid">${item}${box}</div>`,
    )
  })
  await visit(rows.join(''))
  await expect(page.getByRole('group')).toHaveCount(rows.length)
  const excess = await page.evaluate<[string, number, number][]>(`[...document.querySelectorAll('.row')].map((row) => {
    const box = row.querySelector('[data-tollgate]').shadowRoot.querySelector('.box')
    return [row.title, box.getBoundingClientRect().right - row.getBoundingClientRect().right, box.scrollWidth - box.clientWidth]
  })`)
  expect(excess.filter(([, right, inside]) => right > 0 || inside > 0)).toEqual([])
})

test('where there is space, the box has its own width', async ({ page, trial, visit }) => {
  const box = await trial.box('data-start="submit"')
  const places = ['display: flex', 'display: inline-block', 'float: left', 'display: grid; justify-items: start', '']
  await visit(places.map((style) => `<div style="${style}">${box}</div>`).join(''))
  await expect(page.getByRole('checkbox')).toHaveCount(places.length)
  const widths = await Promise.all(
    (await page.getByRole('group').all()).map(async (each) => (await each.boundingBox())?.width),
  )
  expect(widths).toEqual(places.map(() => 300))
})
