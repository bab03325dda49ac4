import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/support/app.ts'
import { createTestClient, newNonce, type TestClient } from '../../../test/support/client.ts'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { type ServerProcess, startServer } from '../../../test/support/process.ts'
import { hasRedis, openRedis, type RedisProcess } from '../../../test/support/redis.ts'

/** Two server processes with one Redis, which is stopped and started. */

let app: TestApp
let redis: RedisProcess
let servers: ServerProcess[] = []
let clients: TestClient[] = []

/** Waits until the condition holds; throws after 20 s. */
async function until(isSo: () => boolean): Promise<void> {
  for (let waited = 0; !isSo(); waited += 50) {
    if (waited > 20_000) throw new Error('it did not become so')
    await sleep(50)
  }
}

const AWAY = 'Redis is unavailable'
const BACK = 'Redis is available again'
/** How often each server has logged the line. */
const said = (line: string) => servers.map((server) => server.output().split(line).length - 1)

/** The limit of a subject's intents has the longest window, which a slow machine does not exceed. */
const SUBJECT = 'a'.repeat(64)
const newSite = (): Promise<MadeSite> => makeSite(app.ctx, { policy: { subjectLimit: 4 } })

/** The statuses of `count` intents, requested from the two servers in turn. */
async function open(site: MadeSite, count: number): Promise<number[]> {
  const statuses: number[] = []
  for (let i = 0; i < count; i++) {
    const reply = await clients[i % 2]?.intent(site, { subject: SUBJECT, nonce: newNonce() })
    statuses.push(reply?.status ?? 0)
  }
  return statuses
}

describe.skipIf(!hasRedis())('with Redis (skipped if there is no redis-server: apt-get install redis-server)', () => {
  beforeAll(async () => {
    app = await openTestApp()
    redis = await openRedis()
    const settings = {
      DATABASE_URL: app.databaseUrl,
      TOLLGATE_KEYS: `t1:${Buffer.alloc(32, 7).toString('base64url')}`,
      REDIS_URL: redis.url,
    }
    servers = await Promise.all([startServer(settings), startServer(settings)])
    clients = servers.map(({ url }) => createTestClient(url))
  }, 90_000)
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.end()))
    await redis.kill()
    await app.close()
  })

  test('two nodes share their limits and do not count repetitions', async () => {
    const site = await newSite()
    const nonce = newNonce()
    const first = await clients[0]?.intent(site, { subject: SUBJECT, nonce })
    for (const client of [...clients, ...clients, ...clients])
      expect((await client.intent(site, { subject: SUBJECT, nonce })).text).toBe(first?.text)
    expect(await open(site, 5)).toEqual([200, 200, 200, 429, 429])
    for (const client of clients)
      expect((await client.intent(site, { subject: SUBJECT, nonce })).text).toBe(first?.text)
    const refused = await clients[1]?.intent(site, { subject: SUBJECT })
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(300)
    expect(Number(refused?.headers.get('retry-after'))).toBeLessThanOrEqual(600)
  })

  test('counts wrong solutions on all nodes and invalidates the challenges of every node', async () => {
    const site = await makeSite(app.ctx)
    const intent = await clients[0]?.intent(site)
    const intent_id = intent?.body['intent_id']
    const take = async (node: number) => (await clients[node]?.challenge(site, intent_id))?.body['challenge']
    const old = await take(1)
    const solve = async (node: number, challenge: unknown) =>
      (await clients[node]?.solve(site, { intent_id, challenge, solution: 'AAAA' }))?.status
    const statuses = []
    for (let i = 0; i < 10; i++) statuses.push(await solve((i + 1) % 2, await take(i % 2)))
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 422))
    expect([await solve(0, await take(1)), await solve(1, old)]).toEqual([429, 429])

    const other = (await clients[0]?.intent(site))?.body['intent_id']
    const ofOther = (await clients[0]?.challenge(site, other))?.body['challenge']
    const wrong = { intent_id: other, challenge: ofOther, solution: 'AAAA' }
    expect((await clients[0]?.solve(site, wrong))?.status).toBe(422)
    const late = await clients[1]?.solve(site, wrong)
    expect([late?.status, late?.body]).toEqual([409, { error: 'challenge-expired' }])
  })

  test('verifies at most ten of fifty concurrent wrong solutions on two nodes', async () => {
    const site = await makeSite(app.ctx)
    const intent_id = (await clients[0]?.intent(site))?.body['intent_id']
    const challenge = (await clients[0]?.challenge(site, intent_id))?.body['challenge']
    const replies = await Promise.all(
      Array.from({ length: 50 }, async (_, i) =>
        clients[i % 2]?.solve(site, { intent_id, challenge, solution: 'AAAA' }),
      ),
    )
    const judged = replies.filter((reply) => reply?.status === 422).length
    expect(judged).toBeGreaterThanOrEqual(1)
    expect(judged).toBeLessThanOrEqual(10)
    expect(replies.filter((reply) => ![409, 422, 429].includes(reply?.status ?? 0))).toEqual([])
  })

  test('keeps working without Redis: each node limits separately, shares limits again later, and logs each change once', async () => {
    // on a slow machine Redis may have timed out before
    const before = { away: said(AWAY), back: said(BACK) }
    const once = (times: number[]) => times.map((each) => each + 1)
    await redis.kill()
    await until(() => said(AWAY).every((times, i) => times > (before.away[i] ?? 0)))
    // each node allows its own four
    expect(await open(await newSite(), 10)).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 429, 429])
    expect([said(AWAY), said(BACK)]).toEqual([once(before.away), before.back])

    await redis.start()
    await until(() => said(BACK).every((times, i) => times > (before.back[i] ?? 0)))
    expect(await open(await newSite(), 6)).toEqual([200, 200, 200, 200, 429, 429])
    expect([said(AWAY), said(BACK)]).toEqual([once(before.away), once(before.back)])
  }, 90_000)

  test('treats a Redis that does not answer as unavailable and logs both changes', async () => {
    const before = said(AWAY).map((times) => times + 1)
    redis.signal('SIGSTOP')
    try {
      expect(await open(await newSite(), 10)).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 429, 429])
      expect(said(AWAY)).toEqual(before)
    } finally {
      redis.signal('SIGCONT')
    }
    const back = () => said(BACK).every((times, i) => times === before[i])
    for (let i = 0; i < 100 && !back(); i++) {
      await sleep(100)
      await open(await newSite(), 2)
    }
    expect(await open(await newSite(), 6)).toEqual([200, 200, 200, 200, 429, 429])
    expect([said(AWAY), said(BACK)]).toEqual([before, before])
  }, 90_000)
})

test('Redis is installed in CI', () => {
  // in CI the package is installed (.ci/run): skipping there would hide the limits of every larger deployment
  expect(hasRedis() || process.env['CI'] === undefined).toBe(true)
})
