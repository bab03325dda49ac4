import type { Page } from '@playwright/test'
import { expect, test } from '../../e2e/setup/test.ts'
import { check, countRequests, expectSent, token } from '../../e2e/setup/visitor.ts'

/** Where a page shows its form, and when: hidden places that are shown later, moves, narrow columns, old documents. */

const DARK = 'rgb(21, 24, 30)'
const form = `document.forms[0]`
const group = (page: Page) => page.getByRole('group', { name: 'Human verification' })

/** Places that hide the form `*` at first, and how they show it. */
const HIDDEN: Readonly<Record<string, [markup: string, show: string]>> = {
  'a tab': ['<div id="place" style="display: none">*</div>', `place.style.display = 'block'`],
  'a section with content-visibility': [
    '<div id="place" style="content-visibility: hidden">*</div>',
    `place.style.contentVisibility = 'visible'`,
  ],
  'a closed details': ['<details id="place"><summary>More</summary>*</details>', 'place.open = true'],
  'a modal dialog': ['<dialog id="place">*</dialog>', 'place.showModal()'],
  'a popover': ['<div id="place" popover>*</div>', 'place.showPopover()'],
  'an inert step': [
    '<div id="place" inert style="visibility: hidden">*</div>',
    `place.inert = false; place.style.visibility = ''`,
  ],
}

for (const [what, [markup, show]] of Object.entries(HIDDEN)) {
  test(`a form in ${what} has its token and the page’s colors when it is shown`, async ({ page, trial, visit }) => {
    await page.emulateMedia({ colorScheme: 'light' })
    const open = `<button id="open">Open</button><script>open.onclick = () => { ${show} }</script>`
    await visit(
      markup.replace('*', await trial.form()) + open.replace('open.onclick', `document.querySelector('#open').onclick`),
    )
    await expect(token(page)).toHaveValue(/^tgr_/)
    // as a theme that is loaded from the visitor's settings
    await page.evaluate(`document.documentElement.style.colorScheme = 'dark'`)
    await page.getByRole('button', { name: 'Open' }).click()
    await expect(check(page)).toHaveText('Verified')
    await expect(group(page)).toHaveCSS('background-color', DARK)
    await expectSent(page, trial)
  })
}

test('a form in a frame that is not displayed at first is sent', async ({ page, trial, serve, visit }) => {
  const inner = await serve(await trial.form())
  await visit(`<iframe src="${inner}" style="display: none"></iframe>`)
  const frame = page.frameLocator('iframe')
  await expect(frame.locator('[name="svc-captcha-response"]')).toHaveValue(/^tgr_/)
  await page.evaluate(`document.querySelector('iframe').style.display = 'block'`)
  await expect(frame.getByText('Verified')).toBeVisible()
  await expectSent(page, trial, frame.locator('body'))
})

/** How pages move a form that is verified. */
const MOVES: Readonly<Record<string, string>> = {
  'in a View Transition': `document.startViewTransition(() => target.append(${form})).finished`,
  'with moveBefore': `target.moveBefore(${form}, null)`,
  'into a fragment and back': `{ const fragment = new DocumentFragment(); fragment.append(${form}); target.append(fragment) }`,
  'by sorting the elements around it': `target.append(...[...document.querySelectorAll('form, p')].reverse())`,
  'into a new shadow root': `target.attachShadow({ mode: 'closed' }).append(${form})`,
}
for (const [how, move] of Object.entries(MOVES)) {
  test(`a form that is moved ${how} keeps its token`, async ({ page, trial, visit }) => {
    const challenges = countRequests(page, 'challenge')
    await visit(`${await trial.form()}<p>Text</p><div id="target"></div>`)
    await expect(check(page)).toHaveText('Verified')
    const intent = await page.locator('.svc-captcha').getAttribute('data-intent')
    await page.evaluate(
      `(form = ${form}, form.onsubmit = () => { window.sent = new FormData(form).get('svc-captcha-response'); return false }, 0)`,
    )
    await page.evaluate(
      `Promise.resolve((() => { ${move.startsWith('{') ? move : `return ${move}`} })()).then(() => undefined)`,
    )
    await page.evaluate(`form.requestSubmit()`)
    await page.waitForFunction('window.sent')
    expect(await trial.redeem(intent ?? '', String(await page.evaluate('sent')))).toBe(200)
    expect(challenges()).toBe(1)
  })
}

/** Containers of at most 200 px, as themes and frameworks have them. */
const NARROW: Readonly<Record<string, string>> = {
  'a fieldset': '<fieldset class="row">*</fieldset>',
  'a cell of a table': '<table class="row" style="table-layout: fixed"><tr><td>*</table>',
  columns: '<div class="row" style="width: 420px; columns: 2; column-gap: 20px"><div>*</div><p>Text</div>',
  'a list of definitions': '<dl class="row"><dd style="margin: 0">*</dl>',
  'a grid that fills its columns':
    '<div class="row" style="display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr))">*</div>',
  'a vertical flex box that centers':
    '<div class="row" style="display: flex; flex-direction: column; align-items: center">*</div>',
  'text that does not wrap':
    '<div class="row" style="white-space: nowrap; letter-spacing: 3px; text-transform: uppercase">*</div>',
  zoom: '<div class="row" style="zoom: 2; width: 160px">*</div>',
  'a container of queries': '<div class="row" style="container-type: inline-size">*</div>',
}
test('the box sticks out of no narrow container', async ({ page, trial, visit }) => {
  const box = await trial.box('data-language="de" data-start="submit"')
  const rows = Object.values(NARROW).map((markup) => markup.replace('*', box))
  await visit(`<style>.row { width: 200px; box-sizing: border-box }</style>${rows.join('')}`)
  await expect(page.getByRole('checkbox')).toHaveCount(rows.length)
  const excess = await page.evaluate<number[]>(`[...document.querySelectorAll('.row')].map((row) => {
    const box = row.querySelector('[data-tollgate]').shadowRoot.querySelector('.box')
    return Math.max(box.getBoundingClientRect().right - row.getBoundingClientRect().right, box.scrollWidth - box.clientWidth)
  })`)
  expect(Object.keys(NARROW).filter((_, i) => (excess[i] ?? 1) > 0.5)).toEqual([])
})

/** Clocks of devices that are wrong, or are set while the page is open. */
const CLOCKS: Readonly<Record<string, [start: number, jump: number]>> = {
  'is years behind': [Date.UTC(2001, 1, 1), 0],
  'is years ahead': [Date.UTC(2038, 1, 1), 0],
  'is set back by a day': [Date.now(), -86_400_000],
}
for (const [what, [start, jump]] of Object.entries(CLOCKS)) {
  test(`a token lives for five minutes where the clock of the device ${what}`, async ({ page, trial, visit }) => {
    await page.clock.install({ time: start })
    await visit(await trial.form())
    await expect(token(page)).toHaveValue(/^tgr_/)
    if (jump) await page.clock.setSystemTime(start + jump)
    await page.clock.runFor('04:30')
    await expect(token(page)).toHaveValue(/^tgr_/)
    await page.clock.runFor('00:31')
    await expect(token(page)).toHaveValue('')
  })
}

/** Documents that are not HTML as of today. */
const DOCUMENTS: Readonly<Record<string, [type: string, document: string]>> = {
  XHTML: [
    'application/xhtml+xml',
    '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>X</title><script src="SRC" async="async"></script></head><body><form><input name="comment"/>*<button>Send</button></form></body></html>',
  ],
  'without a doctype': [
    'text/html',
    '<script src=SRC></script><form><table><tr><td>*<button>Send</button></table></form>',
  ],
  'in another encoding': [
    'text/html; charset=shift_jis',
    '<!doctype html><html lang="ja"><script src="SRC"></script><form accept-charset="utf-8">*<button>Send</button></form>',
  ],
}
for (const [what, [type, markup]] of Object.entries(DOCUMENTS)) {
  test(`a form is sent in a document ${what}`, async ({ page, trial, service, host }) => {
    const box = await trial.box()
    const url = await host((_, reply) => {
      reply.writeHead(200, { 'content-type': type })
      reply.end(markup.replace('SRC', `${service.url}/widget.js`).replace('*', box))
    })
    await page.goto(url)
    await expect(page.getByRole('status')).toContainText(/Verified|確認/)
    await expectSent(page, trial)
  })
}
