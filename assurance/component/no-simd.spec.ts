import { expect, test } from '../../e2e/setup/test.ts'
import { passCheck } from '../../e2e/setup/visitor.ts'

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

test('WebAssembly without SIMD is used on a processor without SIMD instructions', async ({ page, merchant, serve }) => {
  const files = new Set<string>()
  page.on('request', (request) => files.add(request.url().split('/').at(-1) ?? ''))
  await page.goto(
    await serve(
      `<form><div class="svc-captcha" data-sitekey="${merchant.sitekey}" data-intent="${await merchant.intent()}" data-endpoint="${merchant.tollgate}"></div></form>`,
    ),
  )
  await passCheck(page)
  expect([...files]).toContain('scalar.wasm')
  expect([...files]).not.toContain('script.js')
})
