import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasRedis, openRedis, type RedisProcess } from '../../../test/support/redis.ts'
import { freePort } from '../process/freePort.ts'
import { createLog } from '../process/log.ts'
import { openSharedStore, type SharedStore } from './redis.ts'

/** As on a machine whose cores are busy with other work: nothing of this process runs. */
function starve(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

const AWAY = 'Redis is unavailable; each node counts limits by itself until it is back'
const BACK = 'Redis is available again; limits are shared again'

/** A log, and the messages in it. */
function openLog() {
  const logged: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk))
      done()
    },
  })
  const messages = () => logged.map((line) => (JSON.parse(line) as { msg: string }).msg)
  return { log: createLog('info', sink), logged, messages }
}

describe('a Redis that cannot be reached at the start is reported once', () => {
  /** A port that nothing listens on, or one that a program listens on which ends each connection. */
  async function reportedAt(port: number): Promise<string[]> {
    const { log, messages } = openLog()
    const store = openSharedStore(`redis://127.0.0.1:${port}`, log)
    let attempts = 0
    store.redis.on('reconnecting', () => (attempts += 1))
    try {
      await expect.poll(() => attempts, { timeout: 20_000 }).toBeGreaterThanOrEqual(3)
      expect(store.state()).toBe('away')
    } finally {
      store.close()
    }
    return messages()
  }

  test('if nothing listens', async () => {
    expect(await reportedAt(await freePort())).toEqual([AWAY])
  })

  test('if every connection is ended', async () => {
    const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      expect(await reportedAt((server.address() as AddressInfo).port)).toEqual([AWAY])
    } finally {
      server.close()
    }
  })
})

describe.skipIf(!hasRedis())('a Redis that is shared', () => {
  let redis: RedisProcess
  let store: SharedStore
  const { log, logged, messages } = openLog()
  beforeAll(async () => {
    redis = await openRedis()
    store = openSharedStore(redis.url, log)
    while (store.state() === 'away') await sleep(20)
    logged.length = 0
  })
  afterAll(async () => {
    store.close()
    await redis.kill()
  })

  const ask = () =>
    store.or(
      () => store.redis.ping(),
      async () => 'alone',
    )

  test('is not said to be unavailable because this process got no CPU', async () => {
    for (let round = 0; round < 5; round++) {
      const asked = Array.from({ length: 20 }, ask)
      // the commands are written first
      await new Promise((resolve) => setImmediate(resolve))
      starve(400)
      await Promise.all(asked)
      expect(store.state()).toBe('shared')
      // Redis may have had no CPU either
      await expect.poll(ask).toBe('PONG')
    }
    expect(logged).toEqual([])
  })

  test('is reported once when it stops answering, and once when it answers again', async () => {
    const stalled = store.redis.call('client', 'pause', '3000', 'all')
    await stalled
    while (store.state() === 'shared') await Promise.all(Array.from({ length: 10 }, ask))
    expect(await ask()).toBe('alone')
    while (store.state() === 'away') await Promise.all([ask(), sleep(50)])
    for (let i = 0; i < 20; i++) expect(await ask()).toBe('PONG')
    expect(messages()).toEqual([AWAY, BACK])
  })

  test('is reported once when it ends, however often connecting fails, and once when it is back', async () => {
    logged.length = 0
    let attempts = 0
    store.redis.on('reconnecting', () => (attempts += 1))
    await redis.kill()
    await expect.poll(() => attempts, { timeout: 20_000 }).toBeGreaterThanOrEqual(4)
    expect(messages()).toEqual([AWAY])
    await redis.start()
    await expect.poll(() => store.state(), { timeout: 20_000 }).toBe('shared')
    expect(messages()).toEqual([AWAY, BACK])
  })
})
