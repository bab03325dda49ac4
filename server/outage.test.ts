import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestClient, newNonce, type TestClient } from '../test/support/client.ts'
import type { MadeSite } from '../test/support/make.ts'
import { childrenOf, type ServerProcess, startServer } from '../test/support/process.ts'
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
  const root = Number(readFileSync(`${cluster.dataDir}/postgres/postmaster.pid`, 'utf8').split('\n')[0])
  for (const pid of [root, ...childrenOf(root)]) {
    try {
      process.kill(pid, signal)
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

/** Until then every answer says that the service is unavailable. */
async function expectRecovery(values: Record<string, string>): Promise<void> {
  const other: number[] = []
  const verify = async () => {
    const { status } = await client.siteverify(site, values)
    if (status !== 503) other.push(status)
    return status
  }
  await expect.poll(verify, { timeout: 30_000, interval: 200 }).toBe(200)
  expect(other).toEqual([200])
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
  await expectRecovery(values)
}, 60_000)

test('every endpoint answers 503 after the database was killed, and recovers', async () => {
  const values = await client.earn(site)
  signalPostgres('SIGKILL')
  expect(await knock(values)).toEqual(Array.from({ length: 4 }, () => UNAVAILABLE))
  // the cluster's holder, this test, starts PostgreSQL again
  await expectRecovery(values)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
}, 60_000)
