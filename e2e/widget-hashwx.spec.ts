import type { Page } from '@playwright/test'
import { expect, test } from './setup/test.ts'
import { events, expectPass, watchSolver } from './setup/visitor.ts'

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

test.describe('a site of kind hashwx', () => {
  // two programs: 393,216 expected hashes
  test.use({ kind: 'hashwx', work: 6_291_456 })

  test('gives browsers HashWX, which workers solve', async ({ page, trial, visit }) => {
    const seen = watchSolver(page)
    await visit(await trial.form())
    await expectPass(page, trial)
    expect(await seen.kinds()).toEqual(['pow-hashwx'])
    expect(seen.files()).toEqual(['hashwx.wasm', 'simd.wasm'])
    const ratios = (await events(page)).filter(({ name }) => name === 'progress').map(({ ratio }) => ratio)
    expect(ratios.length).toBeGreaterThan(3)
    expect(ratios.at(-1)).toBe(1)
  })
})

/** Pages and browsers: the kinds that they get, the page's policy, where `@` is the service, and what the browser is made to do. */
const AUTO: Readonly<Record<string, [kind: string, policy: string, script: string]>> = {
  'the policy allows WebAssembly by wasm-unsafe-eval': [
    'pow-hashwx',
    `script-src @ 'wasm-unsafe-eval'; worker-src blob:`,
    '',
  ],
  'the browser has one worker': [
    'pow-hashwx',
    '',
    `Object.defineProperty(navigator, 'hardwareConcurrency', { value: 2 })`,
  ],
  'the browser has no workers, and solves on the main thread': ['pow-hashwx', '', 'delete window.Worker'],
  'the browser has no WebAssembly': ['pow-sha256', '', 'delete window.WebAssembly'],
  'the policy forbids WebAssembly': ['pow-sha256', 'script-src @; worker-src blob:', ''],
}

test.describe('a site of kind auto', () => {
  test.use({ kind: 'auto', work: 65_536, expectedErrors: /Content Security Policy directive/ })

  for (const [where, [kind, policy, script]] of Object.entries(AUTO)) {
    test(`gives ${kind} where ${where}`, async ({ page, trial, visit }) => {
      await page.addInitScript(script)
      const solver = watchSolver(page)
      await visit(await trial.form(), policy === '' ? {} : { policy: policy.replaceAll('@', trial.endpoint) })
      await expectPass(page, trial)
      expect(await solver.kinds()).toEqual([kind])
      expect(solver.files().includes('hashwx.wasm')).toBe(kind === 'pow-hashwx')
    })
  }

  test('gives SHA-256 to a browser that is slow at HashWX, and asks it only once', async ({ page, trial, visit }) => {
    await slowDownHashwx(page)
    const seen = watchSolver(page)
    await visit(await trial.form())
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
})

test('a site of kind sha256 gives SHA-256, and nothing of HashWX is loaded', async ({ page, trial, visit }) => {
  const seen = watchSolver(page)
  await visit(await trial.form())
  await expectPass(page, trial)
  expect(await seen.kinds()).toEqual(['pow-sha256'])
  expect(seen.files()).toEqual(['simd.wasm'])
})
