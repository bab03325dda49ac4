import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTestClient } from '../../../test/support/client.ts'
import { makeSite } from '../../../test/support/make.ts'
import { startServer } from '../../../test/support/process.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { reconcile } from '../../ledger/quota/reconcile.ts'

const app = testApp()

test('redemptions retried with the same keys after a kill -9 are charged exactly once', async () => {
  const settings = { DATABASE_URL: app.databaseUrl, TOLLGATE_KEYS: `t1:${Buffer.alloc(32, 7).toString('base64url')}` }
  const site = await makeSite(app.ctx, { quota: 100_000 })
  const earned = []
  for (let i = 0; i < 20; i++)
    earned.push(...(await Promise.all(Array.from({ length: 30 }, () => app.client.earn(site)))))

  const confirmed = new Set<string>()
  let unknown = earned
  let kills = 0
  let interrupted = 0
  while (unknown.length > 0) {
    const server = await startServer(settings)
    const client = createTestClient(server.url)
    const last = kills >= 3
    const killed = last ? Promise.resolve() : sleep(15 + 10 * kills).then(() => server.end('SIGKILL'))
    const replies = await Promise.all(unknown.map((values) => client.siteverify(site, values).catch(() => undefined)))
    await killed
    kills++
    interrupted += replies.filter((reply) => reply === undefined).length
    for (const [i, reply] of replies.entries()) {
      expect([undefined, 200, 503]).toContain(reply?.status)
      if (reply?.status === 200) confirmed.add(unknown[i]?.['intent_id'] ?? '')
    }
    unknown = unknown.filter((values) => !confirmed.has(values['intent_id'] ?? ''))
    if (last) await server.end()
  }

  expect(interrupted).toBeGreaterThan(0)
  expect(confirmed.size).toBe(600)
  const { rows } = await app.sql.query<{ decisions: string; used: string }>(
    'select (select count(*) from decision) as decisions, (select sum(used) from quota_period) as used',
  )
  expect(rows[0]).toEqual({ decisions: '600', used: '600' })
  expect((await reconcile(app.ctx)).mismatches).toEqual([])
}, 300_000)
