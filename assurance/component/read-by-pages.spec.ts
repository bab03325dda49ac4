import type { Page } from '@playwright/test'
import { check } from '../../e2e/setup/visitor.ts'
import { expect, expectToken, intentOf, isWorking, RESPONSE, sendEarly, test } from './inbox.ts'

/** How pages read a form and send it. What arrives has one token, which the service accepts. */

const JQUERY = '<script src="/lib/jquery.js"></script>'
const FIELD = '<input name="comment" aria-label="Comment" value="kept">'
const press = (page: Page, name = 'Send') => page.getByRole('button', { name, exact: true }).click()
const script = (code: string) => `<script>const form = document.forms[0]; ${code}</script>`
const onSubmit = (code: string) =>
  script(`form.addEventListener('submit', (event) => { event.preventDefault(); ${code} })`)

/** Pages that send the form in a listener of its submit; `*` is the component. The visitor presses the button while it works. */
const LISTENERS: Readonly<Record<string, string>> = {
  'fetch with the FormData of form and button':
    `<form>${FIELD}*<input type="file" name="file"><button name="by" value="fetch">Send</button></form>` +
    onSubmit(`fetch('/send', { method: 'POST', body: new FormData(form, event.submitter) })`),
  'fetch with URLSearchParams':
    `<form>${FIELD}*<button>Send</button></form>` +
    onSubmit(`fetch('/send', { method: 'POST', body: new URLSearchParams(new FormData(form)) })`),
  'fetch with JSON of form.elements':
    `<form>${FIELD}*<button>Send</button></form>` +
    onSubmit(`fetch('/send', { method: 'POST', headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ comment: form.elements.comment.value, '${RESPONSE}': form.elements['${RESPONSE}'].value }) })`),
  'fetch with JSON of FormData, after a check that takes its time':
    `<form>${FIELD}*<button>Send</button></form>` +
    onSubmit(`setTimeout(() => fetch('/send', { method: 'POST', headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(new FormData(form))) }))`),
  sendBeacon:
    `<form>${FIELD}*<button>Send</button></form>` + onSubmit(`navigator.sendBeacon('/send', new FormData(form))`),
  'a copy of the form, which is submitted in its place':
    `<form method="post" action="/send">${FIELD}*<button>Send</button></form>` +
    onSubmit(`const copy = form.cloneNode(true); copy.hidden = true; document.body.append(copy); copy.submit()`),
  'a form of its own in a hidden frame, as iframe transports do':
    `${JQUERY}<iframe name="transport" hidden></iframe><form>${FIELD}*<button>Send</button></form>` +
    onSubmit(`const own = $('<form method="post" action="/send" target="transport" hidden>').appendTo('body')
      for (const { name, value } of $(form).serializeArray()) $('<input type="hidden">').attr({ name, value }).appendTo(own)
      own[0].submit()`),
  'fetch, after all fields were disabled':
    `<form><fieldset>${FIELD}*<button>Send</button></fieldset></form>` +
    onSubmit(
      `const body = new FormData(form); form.querySelector('fieldset').disabled = true; fetch('/send', { method: 'POST', body })`,
    ),
  'a fieldset that is disabled around the component alone': `<form method="post" action="/send">${FIELD}<fieldset disabled>*</fieldset><button>Send</button></form>`,
  'a preview with the same fields, and then the form':
    `<form method="post" action="/send">${FIELD}*<button>Send</button></form>` +
    script(`let seen = false; form.addEventListener('submit', (event) => {
      if (seen) return
      event.preventDefault()
      seen = [...new FormData(form)].length > 0
      setTimeout(() => form.requestSubmit(), 0)
    })`),
  'a wizard that moves the fields of each step into the last form': `<form id="one">${FIELD}*<button>Next</button></form><form id="two" method="post" action="/send" hidden><p></p><button>Send</button></form>
     <script>one.addEventListener('submit', (event) => {
       event.preventDefault()
       two.querySelector('p').append(...one.children)
       one.hidden = true
       two.hidden = false
       two.querySelector('p button').remove()
       two.requestSubmit()
     })</script>`,
}

for (const [title, markup] of Object.entries(LISTENERS)) {
  test(`the token arrives by ${title}`, async ({ page, trial, service, inbox }) => {
    const box = await trial.box()
    await sendEarly(
      page,
      inbox,
      `${markup.replace('*', box)}<script src="${service.url}/widget.js"></script>`,
      async () => {
        await isWorking(page)
        await page.locator('button:visible', { hasText: /Send|Next/ }).click()
      },
    )
    expect(inbox.sent[0]?.fields).toContainEqual(['comment', 'kept'])
    await expectToken(trial, inbox, box)
  })
}

/** What pages do to the form between the verification and the submission; `*` is the component. */
const CHANGES: Readonly<Record<string, readonly [markup: string, change: (page: Page) => Promise<unknown>]>> = {
  'all fields are emptied after the server refused them': [
    `${JQUERY}<form>${FIELD}*<input type="hidden" name="${RESPONSE}"><button>Send</button></form>
     <script>$('form').on('submit', (event) => {
       event.preventDefault()
       if (window.refused) return $.post('/send', $('form').serialize())
       $('form :input').val('')
       window.refused = true
     })</script>`,
    (page) => press(page),
  ],
  'a draft from before is restored into every field, also that of the token': [
    `<form method="post" action="/send">${FIELD}*<button>Send</button></form>`,
    (page) =>
      page.evaluate(`for (const field of document.forms[0].elements) if (field.name) field.value = 'tgr_of-a-draft'`),
  ],
  'a draft with a token from before is restored while the component works': [
    `<form method="post" action="/send">${FIELD}*<button>Send</button></form>`,
    (page) =>
      page.evaluate(`svcCaptcha.reset('.svc-captcha')
        for (const field of document.forms[0].elements) if (field.name) field.value = 'tgr_of-a-draft'`),
  ],
  'the HTML of the form is stored and written back': [
    `<main><form method="post" action="/send">${FIELD}*<button>Send</button></form></main>`,
    (page) => page.evaluate(`{ const main = document.querySelector('main'); main.innerHTML = String(main.innerHTML) }`),
  ],
  'a page that renders its hidden field again, empty, whenever something is typed': [
    `<form method="post" action="/send">${FIELD}*<p></p><button>Send</button></form>
     <script>document.forms[0].addEventListener('input', () => { document.querySelector('p').innerHTML = '<input type="hidden" name="${RESPONSE}" value="">' })</script>`,
    async (page) => {
      await page.getByLabel('Comment').fill('')
      await page.getByLabel('Comment').fill('kept')
    },
  ],
  'the step with the component is hidden and its fields are disabled': [
    `<form method="post" action="/send"><fieldset><label>Comment <input name="old"></label>*</fieldset>${FIELD}<button>Send</button></form>`,
    (page) => page.evaluate(`Object.assign(document.querySelector('fieldset'), { hidden: true, disabled: true })`),
  ],
  'a reset in the same listener that sends it': [
    `<form>${FIELD}*<button>Send</button></form>` +
      onSubmit(`form.reset(); fetch('/send', { method: 'POST', body: new FormData(form) })`),
    async () => {},
  ],
}

for (const [title, [markup, change]] of Object.entries(CHANGES)) {
  test(`the token arrives although the page changes the form: ${title}`, async ({ page, trial, service, inbox }) => {
    const box = await trial.box()
    inbox.show(`${markup.replace('*', box)}<script src="${service.url}/widget.js"></script>`)
    await page.goto(inbox.url)
    await expect(check(page)).toHaveText('Verified')
    await change(page)
    await press(page)
    await expect.poll(() => inbox.sent.length).toBe(1)
    await expectToken(trial, inbox, box)
  })
}

for (const [title, act] of Object.entries({
  'its button': (page: Page) => press(page),
  'a script': (page: Page) => page.evaluate('document.forms[0].submit()'),
  'an event and then a call': (page: Page) =>
    page.evaluate(
      `document.forms[0].dispatchEvent(new SubmitEvent('submit', { cancelable: true })) && document.forms[0].submit()`,
    ),
})) {
  test(`a form with two components waits for both tokens: ${title}`, async ({ page, trial, service, inbox }) => {
    const boxes = [await trial.box(), await trial.box('data-response-field-name="second"')]
    const form = `<form method="post" action="/send">${FIELD}${boxes.join('')}<button>Send</button></form>`
    await sendEarly(page, inbox, `${form}<script src="${service.url}/widget.js"></script>`, async () => {
      await expect(check(page)).toHaveText(['Verifying you are human', 'Verifying you are human'])
      await act(page)
    })
    await expectToken(trial, inbox, boxes[0] ?? '')
    const second = inbox.sent[0]?.fields.find(([name]) => name === 'second')?.[1] ?? ''
    expect(await trial.redeem(intentOf(boxes[1] ?? ''), second)).toBe(200)
  })
}
