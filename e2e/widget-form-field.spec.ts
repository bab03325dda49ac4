import type { Page } from '@playwright/test'
import { expect, test } from './setup/test.ts'
import { check } from './setup/visitor.ts'

const FIELD = '<input type="hidden" name="svc-captcha-response">'
const BOX = `document.querySelector('.svc-captcha')`

/** The values that the page's first form would submit under this name, right after `script`. */
const sent = (page: Page, name = 'svc-captcha-response', script = '') =>
  page.evaluate<string[]>(`${script}; new FormData(document.forms[0]).getAll('${name}')`)

/** Where the page has put the field; `*` is the component. */
const PLACES: Readonly<Record<string, string>> = {
  'before it': `<form>${FIELD}*</form>`,
  'after it': `<form>*${FIELD}</form>`,
  'in another fieldset': `<form><fieldset>*</fieldset><fieldset>${FIELD}</fieldset></form>`,
  'outside the form, by its attribute': `<form id="own">*</form>${FIELD.replace('type', 'form="own" type')}`,
  'as a text area': `<form>*<textarea name="svc-captcha-response"></textarea></form>`,
  'with a token that the browser has restored': `<form>*${FIELD.replace('name', 'value="tgr_old" name')}</form>`,
  'in a form with fields named like properties of the form': `<form>*<input name="elements"><input name="id">${FIELD}</form>`,
}

for (const [place, markup] of Object.entries(PLACES)) {
  test(`an existing field is filled and cleared: ${place}`, async ({ page, trial, visit }) => {
    await page.clock.install()
    await visit(markup.replace('*', await trial.box()))
    await expect(check(page)).toHaveText('Verified')
    expect(await sent(page)).toEqual([expect.stringMatching(/^tgr_/)])
    expect(await page.evaluate(`document.forms[0]['svc-captcha-response'].value`)).toMatch(/^tgr_/)
    // the next challenge begins at once
    expect(await sent(page, undefined, `svcCaptcha.reset(${BOX})`)).toEqual([''])
    await expect(check(page)).toHaveText('Verified')
    await page.clock.fastForward('05:01')
    await expect(check(page)).toContainText('expired')
    expect(await sent(page)).toEqual([''])
  })
}

test('fields of other forms and fields with other names are not changed', async ({ page, trial, visit }) => {
  const box = await trial.box('data-response-field-name="proof[1]"')
  const others = `<form><input name="proof[1]" value="theirs"></form>`
  await visit(`<form>${box}<input name="proof[1]">${FIELD}</form>${others}`)
  await expect(check(page)).toHaveText('Verified')
  expect(await sent(page, 'proof[1]')).toEqual([expect.stringMatching(/^tgr_/)])
  expect(await sent(page)).toEqual([''])
  expect(await page.evaluate(`document.forms[1].elements[0].value`)).toBe('theirs')
})

test('a field that is added or removed later is used from then on', async ({ page, trial, visit }) => {
  await visit(`<form>${await trial.box()}</form>`)
  await expect(check(page)).toHaveText('Verified')
  const [first] = await sent(page)
  await page.evaluate(`document.forms[0].insertAdjacentHTML('beforeend', '${FIELD}')`)
  expect(await sent(page)).toEqual([first])
  expect(first).toMatch(/^tgr_/)
  await page.evaluate(`document.forms[0].lastChild.remove()`)
  expect(await sent(page)).toEqual([first])
})

test('two components in one form submit their tokens under different names', async ({ page, trial, visit }) => {
  const boxes = [await trial.box('data-response-field-name="one"'), await trial.box('data-response-field-name="two"')]
  await visit(`<form>${boxes.join('')}<input type="hidden" name="two"></form>`)
  await expect(check(page)).toHaveText(['Verified', 'Verified'])
  const [one, two] = [await sent(page, 'one'), await sent(page, 'two')]
  expect([...one, ...two]).toEqual([expect.stringMatching(/^tgr_/), expect.stringMatching(/^tgr_/)])
  expect(one).not.toEqual(two)
})

test('data-tabindex sets the tab order, and changes apply immediately', async ({ page, trial, visit }) => {
  await visit(`<form>${await trial.box('data-tabindex="2" data-start="submit"')}</form>`)
  await expect(page.getByRole('checkbox')).toHaveAttribute('tabindex', '2')
  await page.evaluate(`${BOX}.dataset.tabindex = '-1'`)
  await expect(page.getByRole('checkbox')).toHaveAttribute('tabindex', '-1')
})
