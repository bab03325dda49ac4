import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../server/kit/process/freePort.ts'
import { createTestClient } from '../../test/support/client.ts'
import { openTestDatabase } from '../../test/support/database.ts'
import { makeSite } from '../../test/support/make.ts'
import {
  childrenOf,
  serverProgram,
  spawnCommand,
  startCommand,
  startServer,
  TEST_KEYS,
} from '../../test/support/process.ts'
import { testApp } from '../../test/support/testApp.ts'

const app = testApp()

const settings = () => ({ DATABASE_URL: app.databaseUrl, TOLLGATE_KEYS: TEST_KEYS })

test('shutdown answers pending requests, is not delayed by open connections and exits with 0', async () => {
  const site = await makeSite(app.ctx)
  const server = await startServer(settings())
  const port = Number(new URL(server.url).port)
  // browsers connect before they send a request
  const silent = connect(port, '127.0.0.1').on('error', () => {})
  await once(silent, 'connect')

  const holding = await app.sql.connect()
  await holding.query('begin')
  await holding.query('lock table intent in exclusive mode')
  const there = createTestClient(server.url)
  const underWay = [there.intent(site), there.intent(site), there.intent(site)]
  const waiting = `select count(*)::int as n from pg_locks where relation = 'intent'::regclass and not granted`
  await expect.poll(async () => (await app.rows(waiting))[0]?.n).toBeGreaterThan(0)

  const ended = server.end()
  const late = () =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket.destroy() && 'accepted'))
      socket.once('error', () => resolve('refused'))
    })
  await expect.poll(late).toBe('refused')
  await holding.query('commit')
  holding.release()

  const replies = await Promise.all(underWay)
  expect(replies.map(({ status, headers }) => [status, headers.get('connection')])).toEqual(
    underWay.map(() => [200, 'close']),
  )
  expect(await ended).toBe(0)
  silent.destroy()
}, 180_000)

test('after SIGTERM it is not ready, and answers new connections until SHUTDOWN_DELAY is over', async () => {
  const site = await makeSite(app.ctx)
  const server = await startServer({ ...settings(), SHUTDOWN_DELAY: '5' })
  const there = createTestClient(server.url)
  const first = await there.intent(site)
  expect([first.status, first.headers.get('connection')]).toEqual([200, 'keep-alive'])

  const ended = server.end()
  const readiness = async () => (await fetch(`${server.url}/readyz`)).json()
  await expect.poll(readiness).toEqual({ status: 'not ready', reason: 'closing' })
  // a proxy that has not noticed yet
  for (let request = 0; request < 3; request++) {
    const { status, headers } = await there.intent(site)
    expect([status, headers.get('connection')]).toEqual([200, 'close'])
  }
  expect(await ended).toBe(0)
}, 180_000)

test('refuses a HOST that is not an address of this machine and lists the valid ones', async () => {
  const starts = ['nowhere.invalid', '192.0.2.1'].map((HOST) =>
    expect(startServer({ ...settings(), HOST })).rejects.toThrow(/no address .*127\.0\.0\.1.*Set HOST to one of them/),
  )
  await Promise.all(starts)
}, 180_000)

test('a start waits for a database that is away, and a worker that is killed before it is ready is replaced', async () => {
  const away = new URL(app.databaseUrl)
  const [host, port] = [away.hostname, Number(away.port)]
  away.port = String(await freePort())
  const server = await spawnCommand([process.execPath, ...serverProgram('main')], {
    ...settings(),
    DATABASE_URL: away.href,
    WORKERS: '2',
    SHUTDOWN_DELAY: '0',
  })
  await expect.poll(() => server.output(), { timeout: 60_000 }).toContain('the start waits for it for 60 s')
  const proxy = createServer((socket) => {
    const database = connect(port, host)
    for (const end of [socket, database]) end.on('error', () => {})
    socket.pipe(database).pipe(socket)
  }).listen(Number(away.port), '127.0.0.1')
  try {
    await expect.poll(() => childrenOf(server.pid), { timeout: 60_000, interval: 20 }).not.toEqual([])
    const [victim = 0] = childrenOf(server.pid)
    process.kill(victim, 'SIGKILL')
    await expect.poll(() => server.output(), { timeout: 90_000 }).toContain('is ready')
    expect(server.output()).toContain('a process was killed before it was ready')
    expect(server.output()).toContain('the database answers; the start continues')
    expect(server.output().split('the start waits for it for 60 s')).toHaveLength(2)
    expect(await server.end()).toBe(0)
  } finally {
    proxy.close()
    await server.end('SIGKILL')
  }
}, 240_000)

test('production warns once if the database user can change history', async () => {
  const production = {
    NODE_ENV: 'production',
    TOLLGATE_KEYS: `t1:${randomBytes(32).toString('base64url')}`,
    METRICS_TOKEN: randomBytes(24).toString('base64url'),
  }
  const warnings = async (DATABASE_URL: string) => {
    const server = await startServer({ ...production, DATABASE_URL })
    await server.end()
    return server.output().split('can change and delete audit events').length - 1
  }
  // the keys of the other tests are not random
  const database = await openTestDatabase()
  onTestFinished(() => database.close())
  expect(await warnings(database.url)).toBe(1)
  expect(await warnings(database.serviceUrl)).toBe(0)
}, 180_000)

test('a SIGTERM for npm start ends the service', async () => {
  const server = await startCommand(['npm', 'start'], settings())
  const isUp = () =>
    fetch(`${server.url}/healthz`).then(
      () => true,
      () => false,
    )
  expect(await isUp()).toBe(true)
  await server.end()
  await expect.poll(isUp, { timeout: 30_000 }).toBe(false)
}, 180_000)
