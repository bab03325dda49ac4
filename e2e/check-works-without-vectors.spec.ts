import { expect, test } from './setup/test.ts'
import { passCheck } from './setup/visitor.ts'

// A processor without these instructions has no vectors in WebAssembly; a browser is told so when it starts.
test.use({
  launchOptions: async ({ launchOptions }, use) => {
    await use({
      ...launchOptions,
      args: [...(launchOptions.args ?? []), '--js-flags=--no-enable-sse4-1 --no-enable-ssse3'],
    })
  },
})

test.skip(process.arch !== 'x64', 'other processors have no such switch')

test('with scalars where the processor has no vectors', async ({ page, merchant, serve }) => {
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
