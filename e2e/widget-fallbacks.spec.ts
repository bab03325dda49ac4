import { createServer, request } from 'node:http'
import type { Page } from '@playwright/test'
import type { Merchant } from './setup/merchant.ts'
import { expect, test } from './setup/test.ts'
import { passCheck } from './setup/visitor.ts'

/** The names of the solver's files that the page requests. */
function solverFiles(page: Page): () => string[] {
  const files: string[] = []
  page.on('request', (request) => {
    const file = /\/solver-[\w-]+\/([\w.]+)$/.exec(request.url())?.[1]
    if (file) files.push(file)
  })
  return () => files.toSorted()
}

async function form(merchant: Merchant): Promise<string> {
  return `<form><div class="svc-captcha" data-sitekey="${merchant.sitekey}" data-intent="${await merchant.intent()}" data-endpoint="${merchant.tollgate}"></div></form>`
}

test('SIMD is used where available, and no other file is loaded', async ({ page, merchant, serve }) => {
  const files = solverFiles(page)
  await page.goto(await serve(await form(merchant)))
  await passCheck(page)
  expect(files()).toEqual(['simd.wasm'])
})

test('wasm-unsafe-eval is sufficient for WebAssembly', async ({ page, merchant, serve }) => {
  const files = solverFiles(page)
  const policy = `script-src ${merchant.tollgate} 'wasm-unsafe-eval'; worker-src blob:`
  await page.goto(await serve(await form(merchant), { policy }))
  await passCheck(page)
  expect(files()).toEqual(['simd.wasm'])
})

for (const [name, workers] of [
  ['in workers', 'blob:'],
  ['on the main thread', `'none'`],
]) {
  test.describe(() => {
    test.use({ expectedErrors: /Content Security Policy directive/ })

    test(`plain JavaScript ${name} if the policy forbids WebAssembly`, async ({ page, merchant, serve }) => {
      const files = solverFiles(page)
      const policy = `script-src ${merchant.tollgate}; worker-src ${workers}`
      await page.goto(await serve(await form(merchant), { policy }))
      await passCheck(page)
      expect(new Set(files())).toEqual(new Set(['script.js']))
    })
  })
}

test.describe(() => {
  test.use({ expectedErrors: /Content Security Policy directive/ })

  test('plain JavaScript that loads slowly', async ({ page, merchant, serve }) => {
    await page.clock.install()
    let arrive = () => {}
    const asked = new Promise<void>((resolve) => {
      void page.route(
        '**/script.js',
        async (route) => {
          resolve()
          await new Promise<void>((proceed) => {
            arrive = proceed
          })
          await route.continue()
        },
        { times: 1 },
      )
    })
    await page.goto(await serve(await form(merchant), { policy: `script-src ${merchant.tollgate}; worker-src 'none'` }))
    await asked
    await page.clock.runFor(10_000)
    arrive()
    await passCheck(page)
  })
})

test('WebAssembly on the main thread without workers', async ({ page, merchant, serve }) => {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'Worker'))
  const files = solverFiles(page)
  await page.goto(await serve(await form(merchant)))
  await passCheck(page)
  expect(new Set(files())).toEqual(new Set(['simd.wasm']))
})

test('plain JavaScript in a browser without WebAssembly', async ({ page, merchant, serve }) => {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebAssembly'))
  await page.goto(await serve(await form(merchant)))
  await passCheck(page)
})

test('the service below a path of the page’s own origin, with a policy that allows only that origin', async ({
  page,
  merchant,
}) => {
  const intent = await merchant.intent()
  const policy = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'`
  const shop = createServer((incoming, reply) => {
    const path = /^\/tollgate(\/.*)/.exec(incoming.url ?? '')?.[1]
    if (path) {
      const { method = 'GET', headers } = incoming
      const forwarded = request(new URL(path, merchant.tollgate), { method, headers }, (answer) => {
        reply.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(reply)
      })
      return void incoming.pipe(forwarded)
    }
    reply.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy })
    reply.end(`<!doctype html><html lang="en"><title>Own origin</title><script src="/tollgate/widget.js" async></script>
      <form><div class="svc-captcha" data-sitekey="${merchant.sitekey}" data-intent="${intent}" data-endpoint="/tollgate"></div></form>`)
  })
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  try {
    const address = shop.address()
    const files = solverFiles(page)
    await page.goto(`http://localhost:${typeof address === 'object' ? address?.port : ''}/`)
    await passCheck(page)
    expect(new Set(files())).toEqual(new Set(['simd.wasm']))
  } finally {
    shop.closeAllConnections()
    shop.close()
  }
})
