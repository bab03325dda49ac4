import type { Page } from '@playwright/test'
import type { Merchant } from './setup/merchant.ts'
import { expect, test } from './setup/test.ts'
import { passCheck } from './setup/visitor.ts'

/** The names of the solver's files as the page asks for them. */
function solverFiles(page: Page): () => string[] {
  const files: string[] = []
  page.on('request', (request) => {
    const file = /\/solver-[\w-]+\/([\w.]+)$/.exec(request.url())?.[1]
    if (file) files.push(file)
  })
  return () => files.toSorted()
}

async function form(merchant: Merchant): Promise<string> {
  return `<form><div class="svc-captcha" data-sitekey="${merchant.sitekey}" data-intent="${await merchant.permit()}" data-endpoint="${merchant.tollgate}"></div></form>`
}

test('with vectors where the browser has them, and nothing else is fetched', async ({ page, merchant, serve }) => {
  const files = solverFiles(page)
  await page.goto(await serve(await form(merchant)))
  await passCheck(page)
  expect(files()).toEqual(['simd.wasm', 'worker.js'])
})

test('a policy that allows WebAssembly by name is enough for it', async ({ page, merchant, serve }) => {
  const files = solverFiles(page)
  const policy = `script-src ${merchant.tollgate} 'wasm-unsafe-eval'; worker-src blob:`
  await page.goto(await serve(await form(merchant), { policy }))
  await passCheck(page)
  expect(files()).toEqual(['simd.wasm', 'worker.js'])
})

for (const [name, workers] of [
  ['in workers', 'blob:'],
  ['on the main thread', `'none'`],
]) {
  test.describe(() => {
    test.use({ expectedErrors: /Content Security Policy directive/ })

    test(`in plain JavaScript ${name} where WebAssembly is forbidden`, async ({ page, merchant, serve }) => {
      const files = solverFiles(page)
      const policy = `script-src ${merchant.tollgate}; worker-src ${workers}`
      await page.goto(await serve(await form(merchant), { policy }))
      await passCheck(page)
      expect(new Set(files())).toEqual(new Set(['scalar.wasm', 'script.js', 'simd.wasm', 'worker.js']))
    })
  })
}

test('with WebAssembly on the main thread where workers are forbidden', async ({ page, merchant, serve }) => {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'Worker'))
  const files = solverFiles(page)
  await page.goto(await serve(await form(merchant)))
  await passCheck(page)
  expect(new Set(files())).toEqual(new Set(['simd.wasm', 'worker.js']))
})

test('in a browser without WebAssembly', async ({ page, merchant, serve }) => {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebAssembly'))
  await page.goto(await serve(await form(merchant)))
  await passCheck(page)
})
