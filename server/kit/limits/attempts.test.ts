import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeAttempts, newKey, RULE } from '../../../test/support/attempts.ts'
import { hasRedis } from '../../../test/support/redis.ts'
import { freePort } from '../process/freePort.ts'
import { createLog } from '../process/log.ts'
import { type Attempts, createLocalAttempts, createSharedAttempts } from './attempts.ts'
import { openSharedStore, type SharedStore } from './redis.ts'

describe('in one process', () => {
  const attempts = createLocalAttempts()
  describeAttempts(() => [attempts, attempts])
})

describe.skipIf(!hasRedis())('through Redis (skipped where there is no redis-server)', () => {
  let redis: ChildProcess
  let dataDir: string
  let stores: [SharedStore, SharedStore]
  let nodes: [Attempts, Attempts]
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'tollgate-redis-'))
    const port = await freePort()
    redis = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', dataDir], {
      stdio: 'ignore',
    })
    const log = createLog('silent')
    const open = () => openSharedStore(`redis://127.0.0.1:${port}`, log)
    stores = [open(), open()]
    while (stores.some((store) => store.state() === 'away')) await sleep(20)
    nodes = [createSharedAttempts(stores[0]), createSharedAttempts(stores[1])]
  })
  afterAll(async () => {
    for (const store of stores) store.close()
    const ended = new Promise((resolve) => redis.once('exit', resolve))
    redis.kill()
    await ended
    rmSync(dataDir, { recursive: true, force: true })
  })

  describeAttempts(() => nodes)

  test('stores nothing in Redis for an intent with only correct solutions', async () => {
    const key = newKey()
    await nodes[0].begin(RULE, key, 0)
    expect(await stores[1].redis.exists(`tollgate:answers:${key}`)).toBe(1)
    await nodes[0].giveBack(RULE, key)
    expect(await stores[1].redis.exists(`tollgate:answers:${key}`)).toBe(0)
  })
})
