import type { Page, Route } from '@playwright/test'
import { expect, test } from '../../e2e/setup/test.ts'
import { check, events, passCheck } from '../../e2e/setup/visitor.ts'

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

/** Lets time pass until `state` is true, so that what is never answered is given up. */
async function pass(page: Page, state: () => Promise<boolean>): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.runFor(3000)
      return state()
    })
    .toBe(true)
}

const stateOf = async (page: Page): Promise<string | null> =>
  page.locator('[data-state]').getAttribute('data-state', { timeout: 1000 })
const isSolved = (page: Page) => async () => (await stateOf(page).catch(() => null)) === 'solved'
const isError = (page: Page) => async () => (await stateOf(page).catch(() => null)) === 'error'

test.use({ expectedErrors: /Failed to load module script|MIME type|ERR_|dynamically imported/ })

for (const [fault, answer] of faults) {
  for (const [files, pattern] of [
    ['simd.wasm', '**/simd.wasm'],
    ['each .wasm file', '**/*.wasm'],
  ] as const) {
    test(`solves where ${files} ${fault}`, async ({ page, trial, serve }) => {
      await page.clock.install()
      await page.route(pattern, (route) => void answer(route))
      await page.goto(await serve(await trial.form()))
      await pass(page, isSolved(page))
      await passCheck(page)
    })
  }

  test(`solves where each file for fetch ${fault}, as with a connect-src for the API only`, async ({
    page,
    trial,
    serve,
  }) => {
    await page.clock.install()
    await page.route('**/widget/assets/**', (route) =>
      route.request().resourceType() === 'fetch' ? void answer(route) : route.continue(),
    )
    await page.goto(await serve(await trial.form()))
    await pass(page, isSolved(page))
    await passCheck(page)
  })

  test(`solves without workers where the copy of the script for them ${fault}`, async ({ page, trial, serve }) => {
    await page.clock.install()
    await page.route('**/widget.js', (route) =>
      route.request().resourceType() === 'fetch' ? void answer(route) : route.continue(),
    )
    await page.goto(await serve(await trial.form()))
    await pass(page, isSolved(page))
    await passCheck(page)
    expect(page.workers()).toEqual([])
  })

  test(`is in English where the file of the language ${fault}`, async ({ page, trial, serve }) => {
    await page.clock.install()
    await page.route('**/de.json', (route) => void answer(route))
    await page.goto(await serve(await trial.form('data-language="de"')))
    await pass(page, () => page.getByText('Verified').isVisible())
  })

  test(`writes a general line to the console where help.json ${fault}`, async ({ page, serve, trial }) => {
    const lines: string[] = []
    page.on('console', (message) => {
      if (message.text().startsWith('Tollgate: ')) lines.push(message.text())
    })
    await page.clock.install()
    await page.route('**/help.json', (route) => void answer(route))
    await page.goto(await serve((await trial.form()).replace(/data-sitekey="[^"]+"/, '')))
    await pass(page, async () => lines.length === 1)
    expect(lines[0]).toContain('Tollgate: missing-option sitekey Check data-endpoint')
  })
}

test('a text that is JSON of another shape is not used', async ({ page, trial, serve }) => {
  await page.route('**/de.json', (route) =>
    route.fulfill({ json: { error: 'offline' }, headers: { 'access-control-allow-origin': '*' } }),
  )
  await page.goto(await serve(await trial.form('data-language="de"')))
  await passCheck(page)
})

test.describe('on a site of kind hashwx', () => {
  test.use({ kind: 'hashwx', work: 65_536, expectedErrors: /hashwx|ERR_/ })

  for (const [fault, answer] of faults) {
    test(`gets SHA-256 where the emitter ${fault}`, async ({ page, trial, serve }) => {
      const kinds: unknown[] = []
      page.on('response', async (response) => {
        if (response.request().method() === 'POST' && response.url().endsWith('/challenge'))
          kinds.push(((await response.json()) as { kind: unknown }).kind)
      })
      await page.clock.install()
      await page.route('**/hashwx.wasm', (route) => void answer(route))
      await page.goto(await serve(await trial.form()))
      await pass(page, isSolved(page))
      expect(kinds).toEqual(['pow-hashwx', 'pow-sha256'])
    })
  }
})

for (const [fault, answer] of faults) {
  test(`a solver of which each file ${fault} is a connection problem, and Retry begins with WebAssembly`, async ({
    page,
    trial,
    serve,
  }) => {
    await page.clock.install()
    const solver = '**/solver-*/*'
    await page.route(solver, (route) => void answer(route))
    await page.goto(await serve(await trial.form()))
    await pass(page, isError(page))
    await expect(check(page)).toContainText('No connection')
    expect((await events(page)).at(-1)).toMatchObject({ name: 'error', code: 'network' })

    await page.unroute(solver)
    const files: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/solver-')) files.push(request.url().replace(/^.*\//, ''))
    })
    await page.getByRole('button', { name: 'Retry' }).click()
    await passCheck(page)
    expect(files).toEqual(['simd.wasm'])
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

/** What answers in place of the service: the status, the body, and the code that it counts as. */
const STRANGERS: Readonly<Record<string, [status: number, body: string, code: string, says: string]>> = {
  'the page of a service worker or a captive portal': [200, PAGE, 'network', 'No connection'],
  'JSON of somebody else': [200, '{"status":"ok"}', 'network', 'No connection'],
  'an empty answer': [200, '', 'network', 'No connection'],
  'a company proxy': [403, PAGE, 'network', 'No connection'],
  'a server that has no such path': [404, PAGE, 'network', 'No connection'],
  'an API that has no such path': [404, '{"error":"Not Found","statusCode":404}', 'network', 'No connection'],
  'a gateway without its server': [502, PAGE, 'unavailable', 'Service unavailable'],
}

for (const path of ['challenge', 'solve']) {
  for (const [stranger, [status, body, code, says]] of Object.entries(STRANGERS)) {
    test(`${stranger} in place of /${path} is ${code}, and the next focus tries again`, async ({
      page,
      trial,
      serve,
    }) => {
      await page.clock.install()
      const contentType = body.startsWith('{') ? 'application/json' : 'text/html'
      const headers = { 'access-control-allow-origin': '*' }
      await page.route(`**/${path}`, (route) => route.fulfill({ status, contentType, headers, body }))
      await page.goto(await serve(await trial.form()))
      await pass(page, isError(page))
      await expect(check(page)).toContainText(says)
      const field = code === 'network' ? 'answer' : undefined
      expect((await events(page)).at(-1)).toMatchObject({ name: 'error', code, ...(field && { field }) })
      await page.unroute(`**/${path}`)
      await page.getByLabel('Comment').focus()
      await passCheck(page)
    })
  }
}
