import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import type { Page } from '@playwright/test'
import { answerWith } from '../../e2e/setup/standalone.ts'
import { expect, test } from '../../e2e/setup/test.ts'
import type { Trial } from '../../e2e/setup/trial.ts'
import { check, expectSent, runUntilSolved, token } from '../../e2e/setup/visitor.ts'

/** Libraries, extensions, service workers and managers of scripts that real pages have beside the component. */

const library = (path: string): string => readFileSync(`node_modules/${path}`, 'utf8')
const wrap = (body: string): string =>
  `{ const native = window.fetch; window.fetch = async (url, init) => { ${body} } }`

/** Scripts that run before the component's, and what they are. */
const SCRIPTS: Readonly<Record<string, string>> = {
  'intrinsics that SES has frozen': `${library('ses/dist/lockdown.umd.min.js')};lockdown({ errorTaming: 'unsafe', consoleTaming: 'unsafe' })`,
  'es5-shim and its sham': library('es5-shim/es5-shim.js') + library('es5-shim/es5-sham.js'),
  'a fetch over XMLHttpRequest': `delete window.fetch;${library('whatwg-fetch/dist/fetch.umd.js')}`,
  'a form whose methods cannot be replaced': `Object.freeze(HTMLFormElement.prototype)`,
  'Date.parse that returns an object, as that of Datejs': `{ const { parse } = Date; Date.parse = (text) => new Date(parse(text)) }`,
  'Array.from and methods of arrays as in Prototype.js 1.7': `
    Array.from = (list) => { const copy = []; for (let i = 0; i < (list?.length ?? 0); i++) copy[i] = list[i]; return copy }
    Array.prototype.entries = Array.prototype.toArray = function () { return this.slice() }
    Array.prototype.include = Array.prototype.includes
    Array.prototype.first = function () { return this[0] }
    Element.prototype.remove = function () { this.parentNode?.removeChild(this); return this }
    Element.prototype.update = Element.prototype.insert = Element.prototype.hide = function () { return this }`,
  'methods that loops over objects see': `
    for (const name of ['each', 'extend', 'clone', 'watch', 'unwatch', 'toJSONString', 'parseJSON', 'isEmpty', 'size'])
      Object.prototype[name] = Array.prototype[name] = String.prototype[name] = function () { return this }`,
  'toJSON on all prototypes': `for (const type of [Array, String, Object, Number, Boolean, Function])
    type.prototype.toJSON = function () { return 'changed' }`,
  'a wrapper that asks the options of each call for their properties': wrap(
    `return native(url, init.hasOwnProperty('method') ? init : { method: 'GET', ...init })`,
  ),
  'a recorder that reads each answer before the page': wrap(`const reply = await native(url, init)
    await reply.clone().text()
    return reply`),
  'a wrapper that makes a Request of each call': wrap(`const request = new Request(url, init)
    return native(request.clone())`),
  'a wrapper that adds a number to each address, against caches': wrap(
    `return native(url + (String(url).includes('?') ? '&' : '?') + '_=' + Date.now(), init)`,
  ),
  'a wrapper that copies the options by their names': wrap(`const copy = {}
    for (const name of Object.keys(init)) copy[name] = init[name]
    return native(url, copy)`),
  'an extension that says that each page is visible': `for (const [name, value] of [['hidden', false], ['visibilityState', 'visible']])
      Object.defineProperty(document, name, { get: () => value })
    for (const type of ['visibilitychange', 'blur', 'focus', 'pagehide'])
      addEventListener(type, (event) => event.stopImmediatePropagation(), true)`,
  'a filter that hides what has captcha in its name': `document.addEventListener('DOMContentLoaded', () =>
      document.head.insertAdjacentHTML('beforeend', '<style>[class*="captcha"] { display: none !important }</style>'))`,
  'a filter that removes the box when it sees it': `{
    let removed = 0
    new MutationObserver(() => {
      if (removed++ < 9) document.querySelector('[data-tollgate]')?.remove()
    }).observe(document, { childList: true, subtree: true })
  }`,
}

test.describe('a form is sent beside', () => {
  test.use({ expectedErrors: /lockdown|SES|Removing|intrinsics/ })

  for (const [title, script] of Object.entries(SCRIPTS)) {
    test(title, async ({ page, trial, visit }) => {
      await page.addInitScript(script)
      await visit(await trial.form())
      await expect(token(page)).toHaveValue(/^tgr_/)
      await expectSent(page, trial)
    })
  }
})

/** How the script gets into a page that has been there for a while. `SRC` is its address. */
const LATE: Readonly<Record<string, string>> = {
  'a consent manager that changes the type of scripts': `{
    const blocked = document.querySelector('script[type="text/plain"]')
    const copy = document.createElement('script')
    for (const { name, value } of blocked.attributes) if (name !== 'type') copy.setAttribute(name, value)
    blocked.replaceWith(copy)
  }`,
  'a manager of tags that evaluates the text of the script': `fetch('SRC').then((reply) => reply.text()).then((text) => (0, eval)(text))`,
  'a script that writes the page anew': `{
    const markup = document.documentElement.outerHTML.replace('text/plain', 'text/javascript')
    document.open()
    document.write(markup)
    document.close()
  }`,
  'a script that writes the page anew, with the component in both': `{
    const script = document.createElement('script')
    script.src = 'SRC'
    script.onload = () => {
      const markup = document.documentElement.outerHTML.replace('text/plain', 'text/javascript')
      document.open()
      document.write(markup)
      document.close()
    }
    document.head.append(script)
  }`,
}

for (const [title, load] of Object.entries(LATE)) {
  test(`a form is sent where the component is loaded by ${title}`, async ({ page, trial, service, host }) => {
    const src = `${service.url}/widget.js`
    const markup = `<script type="text/plain" data-category="functional" src="${src}"></script>${await trial.form()}`
    await page.goto(await host(answerWith(markup)))
    await page.evaluate(load.replaceAll('SRC', src))
    await expect(check(page)).toHaveText('Verified')
    await expectSent(page, trial)
  })
}

/** What the page's own service worker does with all requests. */
const WORKERS: Readonly<Record<string, string>> = {
  'answers from its cache, and updates it': `event.respondWith((async () => {
    const cache = await caches.open('all')
    const cached = event.request.method === 'GET' && (await cache.match(event.request))
    const reply = fetch(event.request).then(async (reply) => {
      if (event.request.method === 'GET') await cache.put(event.request, reply.clone())
      return reply
    })
    return cached || reply
  })())`,
  'repeats each request with options of its own': `event.respondWith(event.request.mode === 'navigate' ? fetch(event.request)
    : fetch(new Request(event.request, { cache: 'no-cache', referrerPolicy: 'no-referrer' })))`,
  'fails with what it cannot keep in a cache': `event.respondWith(caches.open('all').then(async (cache) => {
    const reply = await fetch(event.request)
    if (event.request.url.endsWith('.wasm')) throw new TypeError('not kept')
    return reply
  }))`,
}

const siteWithWorker =
  (endpoint: string, form: string, handler: string): RequestListener =>
  ({ url }, reply) => {
    const isScript = url === '/sw.js'
    reply.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
    reply.end(
      isScript
        ? `addEventListener('install', () => skipWaiting()); addEventListener('activate', (event) => event.waitUntil(clients.claim()))
           addEventListener('fetch', (event) => { ${handler} })`
        : `<!doctype html><html lang="en"><title>Worker</title><script src="${endpoint}/widget.js" async></script>${form}`,
    )
  }

async function sendWithWorker(page: Page, trial: Trial): Promise<void> {
  await page.evaluate(`navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready)`)
  // twice, so that the worker has what it keeps
  for (const _ of [1, 2]) {
    await page.reload()
    expect(await page.evaluate('!!navigator.serviceWorker.controller')).toBe(true)
    await page.clock.install()
    await runUntilSolved(page)
  }
  await expectSent(page, trial)
}

test.describe('a form is sent on a page whose service worker', () => {
  test.use({ expectedErrors: /Failed to fetch|not kept|dynamically imported|ERR_FAILED|FetchEvent/ })

  for (const [title, handler] of Object.entries(WORKERS)) {
    test(title, async ({ page, trial, host }) => {
      await page.goto(await host(siteWithWorker(trial.endpoint, await trial.form(), handler)))
      await sendWithWorker(page, trial)
    })
  }
})
