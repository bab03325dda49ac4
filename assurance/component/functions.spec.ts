import { check, linesOf } from '../../e2e/setup/visitor.ts'
import { expect, expectToken, isWorking, sendEarly, test, tokenOf } from './inbox.ts'

/** Functions of the page that the component calls, on pages that define them in every way. The form is always sent. */

const FIELD = '<input name="comment" value="kept">'
const form = (box: string) => `<form method="post" action="/send">${FIELD}${box}<button>Send</button></form>`

/** How often the function was called is a field of the form. */
const ADD_FIELD = `addField = (calls) => document.forms[0].insertAdjacentHTML('beforeend', '<input type="hidden" name="calls" value="' + calls + '">')`

/** The attributes and the script of a page, and the lines that it causes. The visitor presses the button while it works. */
const FUNCTIONS: Readonly<Record<string, readonly [attributes: string, script: string, lines?: readonly string[]]>> = {
  'calls submit, as for the invisible reCAPTCHA': [
    'data-callback="send"',
    'function send() { document.forms[0].submit() }',
  ],
  'calls requestSubmit': ['data-callback="window.send"', 'window.send = () => document.forms[0].requestSubmit()'],
  'presses the button': ['data-callback="send"', `send = () => document.querySelector('button').click()`],
  'is a method with private fields of an instance': [
    'data-callback="shop.captcha.done"',
    'shop = { captcha: new class { #calls = 0; done() { addField(++this.#calls) } } }',
  ],
  'returns a promise that is rejected': [
    'data-callback="done"',
    `done = async () => { throw new Error('of the page') }`,
  ],
  'is a class by mistake': ['data-callback="done"', 'window.done = class {}'],
  'has the name of an element until it is defined': [
    'data-callback="done"',
    `document.body.insertAdjacentHTML('beforeend', '<b id="done"></b>')
     addEventListener('svc-captcha:solved', () => { window.done = () => addField(1) })`,
  ],
  'is named by an empty attribute, as a template writes it': [
    'data-callback="" data-error-callback="" data-expired-callback=""',
    '',
  ],
  'is named with parentheses': [
    'data-callback="done()"',
    'done = () => {}',
    ['Tollgate: window.done() is not a function'],
  ],
  'is named by a script when the component is rendered': [
    '',
    `done = () => addField(1)
     addEventListener('svc-captcha:ready', ({ target }) => { target.dataset.callback = 'done' })`,
  ],
  'removes the component, with the token in a field of the page': [
    'data-callback="done"',
    `done = (token) => {
      document.forms[0].insertAdjacentHTML('beforeend', '<input type="hidden" name="svc-captcha-response" value="' + token + '">')
      document.querySelector('.svc-captcha').remove()
    }`,
  ],
  'starts the next step of the page, which shows the form elsewhere': [
    'data-callback="done"',
    `done = () => document.body.append(Object.assign(document.createElement('dialog'), { open: true })) || document.querySelector('dialog').append(document.forms[0])`,
  ],
}

test.describe('a callback', () => {
  test.use({ expectedErrors: /of the page|Class constructor/ })
  for (const [title, [attributes, script, expected = []]] of Object.entries(FUNCTIONS)) {
    test(title, async ({ page, trial, service, inbox }) => {
      const [lines, box] = [linesOf(page), await trial.box(attributes)]
      // The page that follows has no console of this one.
      await page.route('**/send', async (route) => {
        await expect.poll(() => lines).toEqual(expected)
        await route.continue()
      })
      const scripts = `<script>${ADD_FIELD};${script}</script><script src="${service.url}/widget.js"></script>`
      await sendEarly(page, inbox, form(box) + scripts, async () => {
        await isWorking(page)
        await page.getByRole('button', { name: 'Send' }).click()
      })
      if (script.includes('addField')) expect(inbox.sent[0]?.fields).toContainEqual(['calls', '1'])
      await expectToken(trial, inbox, box)
    })
  }
})

/** Inserts the script as tag managers do. */
const insert = (src: string, more = '') =>
  `document.head.append(Object.assign(document.createElement('script'), { src: '${src}', ${more} }))`

/** How pages include the script; `show` renders the component. The second URL is that of the service at another host. */
const INCLUSIONS: Readonly<Record<string, (url: string, other: string) => string>> = {
  'twice with the same onload, by a tag manager and by the page': (url) =>
    `<script src="${url}/widget.js?render=explicit&amp;onload=show" async></script>
     <script>${insert(`${url}/widget.js?render=explicit&onload=show`)}</script>`,
  'by two hosts, each with an onload': (url, other) =>
    `<script>${insert(`${url}/widget.js?render=explicit&onload=none`, 'async: false')}; none = () => {}
       ${insert(`${other}/widget.js?onload=show&render=explicit`, 'async: false')}</script>`,
  'by document.write': (url) =>
    `<script>document.write('<script src="${url}/widget.js?render=explicit&onload=show"></' + 'script>')</script>`,
  'as a module that loads when it is needed': (url) =>
    `<script>addEventListener('load', () => import('${url}/widget.js?render=explicit&onload=app.show'))
     app = { render() { show() }, show() { this.render() } }</script>`,
  'by a function that is an async function and fails after it has rendered': (url) =>
    `<script>broken = async () => { show(); throw new Error('of the page') }</script>
     <script src="${url}/widget.js?render=explicit&amp;onload=broken"></script>`,
}

test.describe('the script is included', () => {
  test.use({ expectedErrors: /of the page/ })
  for (const [title, include] of Object.entries(INCLUSIONS)) {
    test(title, async ({ page, trial, service, inbox }) => {
      const [lines, intent] = [linesOf(page), await trial.intent()]
      const options = JSON.stringify({ sitekey: trial.sitekey, intent, endpoint: service.url })
      const other = service.url.replace('127.0.0.1', 'localhost')
      inbox.show(`<script>show = () => { window.id = svcCaptcha.render('#box', ${options}) }</script>
        ${form('<div id="box"></div>')}${include(service.url, other)}`)
      await page.goto(inbox.url)
      await expect(check(page)).toHaveText('Verified')
      expect(await page.evaluate('svcCaptcha.getResponse(id)')).toMatch(/^tgr_/)
      await page.getByRole('button', { name: 'Send' }).click()
      await page.waitForURL('**/received')
      expect(await trial.redeem(intent, tokenOf(inbox.sent[0]))).toBe(200)
      expect(lines).toEqual([])
    })
  }
})
