import type { Page, Route } from '@playwright/test'
import { expect, test } from '../../e2e/setup/test.ts'
import { answer, check, events, linesOf, passCheck, runUntil, watchSolver } from '../../e2e/setup/visitor.ts'

/** Every way to solve is tried before the component gives up, and no file is needed that has a substitute. */

type Fault = (route: Route) => unknown

const PAGE = '<!doctype html><title>Blocked</title><h1>Blocked by your company</h1>'
const html = (status: number) => (route: Route) =>
  route.fulfill({ status, contentType: 'text/html', headers: { 'access-control-allow-origin': '*' }, body: PAGE })

/** What can be in the way of a file. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'is refused by a proxy': html(403),
  'is replaced by a page': html(200),
  'cannot be reached': (route) => route.abort('connectionfailed'),
  'is never answered': () => undefined,
}
const faults = Object.entries(FAULTS)

const isInState = (page: Page, state: string) => async () =>
  (await page
    .locator('[data-state]')
    .getAttribute('data-state', { timeout: 1000 })
    .catch(() => null)) === state
/** Lets time pass until the component is in this state, so that what is never answered is given up. */
const pass = (page: Page, state: string) => runUntil(page, isInState(page, state), 3_000)

test.use({ expectedErrors: /Failed to load module script|MIME type|ERR_|dynamically imported/ })

/** Files that the component can do without: where it looks for them, whether only by `fetch`, as with a connect-src for the API only. */
const FILES: Readonly<Record<string, [pattern: string, onlyFetch: boolean]>> = {
  'simd.wasm': ['**/simd.wasm', false],
  'each .wasm file': ['**/*.wasm', false],
  'each file for fetch': ['**/widget/assets/**', true],
  'the copy of the script for workers': ['**/widget.js', true],
  'the file of the language': ['**/de.json', false],
}

for (const [fault, block] of faults) {
  for (const [file, [pattern, onlyFetch]] of Object.entries(FILES)) {
    test(`solves where ${file} ${fault}`, async ({ page, trial, visit }) => {
      await page.clock.install()
      await page.route(pattern, (route) =>
        onlyFetch && route.request().resourceType() !== 'fetch' ? route.continue() : void block(route),
      )
      // in English without the file of the language
      await visit(await trial.form(pattern.endsWith('de.json') ? 'data-language="de"' : ''))
      await pass(page, 'solved')
      await passCheck(page)
      if (pattern.endsWith('widget.js')) expect(page.workers()).toEqual([])
    })
  }

  test(`writes a general line to the console where help.json ${fault}`, async ({ page, visit, trial }) => {
    const lines = linesOf(page)
    await page.clock.install()
    await page.route('**/help.json', (route) => void block(route))
    await visit((await trial.form()).replace(/data-sitekey="[^"]+"/, ''))
    await runUntil(page, () => lines.length === 1, 3_000)
    expect(lines[0]).toContain('Tollgate: missing-option sitekey Check data-endpoint')
  })
}

test('a text that is JSON of another shape is not used', async ({ page, trial, visit }) => {
  await page.route('**/de.json', answer(200, { error: 'offline' }))
  await visit(await trial.form('data-language="de"'))
  await passCheck(page)
})

test.describe('on a site of kind hashwx', () => {
  test.use({ kind: 'hashwx', work: 65_536, expectedErrors: /hashwx|ERR_/ })

  for (const [fault, block] of faults) {
    test(`gets SHA-256 where the emitter ${fault}`, async ({ page, trial, visit }) => {
      const { kinds } = watchSolver(page)
      await page.clock.install()
      await page.route('**/hashwx.wasm', (route) => void block(route))
      await visit(await trial.form())
      await pass(page, 'solved')
      expect(await kinds()).toEqual(['pow-hashwx', 'pow-sha256'])
    })
  }
})

for (const [fault, block] of faults) {
  test(`a solver of which each file ${fault} has no connection until Retry`, async ({ page, trial, visit }) => {
    await page.clock.install()
    const solver = '**/solver-*/*'
    await page.route(solver, (route) => void block(route))
    await visit(await trial.form())
    await pass(page, 'error')
    await expect(check(page)).toContainText('No connection')
    expect((await events(page)).at(-1)).toMatchObject({ name: 'error', code: 'network' })

    await page.unroute(solver)
    const { files } = watchSolver(page)
    await page.getByRole('button', { name: 'Retry' }).click()
    await passCheck(page)
    expect(files()).toEqual(['simd.wasm'])
  })
}

test.describe('with workers that start slowly', () => {
  test.use({ work: 30_000_000 })

  /** Holds back what workers report until `release()`; counts the puzzles that they get, and those of the main thread. */
  const HELD = `
    const held = []
    window.tasks = 0
    window.sliced = 0
    window.release = () => { window.released = true; for (const deliver of held.splice(0)) deliver() }
    const Native = window.Worker
    window.Worker = class extends Native {
      constructor(...given) { super(...given); window.started = true }
      set onmessage(listener) {
        super.onmessage = (event) => window.released ? listener(event) : held.push(() => listener(event))
      }
      postMessage(message) {
        if (message.kind === 'solve') window.tasks++
        super.postMessage(message)
      }
    }
    const post = MessagePort.prototype.postMessage
    MessagePort.prototype.postMessage = function (message) {
      if (message?.kind === 'solve') {
        window.sliced++
        window.onSlice?.()
      }
      return post.call(this, message)
    }`
  const open = async (page: Page, url: string): Promise<void> => {
    await page.clock.install()
    await page.addInitScript(HELD)
    await page.goto(url)
    await page.waitForFunction('window.started')
  }

  test('they are not given up while the page’s own scripts block its thread', async ({ page, trial, serve }) => {
    await open(page, await serve(await trial.form()))
    // Timers that were due meanwhile fire once, as after a long task.
    await page.clock.fastForward(6_000)
    await page.evaluate('release()')
    await passCheck(page)
    expect(await page.evaluate('[tasks, sliced]')).toEqual([expect.any(Number), 0])
    expect(await page.evaluate('tasks')).toBeGreaterThan(0)
  })

  test('the main thread begins beside them, and they join', async ({ page, trial, serve }) => {
    await open(page, await serve(await trial.form()))
    await page.evaluate('window.onSlice = release')
    await page.clock.runFor(6_000)
    await passCheck(page)
    expect(await page.evaluate('sliced')).toBeGreaterThan(0)
    expect(await page.evaluate('tasks')).toBeGreaterThan(0)
  })
})

/** What answers in place of the service at the path: its status, its body, and the code that it counts as. */
const STRANGERS: Readonly<Record<string, [path: string, status: number, body: string, code?: string, says?: string]>> =
  {
    'the page of a service worker or a captive portal': ['challenge', 200, PAGE],
    'JSON of somebody else': ['solve', 200, '{"status":"ok"}'],
    'an empty answer': ['challenge', 200, ''],
    'a company proxy': ['solve', 403, PAGE],
    'a server that has no such path': ['challenge', 404, PAGE],
    'an API that has no such path': ['solve', 404, '{"error":"Not Found","statusCode":404}'],
    'a gateway without its server': ['challenge', 502, PAGE, 'unavailable', 'Service unavailable'],
  }

for (const [stranger, [path, status, body, code = 'network', says = 'No connection']] of Object.entries(STRANGERS)) {
  test(`${stranger} at /${path} is ${code} until the next focus`, async ({ page, trial, visit }) => {
    await page.clock.install()
    const contentType = body.startsWith('{') ? 'application/json' : 'text/html'
    const headers = { 'access-control-allow-origin': '*' }
    await page.route(`**/${path}`, (route) => route.fulfill({ status, contentType, headers, body }))
    await visit(await trial.form())
    await pass(page, 'error')
    await expect(check(page)).toContainText(says)
    const field = code === 'network' ? 'answer' : undefined
    expect((await events(page)).at(-1)).toMatchObject({ name: 'error', code, ...(field && { field }) })
    await page.unroute(`**/${path}`)
    await page.getByLabel('Comment').focus()
    await passCheck(page)
  })
}
