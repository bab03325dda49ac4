import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { KeptFiles } from '../kit/db/keptFiles.ts'

type Named = { version: string; src: string; integrity: string; files: string[] }

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: 'https://gate.example' })
})
afterAll(() => app.close())

const get = (path: string) => fetch(app.url + path)
const named = async () => (await (await get('/widget.json')).json()) as Named

// the built files are served
describe.runIf(existsSync('dist/widget/widget.js'))('the build', () => {
  test('serves the component at an immutable URL with its integrity hash', async () => {
    const { src, integrity, version } = await named()
    expect(version).toBe('test')
    expect(src).toMatch(/^https:\/\/gate\.example\/widget-[0-9a-f]{16}\.js$/)
    const reply = await get(src.slice(src.lastIndexOf('/')))
    expect(reply.status).toBe(200)
    const code = Buffer.from(await reply.arrayBuffer())
    expect(`sha384-${createHash('sha384').update(code).digest('base64')}`).toBe(integrity)
    // a copy may be served without a charset, into a page in any encoding
    expect(code.toString('latin1')).toMatch(/^[\x20-\x7e\n]*$/)
    expect(code.equals(Buffer.from(await (await get('/widget.js')).arrayBuffer()))).toBe(true)
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'content-type': 'application/javascript; charset=utf-8',
    })
  })

  test('lets an isolated page below its own origin start the script as a worker', async () => {
    const { src } = await named()
    for (const path of ['/widget.js', src.slice(src.lastIndexOf('/'))])
      expect((await get(path)).headers.get('cross-origin-embedder-policy')).toBe('require-corp')
  })

  test('answers the preflight of a page whose scripts add headers to each request', async () => {
    const { src, files } = await named()
    const headers = {
      origin: 'https://shop.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'traceparent,x-requested-with',
    }
    for (const path of [...files.map((file) => `/${file}`), src.slice(src.lastIndexOf('/'))]) {
      const reply = await fetch(app.url + path, { method: 'OPTIONS', headers })
      expect([path, reply.status]).toEqual([path, 204])
      expect(Object.fromEntries(reply.headers)).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'traceparent,x-requested-with',
        'access-control-max-age': '600',
      })
    }
  })

  test('lists all files needed for self-hosting', async () => {
    const { files } = await named()
    expect(files[0]).toBe('widget.js')
    expect(files.length).toBeGreaterThan(2)
    for (const path of files) {
      const reply = await get(`/${path}`)
      expect([path, reply.status]).toEqual([path, 200])
      expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    }
  })

  test('answers 204 for a language without a text', async () => {
    const { files } = await named()
    const german = files.find((path) => path.endsWith('/de.json')) ?? ''
    expect((await get(`/${german}`)).status).toBe(200)
    const reply = await get(`/${german.replace('/de.json', '/tlh.json')}`)
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([204, 'public, max-age=300'])
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    expect((await get(`/${german.replace('/de.json', '/de.txt')}`)).status).toBe(404)
  })

  test("stores this version's files for later versions", async () => {
    const { src, files } = await named()
    const { rows } = await app.sql.query<{ path: string; content: Buffer }>(
      // the SDK packages are stored in the same table
      "select path, content from kept_file where path not like 'sdk/%'",
    )
    const kept = new Map(rows.map(({ path, content }) => [path, gunzipSync(content)]))
    const immutable = files.map((path) => (path === 'widget.js' ? src.slice(src.lastIndexOf('/') + 1) : path))
    expect([...kept.keys()].toSorted()).toEqual(immutable.toSorted())
    for (const [path, content] of kept) {
      const reply = await get(`/${path}`)
      expect([path, Buffer.from(await reply.arrayBuffer()).equals(content)]).toEqual([path, true])
    }
  })

  test('answers not-found for an unknown version', async () => {
    for (const path of ['/widget-0123456789abcdef.js', '/widget-.js', '/widget-', '/widget-%2e%2e%2fwidget.js'])
      expect([path, (await get(path)).status]).toEqual([path, 404])
  })
})

describe('files of an earlier version', () => {
  const FILES = {
    'widget-0123456789abcdef.js': ['old script', 'application/javascript; charset=utf-8'],
    'widget/assets/solver-00000000/simd.wasm': ['old solver', 'application/wasm'],
    'widget/assets/text-00000000/de.json': ['["alt"]', 'application/json; charset=utf-8'],
  } as const

  beforeAll(async () => {
    const files = Object.entries(FILES).map(([path, [content]]) => [path, new Uint8Array(gzipSync(content))] as const)
    await new KeptFiles(app.ctx).keep(new Map(files))
    // the cached list of stored files may be a second old
    await vi.waitFor(async () => expect((await get('/widget-0123456789abcdef.js')).status).toBe(200), 10_000)
  })

  test.each(Object.entries(FILES))('serves %s unchanged', async (path, [content, type]) => {
    for (const encoding of ['gzip, br', 'identity']) {
      const reply = await fetch(`${app.url}/${path}`, { headers: { 'accept-encoding': encoding } })
      expect(await reply.text()).toBe(content)
      expect(reply.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : 'gzip')
      expect(Object.fromEntries(reply.headers)).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'content-type': type,
        vary: 'Accept-Encoding',
      })
    }
  })

  test('serves its module for explicit rendering', async () => {
    const reply = await get('/widget-0123456789abcdef.js?render=explicit&onload=shop.ready')
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/javascript; charset=utf-8'])
  })

  test('answers 204 for a language that it had no text for', async () => {
    expect((await get('/widget/assets/text-00000000/tlh.json')).status).toBe(204)
  })

  test('answers not-found for a file that no version had', async () => {
    for (const path of ['widget-fedcba9876543210.js', 'widget/assets/solver-00000000/scalar.wasm', 'widget/assets/'])
      expect([path, (await get(`/${path}`)).status]).toEqual([path, 404])
  })
})

test('a path outside of the folder does not reveal other files', async () => {
  for (const path of ['package.json', 'server', 'nowhere.json', 'dist/widget/widget.js']) {
    const reply = await get(`/widget/assets/..%2f..%2f..%2f${path}`)
    expect([path, reply.status, await reply.json()]).toEqual([path, 404, { error: 'not-found' }])
  }
})

test('serves the type definitions', async () => {
  const reply = await get('/widget.d.ts')
  expect(reply.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(await reply.text()).toContain("'svc-captcha:solved': CustomEvent<EventDetails['solved']>")
})
