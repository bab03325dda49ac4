import { readdirSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openOwnApp, type TestApp } from '../test/support/app.ts'
import { sendRequest } from '../test/support/request.ts'
import { testApp } from '../test/support/testApp.ts'

/** Requests a path as a browser would with this host. */
async function visit(app: TestApp, path: string, host: string, method = 'GET') {
  const { status, headers } = await sendRequest(app.url + path, { host, accept: 'text/html' }, { method })
  return { status, location: headers.location }
}

describe('where the service is http://localhost:3000', () => {
  const app = testApp({ PUBLIC_URL: 'http://localhost:3000' })

  test.each(['127.0.0.1:3000', '127.0.1.1:3000', '[::1]:3000'])(
    'a page opened with %s redirects to PUBLIC_URL with path and query',
    async (host) => {
      for (const path of ['/', '/sign-in', '/o/demo/sites?range=7d', '/staff', '/no/such?page', '//evil.example/x'])
        expect(await visit(app, path, host)).toEqual({ status: 302, location: `http://localhost:3000${path}` })
    },
  )

  test('redirects only pages, not the API, the component or assets', async () => {
    const paths = [
      '/widget.js',
      '/assets/none.js',
      '/trpc/session.me',
      '/auth/verify-email',
      '/healthz',
      '/openapi.json',
    ]
    for (const path of [...paths, '/theme.js', '/favicon.svg'])
      expect((await visit(app, path, '127.0.0.1:3000')).location).toBeUndefined()
    expect((await visit(app, '/', '127.0.0.1:3000', 'POST')).location).toBeUndefined()
  })

  test.each([
    'localhost:3000',
    '127.0.0.1:3001',
    '127.0.0.1',
    '10.0.0.1:3000',
    '127.0.0.1.evil.example:3000',
    'evil.example',
  ])('under %s nothing moves', async (host) => {
    expect((await visit(app, '/sign-in', host)).location).toBeUndefined()
  })
})

test('does not redirect if PUBLIC_URL is not localhost', async () => {
  const app = await openOwnApp({ PUBLIC_URL: 'https://tollgate.example' })
  expect((await visit(app, '/sign-in', '127.0.0.1')).location).toBeUndefined()
})

describe('assets', () => {
  const app = testApp()

  const load = (path: string, encoding: string) => sendRequest(app.url + path, { 'accept-encoding': encoding })
  const solver = readdirSync('dist/widget/assets').find((name) => name.startsWith('solver-'))

  test.each([
    ['/widget.js', 'application/javascript; charset=utf-8'],
    [`/widget/assets/${solver}/simd.wasm`, 'application/wasm'],
  ])('%s travels compressed to who understands that, and is the same to all', async (path, type) => {
    const plain = await load(path, 'identity')
    const gzipped = await load(path, 'gzip, deflate')
    const brotli = await load(path, 'gzip, deflate, br, zstd')
    expect([plain, gzipped, brotli].map(({ headers }) => headers['content-encoding'])).toEqual([
      undefined,
      'gzip',
      'br',
    ])
    for (const { headers } of [plain, gzipped, brotli]) {
      expect(headers['vary']?.toLowerCase()).toContain('accept-encoding')
      expect(headers['content-type']).toBe(type)
      expect(headers['access-control-allow-origin']).toBe('*')
      expect(headers['cache-control']).toBe(plain.headers['cache-control'])
    }
    expect(gunzipSync(gzipped.body).equals(plain.body)).toBe(true)
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true)
    expect(gzipped.body.length).toBeLessThan(plain.body.length / 2)
  })

  test.each(['/assets/..%2f..%2fpackage.json', '/assets/..%5ctheme.js', '/assets/', '/assets/none.js'])(
    '%s is no file, and no fault of ours',
    async (path) => {
      const reply = await fetch(app.url + path)
      expect([reply.status, await reply.json()]).toEqual([404, { error: 'not-found' }])
      expect(app.logged.filter((line) => line.includes('internal error'))).toEqual([])
    },
  )
})

test('DOCS=off serves no docs and no description of the API, and everything else', async () => {
  const app = await openOwnApp({ DOCS: 'off' })
  const status = async (path: string) => (await fetch(app.url + path)).status
  for (const path of ['/docs', '/docs/api', '/docs/scalar.js', '/docs/docs.css', '/openapi.json'])
    expect([path, await status(path)]).toEqual([path, 404])
  // the console shows links to them only where they are
  const overview = async (url: string) => (await fetch(`${url}/trpc/system.overview`)).json()
  expect(await overview(app.url)).toMatchObject({ result: { data: { docsUrl: null } } })
  for (const path of ['/widget.js', '/sdk.json', '/healthz']) expect([path, await status(path)]).toEqual([path, 200])
})
