import type { Page } from '@playwright/test'
import { answerWith, belowPath } from '../../e2e/setup/standalone.ts'
import { expect, test } from '../../e2e/setup/test.ts'
import { check, events, linesOf, passCheck } from '../../e2e/setup/visitor.ts'

/** What other scripts and headers of the page do to requests, files and workers has no effect. */

test('solves in workers where monitoring scripts add headers to each fetch', async ({ page, trial, visit }) => {
  const workers: string[] = []
  page.on('worker', (worker) => workers.push(worker.url()))
  const script = `<script>{
    const native = window.fetch
    window.fetch = (url, init = {}) => {
      const headers = new Headers(init.headers)
      for (const name of ['traceparent', 'x-datadog-trace-id', 'sentry-trace', 'baggage', 'Request-Id', 'X-Requested-With', 'Authorization'])
        headers.set(name, '1')
      return native(url, { ...init, headers })
    }
  }</script>`
  await visit(script + (await trial.form('data-language="de"')))
  await expect(page.getByText('Geprüft')).toBeVisible()
  expect(workers.length).toBeGreaterThan(0)
})

test('the origin of an application cannot be allowed, and the error says why', async ({ page, trial, visit }) => {
  const lines = linesOf(page)
  await page.addInitScript(`Object.defineProperty(window, 'origin', { value: 'capacitor://localhost' })`)
  await page.route('**/challenge', async (route) => {
    // The browser compares the answer with the origin that the page really has.
    const reply = await route.fetch({ headers: { ...route.request().headers(), origin: 'capacitor://localhost' } })
    expect(reply.headers()['access-control-allow-origin']).toBe('capacitor://localhost')
    await route.fulfill({ response: reply, headers: { ...reply.headers(), 'access-control-allow-origin': '*' } })
  })
  await visit(await trial.form())
  await expect(check(page)).toContainText('not on the site’s list')
  await expect
    .poll(() => lines)
    .toEqual([expect.stringMatching(/origin-not-allowed req_\S+ .* of an application or an extension/)])
})

test.describe('where the script came from is not guessed', () => {
  const CHAT = 'window.chat = 1'
  /** Opens the page at `url`, with the script of another vendor and a copy of ours at its own address. */
  async function open(page: Page, service: string, url: string): Promise<void> {
    const code = await (await fetch(`${service}/widget.js`)).text()
    const script = (body: string) => ({ contentType: 'text/javascript', body })
    await page.route(`${url}/chat/widget.js`, (route) => route.fulfill(script(CHAT)))
    await page.route(`${url}/all.min.js`, (route) => route.fulfill(script(`${CHAT};${code};window.shop = 1`)))
    await page.goto(url)
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
    test(`included ${how}`, async ({ page, trial, service, host }) => {
      const code = (await (await fetch(`${service.url}/widget.js`)).text()).replaceAll('</script', '<\\/script')
      const files: string[] = []
      page.on('request', (asked) => {
        if (asked.url().includes('/assets/')) files.push(new URL(asked.url()).origin)
      })
      const markup = `<script src="/chat/widget.js"></script>${await trial.form('data-language="de"')}${include(service.url, code)}`
      await open(page, service.url, await host(answerWith(markup)))
      await expect(page.getByText('Geprüft')).toBeVisible()
      expect(new Set(files)).toEqual(new Set([service.url]))
    })
  }

  test('a module reads the query of its own address', async ({ page, trial, service, host }) => {
    const markup = `<script src="/chat/widget.js"></script><form><div id="here"></div></form>
      <script>function show() { svcCaptcha.render('#here', ${await trial.options()}) }</script>
      <script type="module" src="${service.url}/widget.js?render=explicit&onload=show"></script>`
    await open(page, service.url, await host(answerWith(markup)))
    await passCheck(page)
  })

  test('without an endpoint, one line in the console says so', async ({ page, trial, service, host }) => {
    const lines = linesOf(page)
    const form = (await trial.form()).replace(/data-endpoint="[^"]+"/, '')
    await open(page, service.url, await host(answerWith(`${form}<script src="/all.min.js"></script>`)))
    await expect.poll(() => lines).toEqual([expect.stringContaining('missing-option endpoint Check data-endpoint')])
    expect((await events(page)).at(-1)).toMatchObject({ name: 'error', code: 'missing-option', field: 'endpoint' })
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
  test(`workers run below a path of an isolated page (${policy})`, async ({ page, trial, service, host }) => {
    const headers = { 'cross-origin-embedder-policy': policy, 'cross-origin-opener-policy': 'same-origin' }
    const workers: string[] = []
    page.on('worker', (worker) => workers.push(new URL(worker.url()).pathname))
    await page.addInitScript(`{
        const Native = window.Worker
        window.tasks = 0
        window.Worker = class extends Native {
          postMessage(message) { if (message.kind === 'solve') window.tasks++; super.postMessage(message) }
        }
      }`)
    await page.goto(await host(belowPath(service.url, await trial.form(), headers)))
    await passCheck(page)
    expect(await page.evaluate('crossOriginIsolated')).toBe(true)
    expect(await page.evaluate('tasks')).toBeGreaterThan(0)
    expect(workers[0]).toBe('/tollgate/widget.js')
  })
}
