import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../../../test/support/app.ts'
import { askChallenge } from '../../../../test/support/challenge.ts'
import { hasRedis, openRedis, type RedisProcess } from '../../../../test/support/redis.ts'
import { solvePuzzles } from '../../../../test/support/solver.ts'
import { testApp, testSite } from '../../../../test/support/testApp.ts'
import { unpackReasons } from '../difficulty/reasons.ts'

const LOUD = '203.0.113.9'

const app = testApp()
const site = testSite(app, { policy: { networkLimit: 10_000 } })

/** The service again, with the same database. Closing it is what a node does when it stops. */
const start = (settings: Record<string, string> = {}): Promise<TestApp> =>
  openTestApp({ DATABASE_URL: app.databaseUrl, ...settings })

/** How often a new challenge for the address, which is solved, was doubled for its network. */
async function doublings(node: TestApp, address: string): Promise<number> {
  const { intentId, puzzle, challenge } = await askChallenge(node, site, { address })
  const solution = solvePuzzles(puzzle)
  await node.client.solve(site, { intent_id: intentId, challenge: puzzle.challenge, solution }, { address })
  return unpackReasons(challenge.reasons).network
}

async function makeLoud({ client }: TestApp, address: string): Promise<void> {
  // base difficulty is so low that no raised challenge has a minimum age
  for (let i = 0; i < 300; i++) await client.earn(site, {}, { address })
}

test('without Redis, a loud network is still loud after a restart, and its address is stored nowhere', async () => {
  const first = await start()
  await makeLoud(first, LOUD)
  expect(await doublings(first, LOUD)).toBeGreaterThan(0)
  await first.close()
  const { rows } = await app.sql.query('select weights::text as weights from challenge_counts')
  expect(rows[0].weights).toContain(`h${site.siteId}`)
  expect(rows[0].weights).not.toContain('203.0.113')
  const second = await start()
  try {
    expect(await doublings(second, LOUD)).toBeGreaterThan(0)
    expect(await doublings(second, '198.51.100.1')).toBe(0)
  } finally {
    await second.close()
  }
  // an hour later it is calm again
  await app.sql.query("update challenge_counts set written_at = written_at - interval '1 hour'")
  const third = await start()
  try {
    expect(await doublings(third, LOUD)).toBe(0)
  } finally {
    await third.close()
  }
}, 120_000)

test('a damaged row does not keep the service from starting', async () => {
  await app.sql.query("update challenge_counts set weights = '{}'")
  const server = await start()
  try {
    expect(await doublings(server, '198.51.100.2')).toBe(0)
    expect(server.logged.join('')).toContain('the counts of networks, subjects and sites could not be read')
  } finally {
    await server.close()
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
    const until = async (server: TestApp) => {
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
      await Promise.all([one.close(), two.close()])
    }
    const third = await start(settings)
    try {
      await until(third)
      expect(await doublings(third, '198.51.100.3')).toBe(0)
    } finally {
      await third.close()
    }
  }, 120_000)
})
