import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { createTestClient } from '../../../../test/support/client.ts'
import { type ServerProcess, startServer } from '../../../../test/support/process.ts'
import { hasRedis, openRedis, type RedisProcess } from '../../../../test/support/redis.ts'
import { type Puzzles, solvePuzzles } from '../../../../test/support/solver.ts'
import { testApp, testSite } from '../../../../test/support/testApp.ts'
import { unpackReasons } from '../difficulty/reasons.ts'
import { openChallenge } from '../sealed.ts'

/** The service as a process of its own, which is stopped and started. */

const LOUD = '203.0.113.9'

const app = testApp()
const site = testSite(app, { policy: { networkLimit: 10_000 } })

const start = (settings: Record<string, string>): Promise<ServerProcess> =>
  startServer({
    DATABASE_URL: app.databaseUrl,
    TOLLGATE_KEYS: `t1:${Buffer.alloc(32, 7).toString('base64url')}`,
    ...settings,
  })

/** How often a new challenge for the address was doubled for its network. */
async function doublings({ url }: ServerProcess, address: string): Promise<number> {
  const client = createTestClient(url)
  const intentId = String((await client.intent(site)).body['intent_id'])
  const puzzle = (await client.challenge(site, intentId, { address })).body as Puzzles & { challenge: string }
  const { challenge } = puzzle
  await client.solve(site, { intent_id: intentId, challenge, solution: solvePuzzles(puzzle) }, { address })
  const opened = openChallenge(app.ctx.keyring, challenge, { intentId, siteId: site.siteId })
  if (!opened) throw new Error('not a challenge of this intent')
  return unpackReasons(opened.reasons).network
}

async function makeLoud({ url }: ServerProcess, address: string): Promise<void> {
  const client = createTestClient(url)
  // base difficulty is so low that no raised challenge has a minimum age
  for (let i = 0; i < 300; i++) await client.earn(site, {}, { address })
}

test('without Redis, a loud network is still loud after a restart, and its address is stored nowhere', async () => {
  const first = await start({})
  await makeLoud(first, LOUD)
  expect(await doublings(first, LOUD)).toBeGreaterThan(0)
  expect(await first.end()).toBe(0)
  const { rows } = await app.sql.query('select weights::text as weights from challenge_counts')
  expect(rows[0].weights).toContain(`h${site.siteId}`)
  expect(rows[0].weights).not.toContain('203.0.113')
  const second = await start({})
  try {
    expect(await doublings(second, LOUD)).toBeGreaterThan(0)
    expect(await doublings(second, '198.51.100.1')).toBe(0)
  } finally {
    await second.end()
  }
  // an hour later it is calm again
  await app.sql.query("update challenge_counts set written_at = written_at - interval '1 hour'")
  const third = await start({})
  try {
    expect(await doublings(third, LOUD)).toBe(0)
  } finally {
    await third.end()
  }
}, 120_000)

test('a damaged row does not keep the service from starting', async () => {
  await app.sql.query("update challenge_counts set weights = '{}'")
  const server = await start({})
  try {
    expect(await doublings(server, '198.51.100.2')).toBe(0)
    expect(server.output()).toContain('the counts of networks, subjects and sites could not be read')
  } finally {
    await server.end()
  }
}, 60_000)

describe.skipIf(!hasRedis())('with Redis (skipped if there is no redis-server: apt-get install redis-server)', () => {
  let redis: RedisProcess
  beforeAll(async () => {
    redis = await openRedis()
    return () => redis.kill()
  })

  test('a network that is loud on one node is loud on another, and on a new one', async () => {
    const settings = { REDIS_URL: redis.url }
    const [one, two] = await Promise.all([start(settings), start(settings)])
    const until = async (server: ServerProcess) => {
      // fewer than make it loud
      for (let tries = 0; (await doublings(server, LOUD)) === 0; tries++) {
        if (tries > 40) throw new Error('the network stays calm')
        await sleep(100)
      }
    }
    try {
      await makeLoud(one, LOUD)
      await until(two)
    } finally {
      await Promise.all([one.end(), two.end()])
    }
    const third = await start(settings)
    try {
      await until(third)
      expect(await doublings(third, '198.51.100.3')).toBe(0)
    } finally {
      await third.end()
    }
  }, 120_000)
})
