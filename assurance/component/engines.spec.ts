import type { ServerResponse } from 'node:http'
import { expect, test } from '../../e2e/setup/test.ts'
import { check, delayResponses, expectSent, passCheck, runUntilSolved } from '../../e2e/setup/visitor.ts'

/** Workers and engines that fail late, silently or in part, and files that arrive in part: another way solves. */

/** Changes what each worker reports: `change(message, worker, deliver)`, where `worker` counts from 1. */
const withReports = (change: string): string => `{
  const Native = window.Worker
  let count = 0
  window.Worker = class extends Native {
    number = ++count
    set onmessage(listener) {
      super.onmessage = (event) => ((message, worker, deliver) => { ${change} })(event.data, this.number, () => listener(event))
    }
  }
}`

/** Runs the code in each worker before the component's script. */
const inWorkers = (code: string): string => `{
  const Native = window.Worker
  window.Worker = class extends Native {
    constructor(url) { super(URL.createObjectURL(new Blob([${JSON.stringify(code)} + ';importScripts(' + JSON.stringify(String(url)) + ')']))) }
  }
}`

const NO_MEMORY = `WebAssembly.instantiate = () => Promise.reject(new RangeError('WebAssembly.instantiate(): Out of memory'))`
const NO_CLONE = `for (const { prototype } of [Worker, MessagePort]) {
  const post = prototype.postMessage
  prototype.postMessage = function (message, ...more) {
    if (message?.source instanceof WebAssembly.Module) throw new DOMException('could not be cloned', 'DataCloneError')
    return post.call(this, message, ...more)
  }
}`

/** Pages whose workers or engines fail, by the script that makes them fail. */
const PAGES: Readonly<Record<string, string>> = {
  'workers that fall silent before their first report': withReports(`if (message.kind === 'ready') deliver()`),
  'workers that fall silent after their first nonce': withReports(
    `if (message.kind === 'ready' || (message.kind === 'found' && !window.found)) deliver(); if (message.kind === 'found') window.found = true`,
  ),
  'one of several workers that falls silent': withReports(`if (message.kind === 'ready' || worker > 1) deliver()`),
  'workers that die after their first nonce': withReports(`deliver()
    if (message.kind === 'found') this.onerror(new ErrorEvent('error'))`),
  'a web view that allows one worker': `{
    const Native = window.Worker
    let count = 0
    window.Worker = class extends Native {
      constructor(url) { if (count++) throw new DOMException('too many workers', 'QuotaExceededError'); super(url) }
    }
  }`,
  'WebAssembly without memory in workers': inWorkers(NO_MEMORY),
  'WebAssembly without memory anywhere': inWorkers(NO_MEMORY) + NO_MEMORY,
  'modules of WebAssembly that no message can contain': NO_CLONE,
  'a browser that hides its cores': `Object.defineProperty(navigator, 'hardwareConcurrency', { value: undefined })`,
  'a browser of one core': `Object.defineProperty(navigator, 'hardwareConcurrency', { value: 1 })`,
  'answers that can only be read as text or JSON, as those of small substitutes for fetch': `
    for (const name of ['arrayBuffer', 'blob', 'clone', 'formData', 'body']) delete Response.prototype[name]`,
}

for (const [title, script] of Object.entries(PAGES)) {
  test(title, async ({ page, trial, visit }) => {
    await page.clock.install()
    await page.addInitScript(
      `Object.defineProperty(navigator, 'hardwareConcurrency', { configurable: true, value: 4 });${script}`,
    )
    await visit(await trial.form())
    await runUntilSolved(page)
    await expectSent(page, trial)
  })
}

/** Pages that isolate themselves or allow scripts strictly: their headers, and the attributes of the script. */
const STRICT: Readonly<Record<string, [headers: Record<string, string>, script: string]>> = {
  'a strict policy with a nonce': [
    { 'content-security-policy': `script-src 'nonce-n0' 'strict-dynamic'; object-src 'none'; base-uri 'none'` },
    'nonce="n0"',
  ],
  'a strict policy with a nonce, and no workers': [
    { 'content-security-policy': `script-src 'nonce-n0' 'strict-dynamic'; worker-src 'none'` },
    'nonce="n0"',
  ],
  'an isolated page, with the service at its own host': [
    { 'cross-origin-embedder-policy': 'require-corp', 'cross-origin-opener-policy': 'same-origin' },
    'crossorigin',
  ],
  'an isolated page without credentials': [
    { 'cross-origin-embedder-policy': 'credentialless', 'cross-origin-opener-policy': 'same-origin' },
    '',
  ],
}

test.describe('solves under', () => {
  test.use({ expectedErrors: /Content Security Policy/ })

  for (const [title, [headers, script]] of Object.entries(STRICT)) {
    test(title, async ({ page, trial, service, host }) => {
      const form = await trial.form()
      const url = await host((_, reply) => {
        reply.writeHead(200, { 'content-type': 'text/html', ...headers })
        reply.end(`<!doctype html><html lang="en"><script src="${service.url}/widget.js" ${script}></script>${form}`)
      })
      await page.goto(url)
      await expect(check(page)).toHaveText('Verified')
      await expectSent(page, trial)
    })
  }
})

/** What arrives of each file for workers and engines: part of it. */
const PARTS: Readonly<Record<string, (file: Buffer, reply: ServerResponse) => unknown>> = {
  'stops half-way': (file, reply) => reply.write(file.subarray(0, file.length / 2)),
  'is cut off': (file, reply) => reply.end(file.subarray(0, file.length / 2)),
  'is empty': (_, reply) => reply.end(),
}

for (const [title, answer] of Object.entries(PARTS)) {
  test(`solves where each file for workers and engines ${title}`, async ({ page, trial, visit, service, host }) => {
    const url = await host((request, reply) => {
      reply.setHeader('access-control-allow-origin', '*')
      void fetch(service.url + request.url)
        .then((file) => file.arrayBuffer())
        .then((file) => answer(Buffer.from(file), reply))
    })
    await page.clock.install()
    await page.route(/widget\.js|\.wasm$/, (route) =>
      route.request().resourceType() === 'fetch'
        ? route.continue({ url: url + new URL(route.request().url()).pathname })
        : route.continue(),
    )
    await visit(await trial.form())
    await runUntilSolved(page)
    await expectSent(page, trial)
  })
}

for (const path of ['challenge', 'solve']) {
  test(`an answer of /${path} that is lost is asked for again`, async ({ page, trial, visit }) => {
    let lost = 0
    await page.route(`**/${path}`, async (route) => {
      if (route.request().method() !== 'POST' || lost === 3) return route.continue()
      lost += 1
      await route.fetch()
      return route.abort('connectionreset')
    })
    await visit(await trial.form())
    await expect(check(page)).toHaveText('Verified')
    expect(lost).toBe(3)
    await expectSent(page, trial)
  })
}

test.describe('plain JavaScript that loads slowly', () => {
  test.use({ expectedErrors: /Content Security Policy directive/ })

  test('is waited for', async ({ page, trial, visit }) => {
    await page.clock.install()
    const asked = page.waitForRequest('**/script.js')
    const arrive = await delayResponses(page, 'script.js')
    await visit(await trial.form(), { policy: `script-src ${trial.endpoint}; worker-src 'none'` })
    await asked
    await page.clock.runFor(10_000)
    arrive()
    await passCheck(page)
  })
})
