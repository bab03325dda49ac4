import { expect, test } from '../../e2e/setup/test.ts'
import { passCheck, watchSolver } from '../../e2e/setup/visitor.ts'

// Without these instructions V8 has no WebAssembly SIMD. The flags disable them at the browser's start.
test.use({
  launchOptions: async ({ launchOptions }, use) => {
    await use({
      ...launchOptions,
      args: [...(launchOptions.args ?? []), '--js-flags=--no-enable-sse4-1 --no-enable-ssse3'],
    })
  },
})

test.skip(process.arch !== 'x64', 'other processors have no such flag')

test('WebAssembly without SIMD is used on a processor without SIMD instructions', async ({ page, trial, visit }) => {
  const solver = watchSolver(page)
  await visit(await trial.form())
  await passCheck(page)
  expect(solver.files()).toContain('scalar.wasm')
  expect(solver.files()).not.toContain('script.js')
})
