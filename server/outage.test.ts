import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestClient, newNonce, type TestClient } from '../test/support/client.ts'
import type { MadeSite } from '../test/support/make.ts'
import { type ServerProcess, startServer } from '../test/support/process.ts'
import { databaseSettings, openTemporaryCluster } from '../test/support/temporary.ts'
import { admitOperator } from './accounts/access.ts'
import { createSite } from './accounts/sites/create.ts'
import { createTenant } from './accounts/tenants/create.ts'
import { readConfig } from './kit/config/config.ts'
import { createLog } from './kit/process/log.ts'
import { openService } from './kit/service.ts'

let cluster: Awaited<ReturnType<typeof openTemporaryCluster>>
let server: ServerProcess
let client: TestClient
let site: MadeSite

beforeAll(async () => {
  cluster = await openTemporaryCluster('outage test')
  const settings = { ...(await databaseSettings(cluster)), DATA_DIR: cluster.dataDir }
  const service = await openService(readConfig(settings), { kind: 'command', label: 'test' }, createLog('silent'))
  const operator = admitOperator(service.ctx, 'test')
  const tenant = await createTenant(operator, { name: 'Test', quota: 1000 })
  const made = await createSite(operator, tenant, { name: 'Test', hostnames: ['shop.example'] })
  await service.ctx.prisma.site.update({ where: { id: made.id }, data: { baseWork: 64 } })
  site = { tenantId: tenant.id, siteId: made.id, sitekey: made.sitekey, secret: made.secret }
  await service.close()
  server = await startServer(settings)
  client = createTestClient(server.url)
})
afterAll(async () => {
  await server.end()
  await cluster.close()
})

/** Each connection has its own server process; all are stopped, so that sockets stay open without answers. */
function signalPostgres(signal: NodeJS.Signals): void {
  const root = execFileSync('head', ['-1', `${cluster.dataDir}/postgres/postmaster.pid`], { encoding: 'utf8' }).trim()
  const children = execFileSync('pgrep', ['-P', root], { encoding: 'utf8' }).trim().split('\n')
  for (const pid of [root, ...children]) {
    try {
      process.kill(Number(pid), signal)
    } catch (error) {
      // a child may have ended since it was listed
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/** Calls all endpoints at once and measures each answer's time. */
async function knock(values: Record<string, string>) {
  const calls = {
    intents: () => client.intent(site, { nonce: newNonce() }),
    challenge: () => client.challenge(site, values['intent_id']),
    solve: () =>
      client.solve(site, { intent_id: '01890000-0000-7000-8000-000000000000', challenge: 'AAAA', solution: 'AAAA' }),
    siteverify: () => client.siteverify(site, values),
  }
  return Promise.all(
    Object.values(calls).map(async (call) => {
      const began = performance.now()
      const reply = await call()
      return {
        status: reply.status,
        text: reply.text,
        retryAfter: reply.headers.get('retry-after'),
        late: performance.now() - began > 4500,
      }
    }),
  )
}

const UNAVAILABLE = { status: 503, text: '{"error":"unavailable"}', retryAfter: '1', late: false }

test('every endpoint answers 503 within 4.5 s while the database hangs, and recovers', async () => {
  const values = await client.earn(site)
  signalPostgres('SIGSTOP')
  try {
    for (let round = 0; round < 3; round++)
      expect(await knock(values)).toEqual(Array.from({ length: 4 }, () => UNAVAILABLE))
  } finally {
    signalPostgres('SIGCONT')
  }
  let reply = await client.siteverify(site, values)
  for (let i = 0; i < 50 && reply.status === 503; i++) {
    await sleep(200)
    reply = await client.siteverify(site, values)
  }
  expect(reply.status).toBe(200)
}, 60_000)

test('every endpoint answers 503 after the database was killed, and recovers', async () => {
  const values = await client.earn(site)
  signalPostgres('SIGKILL')
  expect(await knock(values)).toEqual(Array.from({ length: 4 }, () => UNAVAILABLE))
  // the cluster's holder, this test, starts PostgreSQL again
  let reply = await client.siteverify(site, values)
  for (let i = 0; i < 100 && reply.status === 503; i++) {
    await sleep(200)
    reply = await client.siteverify(site, values)
  }
  expect(reply.status).toBe(200)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
}, 60_000)
