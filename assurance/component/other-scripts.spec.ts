import { createServer, request } from 'node:http'
import type { Page } from '@playwright/test'
import { servePage } from '../../e2e/setup/standalone.ts'
import { expect, test } from '../../e2e/setup/test.ts'
import { check, events, passCheck } from '../../e2e/setup/visitor.ts'

/** What other scripts and headers of the page do to requests, files and workers has no effect. */

/** Wrappers of `fetch`, as monitoring scripts install them. */
const MONITORS: Readonly<Record<string, string>> = {
  'a trace header': `headers.set('traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01')`,
  'several headers': `for (const name of ['x-datadog-trace-id', 'sentry-trace', 'baggage', 'Request-Id']) headers.set(name, '1')`,
  'a header that names the page’s framework': `headers.set('X-Requested-With', 'XMLHttpRequest')`,
  'an authorization header': `headers.set('Authorization', 'Bearer of-the-page')`,
}

for (const [what, change] of Object.entries(MONITORS)) {
  test(`solves in workers where a script adds ${what} to each fetch`, async ({ page, trial, serve }) => {
    const workers: string[] = []
    page.on('worker', (worker) => workers.push(worker.url()))
    const script = `<script>{
      const native = window.fetch
      window.fetch = (url, init = {}) => {
        const headers = new Headers(init.headers)
        ${change}
        return native(url, { ...init, headers })
      }
    }</script>`
    await page.goto(await serve(script + (await trial.form('data-language="de"'))))
    await expect(page.getByText('Geprüft')).toBeVisible()
    expect(workers.length).toBeGreaterThan(0)
  })
}

test('a script that asks the options of each fetch for their properties gets an answer', async ({
  page,
  trial,
  serve,
}) => {
  const script = `<script>{
    const native = window.fetch
    window.fetch = (url, init) => native(url, init.hasOwnProperty('method') ? init : { method: 'GET', ...init })
  }</script>`
  await page.goto(await serve(script + (await trial.form())))
  await passCheck(page)
})

/** Methods that old libraries add to prototypes. */
const PROTOTYPES: Readonly<Record<string, string>> = {
  'Array.prototype.toJSON': `Array.prototype.toJSON = function () { return '[' + this.map((x) => '"' + x + '"').join(', ') + ']' }`,
  'String.prototype.toJSON': `String.prototype.toJSON = function () { return '"' + this + '"' }`,
  'Object.prototype.toJSON': `Object.prototype.toJSON = function () { return '{}' }`,
  'all of them': `for (const type of [Array, String, Object, Number, Boolean, Function])
    type.prototype.toJSON = function () { return 'changed' }`,
}

for (const [what, change] of Object.entries(PROTOTYPES)) {
  test(`${what} does not change a request`, async ({ page, trial, serve }) => {
    const sent: unknown[] = []
    page.on('request', (asked) => {
      if (asked.method() === 'POST' && asked.url().endsWith('/challenge')) sent.push(JSON.parse(asked.postData() ?? ''))
    })
    await page.goto(await serve(`<script>${change}</script>${await trial.form()}`))
    await passCheck(page)
    expect(sent).toEqual([
      { sitekey: trial.sitekey, intent_id: expect.any(String), kinds: ['pow-hashwx', 'pow-sha256'] },
    ])
  })
}

test.describe('a page whose origin can never be allowed is told why', () => {
  const helpOf = (page: Page): string[] => {
    const lines: string[] = []
    page.on('console', (message) => {
      if (message.text().startsWith('Tollgate: ')) lines.push(message.text())
    })
    return lines
  }

  test('an application', async ({ page, trial, serve }) => {
    const lines = helpOf(page)
    await page.addInitScript(`Object.defineProperty(window, 'origin', { value: 'capacitor://localhost' })`)
    await page.route('**/challenge', async (route) => {
      // The browser compares the answer with the origin that the page really has.
      const reply = await route.fetch({ headers: { ...route.request().headers(), origin: 'capacitor://localhost' } })
      expect(reply.headers()['access-control-allow-origin']).toBe('capacitor://localhost')
      await route.fulfill({ response: reply, headers: { ...reply.headers(), 'access-control-allow-origin': '*' } })
    })
    await page.goto(await serve(await trial.form()))
    await expect(check(page)).toContainText('not on the site’s list')
    await expect
      .poll(() => lines)
      .toEqual([expect.stringMatching(/origin-not-allowed req_\S+ .* of an application or an extension/)])
  })
})

test.describe('where the script came from is not guessed', () => {
  const CHAT = 'window.chat = 1'
  /** Serves a page with the scripts of another vendor and a copy of ours at the page's own address. */
  async function open(page: Page, service: string, markup: string): Promise<() => Promise<void>> {
    const own = await servePage(markup)
    const code = await (await fetch(`${service}/widget.js`)).text()
    const script = (body: string) => ({ contentType: 'text/javascript', body })
    await page.route(`${own.url}chat/widget.js`, (route) => route.fulfill(script(CHAT)))
    await page.route(`${own.url}all.min.js`, (route) => route.fulfill(script(`${CHAT};${code};window.shop = 1`)))
    await page.goto(own.url)
    return () => own.close()
  }

  /** How the script is included, on a page that has another vendor's widget.js before it. */
  const INCLUDED: Readonly<Record<string, (url: string, code: string) => string>> = {
    'as a module': (url) => `<script type="module" src="${url}/widget.js"></script>`,
    'by a module that imports it': (url) => `<script type="module">import '${url}/widget.js'</script>`,
    'in a file that an optimiser made of several': () => `<script src="/all.min.js"></script>`,
    'in the page itself': (_, code) => `<script>${code}</script>`,
    'by another script': (url) =>
      `<script>document.head.append(Object.assign(document.createElement('script'), { src: '${url}/widget.js' }))</script>`,
  }
  for (const [how, include] of Object.entries(INCLUDED)) {
    test(`included ${how}`, async ({ page, trial, service }) => {
      const code = (await (await fetch(`${service.url}/widget.js`)).text()).replaceAll('</script', '<\\/script')
      const files: string[] = []
      page.on('request', (asked) => {
        if (asked.url().includes('/assets/')) files.push(new URL(asked.url()).origin)
      })
      const markup = `<script src="/chat/widget.js"></script>${await trial.form('data-language="de"')}${include(service.url, code)}`
      const close = await open(page, service.url, markup)
      await expect(page.getByText('Geprüft')).toBeVisible()
      expect(new Set(files)).toEqual(new Set([service.url]))
      await close()
    })
  }

  test('a module reads the query of its own address', async ({ page, trial, service }) => {
    const options = { sitekey: trial.sitekey, intent: await trial.intent(), endpoint: service.url }
    const markup = `<script src="/chat/widget.js"></script><form><div id="here"></div></form>
      <script>function show() { svcCaptcha.render('#here', ${JSON.stringify(options)}) }</script>
      <script type="module" src="${service.url}/widget.js?render=explicit&onload=show"></script>`
    const close = await open(page, service.url, markup)
    await passCheck(page)
    await close()
  })

  test('without an endpoint, one line in the console says so', async ({ page, trial, service }) => {
    const lines: string[] = []
    page.on('console', (message) => {
      if (message.text().startsWith('Tollgate: ')) lines.push(message.text())
    })
    const form = (await trial.form()).replace(/data-endpoint="[^"]+"/, '')
    const close = await open(page, service.url, `${form}<script src="/all.min.js"></script>`)
    await expect.poll(() => lines).toEqual([expect.stringContaining('missing-option endpoint Check data-endpoint')])
    expect((await events(page)).at(-1)).toMatchObject({ name: 'error', code: 'missing-option', field: 'endpoint' })
    await close()
  })
})

test.describe('reports of a Content Security Policy', () => {
  test.use({ expectedErrors: /Content Security Policy|wasm|Trusted|policy named/i })

  const WASM = `'wasm-unsafe-eval'`
  /** The policy, without the service's origin, and the directives that are reported. */
  const POLICIES: Readonly<Record<string, [policy: string, reported: string[]]>> = {
    'none where everything is allowed': [`script-src @ ${WASM}; worker-src blob:; connect-src @`, []],
    'one without WebAssembly': ['script-src @; worker-src blob:; connect-src @', ['script-src']],
    'one without workers': [`script-src @ ${WASM}; connect-src @`, ['worker-src']],
    'two without both': ['script-src @; connect-src @', ['script-src', 'worker-src']],
    'none with Trusted Types': [
      `script-src @ ${WASM}; worker-src blob:; connect-src @; require-trusted-types-for 'script'; trusted-types tollgate`,
      [],
    ],
    'two with Trusted Types that are all forbidden': [
      `script-src @ ${WASM}; worker-src blob:; connect-src @; require-trusted-types-for 'script'; trusted-types 'none'`,
      ['require-trusted-types-for', 'trusted-types'],
    ],
  }
  for (const [what, [policy, reported]] of Object.entries(POLICIES)) {
    test(what, async ({ page, trial, serve, service }) => {
      await page.addInitScript(`window.reports = []
        Object.defineProperty(navigator, 'hardwareConcurrency', { value: 8 })
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => reports.push(effectiveDirective))`)
      const full = `default-src 'none'; ${policy.replaceAll('@', service.url)}`
      // Two components, and a second verification of one of them, cause no further reports.
      const url = await serve((await trial.form()) + (await trial.form()), { policy: full })
      await page.goto(url)
      for (const form of await page.locator('form').all()) await expect(check(form)).toHaveText('Verified')
      await page.evaluate(
        `svcCaptcha.reset(document.querySelector('.svc-captcha'), { intent: '${await trial.intent()}' })`,
      )
      await passCheckOf(page)
      expect((await page.evaluate<string[]>('reports')).toSorted()).toEqual(reported)
    })
  }
  const passCheckOf = (page: Page) => expect(check(page.locator('form').first())).toHaveText('Verified')
})

for (const policy of ['require-corp', 'credentialless']) {
  test(`workers run below a path of an isolated page (${policy})`, async ({ page, trial, service }) => {
    const box = (await trial.form()).replace(service.url, '/tollgate')
    const shop = createServer((incoming, reply) => {
      const path = /^\/tollgate(\/.*)/.exec(incoming.url ?? '')?.[1]
      if (path) {
        const { method = 'GET', headers } = incoming
        const forwarded = request(new URL(path, service.url), { method, headers }, (answer) => {
          reply.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(reply)
        })
        return void incoming.pipe(forwarded)
      }
      reply.writeHead(200, {
        'content-type': 'text/html',
        'cross-origin-embedder-policy': policy,
        'cross-origin-opener-policy': 'same-origin',
      })
      reply.end(
        `<!doctype html><html lang="en"><title>Isolated</title><script src="/tollgate/widget.js" async></script>${box}`,
      )
    })
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
    try {
      const address = shop.address()
      const workers: string[] = []
      page.on('worker', (worker) => workers.push(new URL(worker.url()).pathname))
      await page.addInitScript(`{
        const Native = window.Worker
        window.tasks = 0
        window.Worker = class extends Native {
          postMessage(message) { if (message.kind === 'solve') window.tasks++; super.postMessage(message) }
        }
      }`)
      await page.goto(`http://localhost:${typeof address === 'object' ? address?.port : ''}/`)
      await passCheck(page)
      expect(await page.evaluate('crossOriginIsolated')).toBe(true)
      expect(await page.evaluate('tasks')).toBeGreaterThan(0)
      expect(workers[0]).toBe('/tollgate/widget.js')
    } finally {
      shop.closeAllConnections()
      shop.close()
    }
  })
}
