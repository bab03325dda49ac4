import type { Page } from '@playwright/test'
import { expect, test } from '../../e2e/setup/test.ts'
import { check, countRequests, delayResponses } from '../../e2e/setup/visitor.ts'

const RESPONSE = 'svc-captcha-response'

/** Opens the page, and does `act` while the component works. Returns what lets it continue. */
async function during(page: Page, url: string, act: (page: Page) => Promise<unknown>): Promise<() => void> {
  const proceed = await delayResponses(page, 'challenge')
  await page.goto(url)
  await expect(check(page)).toHaveText('Verifying you are human')
  await act(page)
  return proceed
}

const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click()

/** What guards against double clicks do, in a task after the click. `button` is the one that was pressed. */
const GUARDS: Readonly<Record<string, string>> = {
  'disables the button': 'button.disabled = true',
  'disables all buttons': `document.querySelectorAll('button').forEach((each) => { each.disabled = true })`,
  'disables the fieldset of the button': `button.closest('fieldset').disabled = true`,
  'removes the button': 'button.remove()',
  'replaces the button': `button.outerHTML = '<button type="button" disabled>Sending</button>'`,
}

for (const [title, guard] of Object.entries(GUARDS)) {
  test(`a delayed form is sent with its button where a guard ${title}`, async ({ page, trial, serve }) => {
    const form = `<form><input name="comment" value="kept">${await trial.box()}
      <fieldset><button name="do" value="save" formaction="/?" formmethod="get">Save</button></fieldset></form>
      <script>addEventListener('click', ({ target: button }) => { if (button.form) setTimeout(() => { ${guard}; window.guarded = true }) })</script>`
    const proceed = await during(page, await serve(form), press('Save'))
    await page.waitForFunction('window.guarded')
    proceed()
    await page.waitForURL(/comment=kept/)
    const { searchParams } = new URL(page.url())
    expect(searchParams.getAll('do')).toEqual(['save'])
    expect(searchParams.getAll(RESPONSE)).toEqual([expect.stringMatching(/^tgr_/)])
  })
}

test('a button that was disabled meanwhile is disabled again after the submit', async ({ page, trial, serve }) => {
  const form = `<form>${await trial.box()}<button name="do" value="save">Save</button></form><script>
    document.forms[0].addEventListener('submit', (event) => {
      event.preventDefault()
      window.sent = [...new FormData(event.target, event.submitter)].map(([name]) => name)
    })
    addEventListener('click', ({ target }) => setTimeout(() => { target.disabled = window.guarded = true }))</script>`
  const proceed = await during(page, await serve(form), press('Save'))
  await page.waitForFunction('window.guarded')
  proceed()
  await page.waitForFunction('window.sent')
  expect(await page.evaluate('sent.toSorted()')).toEqual(['do', RESPONSE])
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled()
  await expect(page.locator('form > button')).toHaveCount(1)
})

/** Buttons and forms that need no token; `*` is the component. */
const EXEMPT: Readonly<Record<string, string>> = {
  'with data-svc-captcha-skip': '<form>*<button name="step" data-svc-captcha-skip>Back</button></form>',
  'outside the form, with data-svc-captcha-skip':
    '<form id="own">*</form><button form="own" name="step" data-svc-captcha-skip>Back</button>',
  'with formnovalidate, while a field is invalid':
    '<form>*<input name="comment" required><button name="step" formnovalidate>Back</button></form>',
  'to close a dialog by the method of the form':
    '<dialog open><form method="dialog">*<button>Back</button></form></dialog>',
  'to close a dialog by its own method':
    '<dialog open><form method="post">*<button formmethod="dialog">Back</button></form></dialog>',
}

for (const [title, markup] of Object.entries(EXEMPT)) {
  test(`a button does not wait: ${title}`, async ({ page, trial, serve }) => {
    await during(page, await serve(markup.replace('*', await trial.box())), press('Back'))
    if (markup.includes('dialog')) await expect(page.locator('dialog')).toBeHidden()
    else await page.waitForURL(/step=/)
  })
}

test('a button waits if it overrides the method of a dialog', async ({ page, trial, serve }) => {
  const dialog = `<form method="dialog" action="/?">${await trial.box()}<button formmethod="get" name="a" formnovalidate>Send</button></form>`
  const proceed = await during(page, await serve(dialog), press('Send'))
  expect(page.url()).not.toContain('a=')
  proceed()
  await page.waitForURL(/svc-captcha-response=tgr_.*a=/)
})

test.describe('a form that opens a window', () => {
  /** Its button, pressed; whether the browser opens a window for it only after a press. */
  const TARGETS: Readonly<Record<string, [markup: string, opens: boolean]>> = {
    'by its target': ['<form target="_blank">*<button>Send</button></form>', true],
    'by the target of its button': ['<form>*<button formtarget="results">Send</button></form>', true],
    'with a field named target': ['<form target="_BLANK">*<input name="target"><button>Send</button></form>', true],
    'never, because it is a frame': [
      '<iframe name="inner"></iframe><form target="inner">*<button>Send</button></form>',
      false,
    ],
    'never, because it is the same': ['<form target="_blank">*<button formtarget="_self">Send</button></form>', false],
  }

  for (const [title, [markup, opens]] of Object.entries(TARGETS)) {
    test(`asks for another press if the browser would block it: ${title}`, async ({ page, context, trial, serve }) => {
      const sent: string[] = []
      context.on('request', (request) => {
        if (request.url().includes(RESPONSE)) sent.push(request.url())
      })
      await page.addInitScript(`Object.defineProperty(navigator, 'userActivation', {
        value: { get isActive() { return !window.waited }, hasBeenActive: true } })`)
      const box = await trial.box()
      const proceed = await during(page, await serve(markup.replace('*', box)), press('Send'))
      await page.evaluate('window.waited = true')
      proceed()
      if (opens) {
        await expect(check(page)).toContainText('Please press again.')
        expect(await page.evaluate(`svcCaptcha.getResponse('.svc-captcha')`)).toMatch(/^tgr_/)
        expect(sent).toEqual([])
        await page.evaluate('window.waited = false')
        await page.getByRole('button', { name: 'Send' }).click()
        await expect(check(page)).toHaveText('Verified')
      }
      await expect.poll(() => sent).toEqual([expect.stringContaining(`${RESPONSE}=tgr_`)])
    })
  }

  test('is shown also by the invisible size', async ({ page, trial, visit }) => {
    await page.addInitScript(
      `Object.defineProperty(navigator, 'userActivation', { value: { isActive: false, hasBeenActive: true } })`,
    )
    const form = `<form target="_blank">${await trial.box('data-size="invisible"')}<button>Send</button></form>`
    const proceed = await delayResponses(page, 'challenge')
    await visit(form)
    await page.getByRole('button', { name: 'Send' }).click()
    proceed()
    await expect(page.getByText('Please press again.')).toBeInViewport()
  })

  test('needs one press while the browser still allows it', async ({ page, context, trial, serve }) => {
    const opened = context.waitForEvent('page')
    const proceed = await during(
      page,
      await serve(`<form target="_blank">${await trial.box()}<button>Send</button></form>`),
      press('Send'),
    )
    proceed()
    await (await opened).waitForURL(/svc-captcha-response=tgr_/)
    await expect(check(page)).toHaveText('Verified')
  })
})

test('every listener sees one submit event, in whatever phase', async ({ page, trial, serve }) => {
  const count = `seen = []; for (const [name, target, capture] of [['window first', window, true], ['document first', document, true],
      ['form', document.forms[0], false], ['window last', window, false]])
    target.addEventListener('submit', (event) => { seen.push(name); if (name === 'window last') event.preventDefault() }, capture)`
  const proceed = await during(
    page,
    await serve(`<form>${await trial.box()}<button>Send</button></form>`),
    async () => {
      await page.evaluate(count)
      await press('Send')(page)
    },
  )
  expect(await page.evaluate('seen')).toEqual([])
  proceed()
  await expect.poll(() => page.evaluate('seen')).toEqual(['window first', 'document first', 'form', 'window last'])
})

test.describe('a submit event that the page dispatches', () => {
  const dispatch = `document.forms[0].dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }))`
  const listen = (then: string) =>
    `seen = []; document.forms[0].addEventListener('submit', (event) => { seen.push([event.isTrusted, new FormData(event.target).get('${RESPONSE}')]); ${then} })`
  const form = async (box: Promise<string>) => `<form><input name="comment" value="kept">${await box}</form>`

  test('waits, and stays one: nothing is sent', async ({ page, trial, serve }) => {
    const proceed = await during(page, await serve(await form(trial.box())), async () => {
      await page.evaluate(listen(''))
      await page.evaluate(dispatch)
    })
    expect(await page.evaluate('seen')).toEqual([])
    proceed()
    await expect.poll(() => page.evaluate('seen')).toEqual([[false, expect.stringMatching(/^tgr_/)]])
    await expect(check(page)).toHaveText('Verified')
    expect(new URL(page.url()).search).toBe('')
  })

  test('waits, and then submit is called unless a listener prevents it', async ({ page, trial, serve }) => {
    for (const prevented of [true, false]) {
      await test.step(prevented ? 'prevented' : 'sent', async () => {
        const proceed = await during(page, await serve(await form(trial.box())), async () => {
          await page.evaluate(listen(prevented ? 'event.preventDefault()' : ''))
          await page.evaluate(`if (${dispatch}) document.forms[0].submit()`)
        })
        proceed()
        if (prevented) {
          await expect.poll(() => page.evaluate('seen')).toEqual([[false, expect.stringMatching(/^tgr_/)]])
          expect(new URL(page.url()).search).toBe('')
        } else await page.waitForURL(/comment=kept&svc-captcha-response=tgr_/)
        await page.unroute('**/challenge')
      })
    }
  })
})

test('a form waits for the token when a script calls submit of the prototype', async ({ page, trial, serve }) => {
  const form = `<form><input name="comment" value="kept">${await trial.box()}</form>`
  const proceed = await during(page, await serve(form), () =>
    page.evaluate('HTMLFormElement.prototype.submit.call(document.forms[0])'),
  )
  expect(new URL(page.url()).search).toBe('')
  proceed()
  await page.waitForURL(/comment=kept&svc-captcha-response=tgr_/)
})

test('submit() starts the verification, and sends other forms at once', async ({ page, trial, serve }) => {
  const challenges = countRequests(page, 'challenge')
  const form = `<form><input name="comment" value="kept">${await trial.box('data-start="submit"')}</form>`
  const other = '<form><input name="q" value="other"></form>'
  const url = await serve(form + other)
  await page.goto(url)
  await page.waitForFunction('window.svcCaptcha')
  await page.evaluate('document.forms[0].submit()')
  await page.waitForURL(/comment=kept&svc-captcha-response=tgr_/)
  expect(challenges()).toBe(1)
  await page.goto(url)
  await page.evaluate('document.forms[1].submit()')
  await page.waitForURL(/\?q=other$/)
})
