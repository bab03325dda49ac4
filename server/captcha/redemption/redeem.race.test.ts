import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/support/app.ts'
import { createTestClient, newNonce, type TestClient } from '../../../test/support/client.ts'
import { makeSite } from '../../../test/support/make.ts'
import { type ServerProcess, startServer } from '../../../test/support/process.ts'
import { reconcile } from '../../ledger/quota/reconcile.ts'

let app: TestApp
let servers: ServerProcess[]
let clients: [TestClient, TestClient]

beforeAll(async () => {
  app = await openTestApp()
  const settings = { DATABASE_URL: app.databaseUrl, TOLLGATE_KEYS: `t1:${Buffer.alloc(32, 7).toString('base64url')}` }
  servers = await Promise.all([startServer(settings), startServer(settings)])
  clients = [createTestClient(servers[0]?.url ?? ''), createTestClient(servers[1]?.url ?? '')]
}, 60_000)
afterAll(async () => {
  await Promise.all(servers.map((server) => server.end()))
  await app.close()
})

const either = (i: number): TestClient => clients[i % 2 === 0 ? 0 : 1]
const times = (n: number) => Array.from({ length: n }, (_, i) => i)

test('64 concurrent redemptions on two processes make one decision, one charge and identical answers', async () => {
  for (let round = 0; round < 5; round++) {
    const site = await makeSite(app.ctx)
    const earned = await clients[0].earn(site)
    const replies = await Promise.all(times(64).map((i) => either(i).siteverify(site, earned)))
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]))
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1)
    const { rows } = await app.sql.query<{ decisions: string; used: string }>(
      'select (select count(*) from decision where tenant_id = $1) as decisions, (select sum(used) from quota_period where tenant_id = $1) as used',
      [site.tenantId],
    )
    expect(rows[0]).toEqual({ decisions: '1', used: '1' })
  }
})

test('accepts one of 64 different idempotency keys for one intent on two processes', async () => {
  const site = await makeSite(app.ctx)
  const earned = await clients[0].earn(site)
  const replies = await Promise.all(
    times(64).map((i) => either(i).siteverify(site, { ...earned, idempotency_key: newNonce() })),
  )
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
  expect(new Set(replies.filter((reply) => reply.status !== 200).map((reply) => reply.text))).toEqual(
    new Set(['{"error":"already-redeemed"}']),
  )
})

test('opens one intent for ten identical /intents on two processes', async () => {
  for (let round = 0; round < 10; round++) {
    const site = await makeSite(app.ctx)
    const nonce = newNonce()
    const replies = await Promise.all(times(10).map((i) => either(i).intent(site, { nonce })))
    expect(new Set(replies.map((reply) => `${reply.status} ${reply.text}`)).size).toBe(1)
    expect(replies[0]?.status).toBe(200)
    const { rows } = await app.sql.query<{ n: string }>('select count(*) as n from intent where site_id = $1', [
      site.siteId,
    ])
    expect(rows[0]?.n).toBe('1')
  }
})

test('charges the last unit exactly once among 50 redemptions on two processes, from quota and from balance', async () => {
  for (const source of ['quota', 'balance'] as const) {
    const site = await makeSite(app.ctx, { quota: 50 })
    const fifty = await Promise.all(times(50).map((i) => either(i).earn(site)))
    await app.sql.query('update quota_period set included = used + $2 where tenant_id = $1', [
      site.tenantId,
      source === 'quota' ? 1 : 0,
    ])
    if (source === 'balance') {
      await app.sql.query('update balance set units = 1 where tenant_id = $1', [site.tenantId])
      await app.sql.query(
        `insert into balance_entry (id, tenant_id, units, reason, actor_type, actor_id)
         values (gen_random_uuid(), $1, 1, 'test', 'operator', 'test')`,
        [site.tenantId],
      )
    }
    const replies = await Promise.all(fifty.map((earned, i) => either(i).siteverify(site, earned)))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    expect(replies.filter((reply) => reply.status === 402)).toHaveLength(49)
  }
})

test('concurrent redemptions of several tenants on two processes neither deadlock nor charge another tenant', async () => {
  const sites = await Promise.all(times(8).map(() => makeSite(app.ctx, { quota: 10 })))
  const earned = await Promise.all(
    times(80).map(async (i) => ({
      site: sites[i % 8],
      values: await either(i).earn(sites[i % 8] ?? { sitekey: '', secret: '' }),
    })),
  )
  const replies = await Promise.all(
    earned.map(({ site, values }, i) => either(i % 3).siteverify(site ?? { sitekey: '', secret: '' }, values)),
  )
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]))
  expect((await reconcile(app.ctx)).mismatches).toEqual([])
})
