import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeAttempts, newKey, RULE } from '../../../test/support/attempts.ts'
import { hasRedis, openRedis, type RedisProcess } from '../../../test/support/redis.ts'
import { createLog } from '../process/log.ts'
import { type Attempts, createLocalAttempts, createSharedAttempts } from './attempts.ts'
import { openSharedStore, type SharedStore } from './redis.ts'

describe('in one process', () => {
  const attempts = createLocalAttempts()
  describeAttempts(() => [attempts, attempts])
})

describe.skipIf(!hasRedis())('through Redis (skipped where there is no redis-server)', () => {
  let redis: RedisProcess
  let stores: [SharedStore, SharedStore]
  let nodes: [Attempts, Attempts]
  beforeAll(async () => {
    redis = await openRedis()
    const open = () => openSharedStore(redis.url, createLog('silent'))
    stores = [open(), open()]
    while (stores.some((store) => store.state() === 'away')) await sleep(20)
    nodes = [createSharedAttempts(stores[0]), createSharedAttempts(stores[1])]
  })
  afterAll(async () => {
    for (const store of stores) store.close()
    await redis.kill()
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
