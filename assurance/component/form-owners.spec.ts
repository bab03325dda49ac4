import { expect, expectToken, isWorking, sendEarly, test } from './inbox.ts'

/** Which form of the page gets the token, on pages as page builders, dialogs and old layouts make them. */

const FIELD = '<input name="comment" aria-label="Comment" value="kept">'
const SEND = '<button>Send</button>'
const POST = 'method="post" action="/send"'
const OWN_FIELD = FIELD.replace('name', 'form="own" name')
const OWN_SEND = SEND.replace('>', ' form="own">')
/** A script that gives the element in `within` a shadow root, `root`, and renders the components in it. */
const attach = (host: string, markup: string, within = 'document') => `<script>
  var root = ${within}.querySelector('${host}').attachShadow({ mode: 'open' })
  root.innerHTML = '${markup}'
  for (const box of root.querySelectorAll('.svc-captcha')) svcCaptcha.render(box)</script>`
/** Names of fields that hide the properties of a form. */
const CLOBBERS =
  'action method target submit requestSubmit elements children closest contains append form matches isConnected host title nodeType'

/** The page; `*` is the component, and `%` is its script. */
const PAGES: Readonly<Record<string, string>> = {
  'between a table and its rows': `<table><form ${POST}><tr><td>${FIELD}</td></tr><tr><td>*</td></tr><tr><td>${SEND}</td></tr></form></table>%`,
  'in a table, with fields that the parser moves': `<table><form ${POST}>${FIELD}*${SEND}</form></table>%`,
  'in a table, with the component first': `<table><form ${POST}><tr><td>*</td></tr><tr><td>${FIELD}${SEND}</td></tr></form></table>%`,
  'in the second of two tables': `<table><form action="/search"><tr><td><input name="q"></td></tr></form></table>
    <table><form ${POST}><tr><td>*</td></tr><tr><td>${FIELD}${SEND}</td></tr></form></table>%`,
  'closed by the end of another element': `<form action="/search"><input name="q"></form><div><form ${POST}></div>${FIELD}*${SEND}</form>%`,
  'named by the fields': `<form id="own" ${POST}></form><p>${OWN_FIELD}*${OWN_SEND}</p>%`,
  'named by a field, after a button of another form': `<form id="other"></form><button form="other">Log out</button><form id="own" ${POST}></form>
    <section><p>${OWN_FIELD}</p>*${OWN_SEND}</section>%`,
  'around the host of its shadow root': `<form ${POST}>${FIELD}<x-box></x-box>${SEND}</form>%${attach('x-box', '<div>*</div>')}`,
  'around the host of the host of its shadow root': `<form ${POST}>${FIELD}<x-outer></x-outer>${SEND}</form>%
    ${attach('x-outer', '<x-box></x-box>')}${attach('x-box', '*', 'root')}`,
  'in the shadow root around the host of its own': `<x-form></x-form>%
    ${attach('x-form', `<form ${POST}>${FIELD}<x-box></x-box>${SEND}</form>`)}${attach('x-box', '*', 'root')}`,
  'in a shadow root, inserted after it was rendered': `<x-form></x-form>%<script>{
    const form = Object.assign(document.createElement('form'), { method: 'post', action: '/send' })
    form.innerHTML = '${FIELD}*${SEND}'
    svcCaptcha.render(form.querySelector('.svc-captcha'))
    document.querySelector('x-form').attachShadow({ mode: 'open' }).append(form) }</script>`,
  'in a shadow root, to which it was moved from the document': `<x-form></x-form><main>*</main>%
    ${attach('x-form', `<form ${POST}>${FIELD}<div></div>${SEND}</form>`)}
    <script>root.querySelector('div').append(document.querySelector('.svc-captcha'))</script>`,
  'a text area that names it, without another field or button there': `<form id="own" ${POST}>${FIELD}${SEND}</form><section>*<textarea form="own" name="more"></textarea></section>%`,
  'a form in each row of a table': `<table>
     <tr><form action="/search"><td><input name="q"></td><td><button>Find</button></td></form></tr>
     <tr><form ${POST}><td>${FIELD}</td><td>*</td><td>${SEND}</td></form></tr></table>%`,
  'fields with names of its properties': `<b id="svcCaptcha"></b><form ${POST}>${FIELD}${CLOBBERS.split(' ')
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
    const frame = markup.includes('!') ? page.frameLocator('iframe').locator('body') : page.locator('body')
    const shown = markup.replace('!', escape(inner)).replace('*', box).replace('%', script)
    await sendEarly(page, inbox, shown, async () => {
      if (markup.includes("closed'")) return page.evaluate('send()')
      await isWorking(frame)
      await frame.getByRole('button', { name: 'Send' }).click()
    })
    expect(inbox.sent[0]?.fields).toContainEqual(['comment', 'kept'])
    await expectToken(trial, inbox, box)
  })
}
