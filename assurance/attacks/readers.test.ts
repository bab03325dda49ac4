import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { type ServerProcess, startServer } from '../../test/support/process.ts'

/** What all readers that do not read may cost together, in MB. One copy of the largest file for each would be 260 MB. */
const MEMORY_BOUND = 100
const READERS = 60
/** As small as the setting can be. */
const SEND_TIMEOUT = 5
const MAX_CONNECTIONS = 200

const LARGEST = '/docs/scalar.js'

describe.skipIf(process.platform !== 'linux')('readers that do not read', () => {
  let database: TestDatabase
  let server: ServerProcess
  let dataDir: string
  let readers: Socket[] = []
  beforeAll(async () => {
    database = await openTestDatabase()
    dataDir = mkdtempSync(join(tmpdir(), 'tollgate-'))
    server = await startServer({
      DATABASE_URL: database.serviceUrl,
      DATA_DIR: dataDir,
      SEND_TIMEOUT: String(SEND_TIMEOUT),
      MAX_CONNECTIONS: String(MAX_CONNECTIONS),
    })
    // once, so that what is loaded at the first request is there
    for (const path of await everyDocument()) await (await fetch(server.url + path)).arrayBuffer()
  })
  afterEach(() => {
    for (const reader of readers) reader.destroy()
    readers = []
  })
  afterAll(async () => {
    await server.end()
    rmSync(dataDir, { recursive: true, force: true })
    await database.close()
  })

  /** Every kind of file that needs no authentication. */
  async function everyDocument(): Promise<string[]> {
    const assets = readdirSync('dist/console/assets')
    const script = assets.find((name) => name.endsWith('.js'))
    const widget = (await (await fetch(`${server.url}/widget.json`)).json()) as { files: string[] }
    const sdk = (await (await fetch(`${server.url}/sdk.json`)).json()) as { packages: { file: string }[] }
    return [
      LARGEST,
      '/openapi.json',
      '/docs/errors',
      '/docs/docs.css',
      '/theme.js',
      `/assets/${script}`,
      ...widget.files.map((file) => `/${file}`),
      ...sdk.packages.map(({ file }) => `/sdk/${file}`),
    ]
  }

  /** Of the process, in MB. */
  const memory = () =>
    Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024

  /** The sockets that the process has open, those to the database included. */
  function sockets(): number {
    const folder = `/proc/${server.pid}/fd`
    return readdirSync(folder).filter((name) => {
      try {
        return readlinkSync(join(folder, name)).startsWith('socket:')
      } catch {
        return false
      }
    }).length
  }

  /** A connection that sends these requests and then does not read. */
  function open(paths: readonly string[]): Promise<Socket> {
    return new Promise((resolve) => {
      const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1' })
      socket.pause()
      socket.on('error', () => {})
      readers.push(socket)
      const requests = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: identity\r\n\r\n`)
      socket.once('connect', () => socket.write(requests.join(''), () => resolve(socket)))
    })
  }

  /** Waits until the condition holds; the test times out otherwise. */
  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await sleep(100)
  }

  /** The highest memory above `before` until all of the attack's connections are cut. */
  async function watch(before: { memory: number; sockets: number }): Promise<number> {
    let most = 0
    await until(() => {
      most = Math.max(most, memory() - before.memory)
      return sockets() <= before.sockets
    })
    return most
  }

  /** What the kernel holds for the server's clients, in bytes; also for connections that the process has closed. */
  function held(): number {
    const port = Number(new URL(server.url).port).toString(16).toUpperCase().padStart(4, '0')
    const row = new RegExp(`^ *\\d+: [\\dA-F]+:${port} \\S+ \\S+ ([\\dA-F]{8}):`, 'gm')
    const text = ['tcp', 'tcp6'].map((name) => readFileSync(`/proc/net/${name}`, 'latin1')).join('')
    return [...text.matchAll(row)].reduce((sum, [, queue = '']) => sum + Number.parseInt(queue, 16), 0)
  }

  test('60 connections that ask for the largest file: memory stays bounded and all are cut, and the kernel keeps nothing', async () => {
    const before = { memory: memory(), sockets: sockets() }
    await Promise.all(Array.from({ length: READERS }, () => open([LARGEST])))
    await until(() => held() > 1_000_000)
    expect(await watch(before)).toBeLessThan(MEMORY_BOUND)
    // readers that keep their side open would otherwise keep the buffers of closed connections
    await until(() => held() === 0)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  })

  test('60 connections that ask for every file many times at once are no worse', async () => {
    const paths = await everyDocument()
    const many = Array.from({ length: 20 }, () => paths).flat()
    const before = { memory: memory(), sockets: sockets() }
    await Promise.all(Array.from({ length: READERS }, () => open(many)))
    expect(await watch(before)).toBeLessThan(MEMORY_BOUND)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  })

  test('a reader that is slow but reads gets the whole file', async () => {
    const socket = await open([LARGEST])
    let length = 0
    let total = Infinity
    const started = performance.now()
    while (length < total) {
      const chunk = socket.read() as Buffer | null
      if (length === 0 && chunk) {
        const head = chunk.subarray(0, chunk.indexOf('\r\n\r\n') + 4)
        total = head.length + Number(/^content-length: (\d+)/im.exec(head.toString('latin1'))?.[1])
      }
      length += chunk?.length ?? 0
      if (socket.destroyed) break
      await sleep(100)
    }
    expect(length).toBe(total)
    // it took longer than one that does not read at all may
    expect(performance.now() - started).toBeGreaterThan(SEND_TIMEOUT * 1000)
  })

  test('connections above MAX_CONNECTIONS are closed at once, and there is room again afterwards', async () => {
    await Promise.all(Array.from({ length: MAX_CONNECTIONS + 50 }, () => open(['/healthz'])))
    for (const reader of readers) reader.resume()
    await until(() => readers.filter(({ destroyed }) => destroyed).length >= 50)
    const kept = readers.filter(({ destroyed }) => !destroyed)
    expect(kept.length).toBeLessThanOrEqual(MAX_CONNECTIONS)
    for (const reader of kept) reader.destroy()
    await until(() => sockets() < MAX_CONNECTIONS)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  })
})
