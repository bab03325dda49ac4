import { check, delayResponses } from '../../e2e/setup/visitor.ts'
import { expect, intentOf, test, tokenOf } from './inbox.ts'

/** Which form of the page gets the token, on pages as page builders, dialogs and old layouts make them. */

const FIELD = '<input name="comment" aria-label="Comment" value="kept">'
const SEND = '<button>Send</button>'
const POST = 'method="post" action="/send"'
/** Names of fields that hide the properties of a form. */
const CLOBBERS = 'action method target submit elements closest form matches host title nodeType'

/** The page; `*` is the component, and `%` is its script. */
const PAGES: Readonly<Record<string, string>> = {
  'a text area that names it, without another field or button there': `<form id="own" ${POST}>${FIELD}${SEND}</form><section>*<textarea form="own" name="more"></textarea></section>%`,
  'a form in each row of a table': `<table>
     <tr><form action="/search"><td><input name="q"></td><td><button>Find</button></td></form></tr>
     <tr><form ${POST}><td>${FIELD}</td><td>*</td><td>${SEND}</td></form></tr></table>%`,
  'fields with names of its properties': `<form ${POST}>${FIELD}${CLOBBERS.split(' ')
    .map((name) => `<input type="hidden" name="${name}">`)
    .join('')}*${SEND}</form>%`,
  'a template that a dialog shows later': `<dialog></dialog><template><form ${POST}>${FIELD}*${SEND}</form></template>%
     <script>setTimeout(() => {
       const dialog = document.querySelector('dialog')
       dialog.append(document.querySelector('template').content.cloneNode(true))
       dialog.showModal()
     })</script>`,
  'a lightbox that shows a copy of it': `<div hidden><form ${POST}>${FIELD}*${SEND}</form></div><main></main>%
     <script>setTimeout(() => { document.querySelector('main').innerHTML = document.querySelector('form').outerHTML })</script>`,
  'a lightbox that takes it out and puts it in elsewhere when its animation has ended': `<div><form ${POST}>${FIELD}*${SEND}</form></div><main></main>%<script>addEventListener('svc-captcha:ready', () => {
       const form = document.forms[0]
       form.remove()
       setTimeout(() => document.querySelector('main').append(form))
     }, { once: true })</script>`,
  'a frame whose page is written into it': `<iframe title="Form" srcdoc="!"></iframe>`,
  'a shadow root with a slot for the component': `<x-form>*</x-form><script>
     { const root = document.querySelector('x-form').attachShadow({ mode: 'open' })
       root.innerHTML = '<form ${POST}>${FIELD}<slot></slot>${SEND}</form>' }</script>%`,
  'a card with slots inside it': `<form ${POST}><x-card>${FIELD}*${SEND}</x-card></form><script>
     document.querySelector('x-card').attachShadow({ mode: 'open' }).innerHTML = '<section><slot></slot></section>'</script>%`,
  'a field named host, in a form that is rendered before it is inserted': `<main></main>%<script>{
     const form = document.createElement('form')
     form.innerHTML = '<input type="hidden" name="host">${FIELD}*${SEND}'
     svcCaptcha.render(form.querySelector('.svc-captcha'))
     document.querySelector('main').append(Object.assign(form, { method: 'post', action: '/send' }))
   }</script>`,
  'its content, which the page renders again around the same element': `<form ${POST}>*</form>%<script>setTimeout(() => {
     const box = document.querySelector('.svc-captcha')
     document.forms[0].innerHTML = '${FIELD}<p></p>${SEND}'
     document.querySelector('p').append(box)
   })</script>`,
  'an element of the page with its own shadow root, in which the script renders late': `<x-late></x-late>%<script>
     customElements.define('x-late', class extends HTMLElement {
       connectedCallback() {
         const root = this.attachShadow({ mode: 'closed' })
         root.innerHTML = \`<form ${POST}>${FIELD}*${SEND}</form>\`
         svcCaptcha.ready(() => svcCaptcha.render(root.querySelector('.svc-captcha')))
         window.send = () => root.querySelector('button').click()
       }
     })</script>`,
}

const escape = (html: string) => html.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

for (const [place, markup] of Object.entries(PAGES)) {
  test(`the form gets the token: ${place}`, async ({ page, trial, service, inbox }) => {
    const box = await trial.box()
    const script = `<script src="${service.url}/widget.js"></script>`
    const inner = `<form ${POST} target="_top">${FIELD}${box}${SEND}</form>${script}`
    inbox.show(markup.replace('!', escape(inner)).replace('*', box).replace('%', script))
    const proceed = await delayResponses(page, 'challenge')
    await page.goto(inbox.url)
    const frame = markup.includes('!') ? page.frameLocator('iframe').locator('body') : page.locator('body')
    if (markup.includes('closed')) await page.evaluate('send()')
    else {
      await expect(check(frame)).toHaveText('Verifying you are human')
      await frame.getByRole('button', { name: 'Send' }).click()
    }
    expect(inbox.sent).toEqual([])
    proceed()
    await page.waitForURL('**/received')
    expect(inbox.sent[0]?.fields).toContainEqual(['comment', 'kept'])
    expect(await trial.redeem(intentOf(box), tokenOf(inbox.sent[0]))).toBe(200)
  })
}

/** What scripts of a page give to the functions by mistake, and what they read. */
const MISTAKES: Readonly<Record<string, string>> = {
  'svcCaptcha.render("box")': 'svcCaptcha: no such element or ID: box.',
  'svcCaptcha.render()': 'svcCaptcha: no such element or ID: undefined.',
  'svcCaptcha.render(document.querySelectorAll(".none"))': 'svcCaptcha: no such element or ID: [object NodeList].',
  'svcCaptcha.getResponse("0")': "'0' is not a valid selector",
}

for (const [call, message] of Object.entries(MISTAKES)) {
  test(`an error says what is wrong: ${call}`, async ({ page, trial, serve }) => {
    await page.goto(await serve(await trial.form('data-start="submit"')))
    await page.waitForFunction(`document.querySelector('[data-tollgate]')`)
    await expect(page.evaluate(call)).rejects.toThrow(message)
  })
}
