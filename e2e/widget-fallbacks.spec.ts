import { belowPath } from './setup/standalone.ts'
import { expect, test } from './setup/test.ts'
import { passCheck, watchSolver } from './setup/visitor.ts'

/** How it solves: the page's policy, where `@` is the service, what the browser does not have, and the only file it loads. */
const WAYS: Readonly<Record<string, [policy: string, missing: string, file: string]>> = {
  'WebAssembly in workers, which wasm-unsafe-eval allows': [
    `script-src @ 'wasm-unsafe-eval'; worker-src blob:`,
    '',
    'simd.wasm',
  ],
  'plain JavaScript in workers, with a minimal policy': [
    `default-src 'none'; script-src @; connect-src @; worker-src blob:`,
    '',
    'script.js',
  ],
  'plain JavaScript on the main thread, where the policy forbids the rest': [
    `script-src @; worker-src 'none'`,
    '',
    'script.js',
  ],
  'WebAssembly on the main thread, where the policy forbids workers': [`worker-src 'none'`, '', 'simd.wasm'],
  'WebAssembly on the main thread, in a browser without workers': ['', 'Worker', 'simd.wasm'],
}

test.describe('solves by', () => {
  test.use({ expectedErrors: /Content Security Policy directive/ })

  for (const [way, [policy, missing, file]] of Object.entries(WAYS)) {
    test(way, async ({ page, trial, visit }) => {
      const solver = watchSolver(page)
      await page.addInitScript(`delete window['${missing}']`)
      await visit(await trial.form(), policy === '' ? {} : { policy: policy.replaceAll('@', trial.endpoint) })
      await passCheck(page)
      expect(solver.files()).toEqual([file])
      await expect(page.getByRole('group', { name: 'Human verification' })).toHaveCSS('border-top-width', '1px')
    })
  }
})

test('the service below a path of a page that allows only its own origin', async ({ page, trial, host }) => {
  const policy = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'`
  const headers = { 'content-security-policy': policy }
  const solver = watchSolver(page)
  await page.goto(await host(belowPath(trial.endpoint, await trial.form(), headers)))
  await passCheck(page)
  expect(solver.files()).toEqual(['simd.wasm'])
})
