import type { Page } from '@playwright/test'
import { expect, test } from './setup/test.ts'
import type { Trial } from './setup/trial.ts'
import { events, passCheck, token } from './setup/visitor.ts'

/** The names of the solver's files that the page requests, and the kinds of the challenges that it gets. */
function watch(page: Page): { files: () => string[]; kinds: () => Promise<unknown[]> } {
  const files = new Set<string>()
  const kinds: Promise<unknown>[] = []
  page.on('request', (request) => {
    const file = /\/solver-[\w-]+\/([\w.]+)$/.exec(request.url())?.[1]
    if (file) files.add(file)
  })
  page.on('response', (response) => {
    if (response.request().method() === 'POST' && response.url().endsWith('/challenge'))
      kinds.push(response.json().then((body: { kind: unknown }) => body.kind))
  })
  return { files: () => [...files].toSorted(), kinds: () => Promise.all(kinds) }
}

/**
 * Makes HashWX slow in the page's workers, which run the component's script: half a hash per millisecond. Only HashWX compiles
 * its modules from bytes there.
 */
async function slowDownHashwx(page: Page): Promise<void> {
  const slow = `if (typeof document === 'undefined') {
    const { instantiate } = WebAssembly
    WebAssembly.instantiate = async (source) => {
      const result = await instantiate(source)
      if (!result.instance) return result
      const search = (index, start, tries, target) => {
        const until = performance.now() + tries * 2
        while (performance.now() < until);
        return result.instance.exports.search(index, start, tries, target)
      }
      return { instance: { exports: { search } } }
    }
  }
  `
  await page.route('**/widget.js', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: slow + (await response.text()) })
  })
}

/** Waits for the token and redeems it. */
async function expectPass(page: Page, trial: Trial): Promise<void> {
  await passCheck(page)
  const intent = await page.locator('.svc-captcha').getAttribute('data-intent')
  expect(await trial.redeem(intent ?? '', await token(page).inputValue())).toBe(200)
}

test.describe('a site of kind hashwx', () => {
  // two programs: 393,216 expected hashes
  test.use({ kind: 'hashwx', work: 6_291_456 })

  test('gives browsers HashWX, which workers solve', async ({ page, trial, serve }) => {
    const seen = watch(page)
    await page.goto(await serve(await trial.form()))
    await expectPass(page, trial)
    expect(await seen.kinds()).toEqual(['pow-hashwx'])
    expect(seen.files()).toEqual(['hashwx.wasm', 'simd.wasm'])
    const ratios = (await events(page)).filter(({ name }) => name === 'progress').map(({ ratio }) => ratio)
    expect(ratios.length).toBeGreaterThan(3)
    expect(ratios.at(-1)).toBe(1)
  })
})

test.describe('a site of kind auto', () => {
  test.use({ kind: 'auto', work: 65_536 })

  test('gives HashWX where the policy allows WebAssembly by wasm-unsafe-eval', async ({ page, trial, serve }) => {
    const seen = watch(page)
    const policy = `script-src ${new URL(trial.endpoint).origin} 'wasm-unsafe-eval'; worker-src blob:`
    await page.goto(await serve(await trial.form(), { policy }))
    await expectPass(page, trial)
    expect(await seen.kinds()).toEqual(['pow-hashwx'])
  })

  test('gives HashWX to a browser with one worker', async ({ page, trial, serve }) => {
    await page.addInitScript(`Object.defineProperty(navigator, 'hardwareConcurrency', { value: 2 })`)
    const seen = watch(page)
    await page.goto(await serve(await trial.form()))
    await expectPass(page, trial)
    expect(await seen.kinds()).toEqual(['pow-hashwx'])
  })

  test('gives HashWX to a browser without workers, which solves on the main thread', async ({ page, trial, serve }) => {
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'Worker'))
    const seen = watch(page)
    await page.goto(await serve(await trial.form()))
    await expectPass(page, trial)
    expect(await seen.kinds()).toEqual(['pow-hashwx'])
  })

  test('gives HashWX to a browser at a quarter of its speed', async ({ page, trial, serve }) => {
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    const seen = watch(page)
    await page.goto(await serve(await trial.form()))
    await expectPass(page, trial)
    expect(await seen.kinds()).toEqual(['pow-hashwx'])
  })

  test('gives SHA-256 to a browser that is slow at HashWX, and asks it only once', async ({ page, trial, serve }) => {
    await slowDownHashwx(page)
    const seen = watch(page)
    await page.goto(await serve(await trial.form()))
    await expectPass(page, trial)
    await page
      .locator('.svc-captcha')
      .evaluate((box, intent) => box.setAttribute('data-intent', intent), await trial.intent())
    await expect.poll(async () => (await seen.kinds()).length).toBe(3)
    await expectPass(page, trial)
    expect(await seen.kinds()).toEqual(['pow-hashwx', 'pow-sha256', 'pow-sha256'])
    const names = (await events(page)).map(({ name }) => name).filter((name) => name !== 'progress')
    expect(names).toEqual(['ready', 'solved', 'solved'])
  })

  test('gives SHA-256 to a browser without WebAssembly', async ({ page, trial, serve }) => {
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebAssembly'))
    const seen = watch(page)
    await page.goto(await serve(await trial.form()))
    await expectPass(page, trial)
    expect(await seen.kinds()).toEqual(['pow-sha256'])
    expect(seen.files()).not.toContain('hashwx.wasm')
  })

  test.describe(() => {
    test.use({ expectedErrors: /Content Security Policy directive|hashwx/ })

    test('gives SHA-256 where the policy forbids WebAssembly', async ({ page, trial, serve }) => {
      const seen = watch(page)
      const policy = `script-src ${new URL(trial.endpoint).origin}; worker-src blob:`
      await page.goto(await serve(await trial.form(), { policy }))
      await expectPass(page, trial)
      expect(await seen.kinds()).toEqual(['pow-sha256'])
    })

    test('gives SHA-256 to a browser in which HashWX cannot run', async ({ page, trial, serve }) => {
      await page.route('**/hashwx.wasm', (route) => route.fulfill({ body: 'damaged', contentType: 'application/wasm' }))
      const seen = watch(page)
      await page.goto(await serve(await trial.form()))
      await expectPass(page, trial)
      expect(await seen.kinds()).toEqual(['pow-hashwx', 'pow-sha256'])
    })
  })
})

test('a site of kind sha256 gives SHA-256, and nothing of HashWX is loaded', async ({ page, trial, serve }) => {
  const seen = watch(page)
  await page.goto(await serve(await trial.form()))
  await expectPass(page, trial)
  expect(await seen.kinds()).toEqual(['pow-sha256'])
  expect(seen.files()).toEqual(['simd.wasm'])
})
