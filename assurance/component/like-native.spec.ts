import type { Page } from '@playwright/test'
import { expect, expectToken, isWorking, RESPONSE, type Sent, sendEarly, test } from './inbox.ts'

/** Each page sends its form twice: without the component, and while the component works. The same has to arrive. */

const JQUERY = '<script src="/lib/jquery.js"></script>'
const FIELD = '<input name="comment" aria-label="Comment" value="kept">'
const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click()

/** The page, in which `*` is the component, and what the visitor does. */
type Way = readonly [markup: string, act: (page: Page) => Promise<unknown>]

const WAYS: Readonly<Record<string, Way>> = {
  'a click at some place of an image button': [
    `<form method="post" action="/send">${FIELD}*<input type="image" name="map" alt="Send" width="90" height="40"></form>`,
    (page) => page.getByRole('button', { name: 'Send' }).click({ position: { x: 33, y: 17 } }),
  ],
  'Enter in a field, where the first of two buttons is the default': [
    `<form method="post" action="/send">${FIELD}*<button name="by" value="first">First</button><button name="by" value="second">Second</button></form>`,
    (page) => page.getByLabel('Comment').press('Enter'),
  ],
  'a button of another place with its own action, method and encoding': [
    `<form id="own" action="/never">${FIELD}<input type="file" name="file">*</form>
     <button form="own" name="by" value="out" formaction="/send?x=1" formmethod="post" formenctype="multipart/form-data">Send</button>`,
    async (page) => {
      await page
        .locator('[type=file]')
        .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('abc') })
      await press('Send')(page)
    },
  ],
  'a button with the encoding text/plain': [
    `<form method="post" action="/send">${FIELD}*<button name="by" value="mail" formenctype="text/plain">Send</button></form>`,
    press('Send'),
  ],
  'onsubmit="return confirm()"': [
    `<form method="post" action="/send" onsubmit="return confirm('Sure?')">${FIELD}*<button name="by" value="sure">Send</button></form>`,
    async (page) => {
      page.once('dialog', (dialog) => void dialog.accept())
      await press('Send')(page)
    },
  ],
  'onclick="this.disabled = true; this.form.submit()"': [
    `<form method="post" action="/send">${FIELD}*<button onclick="this.disabled = true; this.form.submit()">Send</button></form>`,
    press('Send'),
  ],
  'a link of ASP.NET that calls __doPostBack': [
    `<form id="form1" method="post" action="/send" onsubmit="return ready()">${FIELD}*<input type="hidden" name="__EVENTTARGET">
       <a href="javascript:__doPostBack('send$1')">Send</a></form>
     <script>
       function ready() { return true }
       function __doPostBack(target) {
         const form = document.forms['form1']
         if (form.onsubmit && form.onsubmit() === false) return
         form.__EVENTTARGET.value = target
         form.submit()
       }</script>`,
    (page) => page.getByRole('link', { name: 'Send' }).click(),
  ],
  'a button of a design system, which adds one to the form, clicks it and removes it': [
    `<form method="post" action="/send">${FIELD}*<b role="button" tabindex="0">Send</b></form>
     <script>document.querySelector('b').onclick = () => {
       const button = Object.assign(document.createElement('button'), { name: 'by', value: 'system', hidden: true })
       document.forms[0].append(button)
       button.click()
       button.remove()
     }</script>`,
    press('Send'),
  ],
  'a custom element that passes itself off as the button, as Material Web does': [
    `<form method="post" action="/send">${FIELD}*<x-button>Send</x-button></form>
     <script>customElements.define('x-button', class extends HTMLElement {
       static formAssociated = true
       internals = this.attachInternals()
       connectedCallback() {
         this.role = 'button'
         this.onclick = () => setTimeout(() => {
           const submitter = this
           this.internals.form.addEventListener('submit', (event) => {
             Object.defineProperty(event, 'submitter', { configurable: true, enumerable: true, get: () => submitter })
           }, { capture: true, once: true })
           this.internals.form.requestSubmit()
         })
       }
     })</script>`,
    press('Send'),
  ],
  'listeners that add fields, once and with every collection': [
    `<form method="post" action="/send" accept-charset="windows-1252">${FIELD}<input type="hidden" name="_charset_">
       <input name="search" value="é" dirname="direction">*<button>Send</button></form>
     <script>
       const form = document.forms[0]
       form.addEventListener('submit', () => { form.insertAdjacentHTML('beforeend', '<input type="hidden" name="once" value="1">') }, { once: true })
       form.addEventListener('formdata', ({ formData }) => { formData.append('always', '1') })
     </script>`,
    press('Send'),
  ],
  'an upload into a hidden frame': [
    `<iframe name="upload" hidden></iframe><form method="post" action="/send" target="upload" enctype="multipart/form-data">
       ${FIELD}<input type="file" name="file">*<button name="by" value="frame">Send</button></form>`,
    press('Send'),
  ],
  'jQuery, with a handler that sends the serialized fields': [
    `${JQUERY}<form>${FIELD}*<button name="by" value="no">Send</button></form><script>$('form').on('submit', function (event) {
       event.preventDefault()
       $.post('/send', $(this).serialize())
     })</script>`,
    press('Send'),
  ],
  'jQuery, with $(form).submit() and handlers that let it pass': [
    `${JQUERY}<form method="post" action="/send">${FIELD}*<a href="#send">Send</a></form><script>
       $('form').on('submit', () => true)
       $('a').on('click', () => { $('form').submit(); return false })</script>`,
    (page) => page.getByRole('link', { name: 'Send' }).click(),
  ],
  'jquery-validation, with a submitHandler that calls submit': [
    `${JQUERY}<script src="/lib/validate.js"></script>
     <form method="post" action="/send">${FIELD.replace('name', 'required name')}*<button name="by" value="valid">Send</button></form>
     <script>$('form').validate({ submitHandler: (form) => form.submit() })</script>`,
    press('Send'),
  ],
  'jquery-validation, with a field that the server checks before': [
    `${JQUERY}<script src="/lib/validate.js"></script>
     <form method="post" action="/send">${FIELD}*<button name="by" value="remote">Send</button></form>
     <script>$('form').validate({ rules: { comment: { remote: '/free' } } })</script>`,
    press('Send'),
  ],
  'Turbo, which sends the form by fetch': [
    `<script src="/lib/turbo.js"></script><form method="post" action="/send">${FIELD}*<button name="by" value="turbo">Send</button></form>`,
    press('Send'),
  ],
  'htmx, which sends the form by XMLHttpRequest': [
    `<script src="/lib/htmx.js"></script><form hx-post="/send">${FIELD}*<button name="by" value="htmx">Send</button></form>`,
    press('Send'),
  ],
}

/** Without the token, which is not there otherwise. */
const native = ({ method, path, fields }: Sent) => ({
  method,
  path,
  fields: fields.filter(([name]) => name !== RESPONSE),
})

for (const [title, [markup, act]] of Object.entries(WAYS)) {
  test(`a delayed form arrives as a native one: ${title}`, async ({ page, trial, service, inbox }) => {
    inbox.show(markup.replace('*', ''))
    await page.goto(inbox.url)
    await act(page)
    await expect.poll(() => inbox.sent.length).toBe(1)
    const box = await trial.box()
    // The last script: the libraries of the page have their listeners already.
    await sendEarly(
      page,
      inbox,
      `${markup.replace('*', box)}<script src="${service.url}/widget.js"></script>`,
      async () => {
        await isWorking(page)
        await act(page)
      },
    )
    const [expected, got] = inbox.sent as [Sent, Sent]
    expect(native(got)).toEqual(native(expected))
    await expectToken(trial, inbox, box)
  })
}

/** What the visitor presses while the form waits, and the buttons that arrive. */
const PRESSES: Readonly<Record<string, readonly [act: (page: Page) => Promise<unknown>, by: string]>> = {
  twice: [(page) => page.getByRole('button', { name: 'Save' }).dblclick(), 'save'],
  'another button after it, which counts': [
    async (page) => {
      await press('Save')(page)
      await press('Publish')(page)
    },
    'publish',
  ],
}

for (const [title, [act, by]] of Object.entries(PRESSES)) {
  test(`a form is sent once if the visitor presses its button ${title}`, async ({ page, trial, service, inbox }) => {
    const box = await trial.box()
    const form = `<form method="post" action="/send">${FIELD}${box}<button name="by" value="save">Save</button>
      <button name="by" value="publish">Publish</button></form><script src="${service.url}/widget.js"></script>`
    await sendEarly(page, inbox, form, () => act(page))
    await page.waitForURL('**/received')
    expect(inbox.sent.map(native)).toEqual([
      {
        method: 'POST',
        path: '/send',
        fields: expect.arrayContaining([
          ['by', by],
          ['comment', 'kept'],
        ]),
      },
    ])
    await expectToken(trial, inbox, box)
  })
}
