import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkDatabase } from '../../server/kit/db/checkDatabase.ts'
import { isPassing } from '../../server/kit/db/outage.ts'
import { createLog } from '../../server/kit/process/log.ts'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { newNonce, type Reply } from '../../test/support/client.ts'
import { type MadeSite, makeSite } from '../../test/support/make.ts'
import { type AbsentStandby, openAbsentStandby } from '../../test/support/standby.ts'
import { databaseSettings, openTemporaryCluster } from '../../test/support/temporary.ts'
import { makeOwnedTenant } from '../../test/support/tenant.ts'

let cluster: Awaited<ReturnType<typeof openTemporaryCluster>>
let standby: AbsentStandby
let app: TestApp
let site: MadeSite
beforeAll(async () => {
  cluster = await openTemporaryCluster('standby test')
  app = await openTestApp(await databaseSettings(cluster))
  standby = await openAbsentStandby(cluster.url('tollgate'))
  site = await makeSite(app.ctx)
})
beforeEach(() => standby.dismiss())
afterAll(async () => {
  await standby.dismiss()
  await standby.close()
  await app.close()
  await cluster.close()
})

const session = 'a'.repeat(64)

async function redeemed(): Promise<{ decision_id: string }> {
  const { body } = await app.client.siteverify(site, await app.client.earn(site, { session }))
  return { decision_id: String(body['decision_id']) }
}

/** Each durable write of the API, as a call that can be repeated. */
const WRITES: Record<string, () => Promise<() => Promise<Reply>>> = {
  async '/intents'() {
    const nonce = newNonce()
    return () => app.client.intent(site, { nonce })
  },
  async '/siteverify'() {
    const values = await app.client.earn(site)
    return () => app.client.siteverify(site, values)
  },
  async '/feedback'() {
    const { decision_id } = await redeemed()
    const occurred_at = Math.floor(app.ctx.clock.now() / 1000)
    const event = { event_id: randomUUID(), outcome: 'legitimate', business_type: 'order', occurred_at }
    return () => app.client.asSite('/feedback', site, { decision_id, ...event })
  },
  async '/grants'() {
    const { decision_id } = await redeemed()
    return () => app.client.asSite('/grants', site, { decision_id, session })
  },
  async '/grants/revoke'() {
    const { body } = await app.client.asSite('/grants', site, { ...(await redeemed()), session })
    return () => app.client.asSite('/grants/revoke', site, { grant_id: body['grant_id'] })
  },
}

const ready = async () => {
  const reply = await fetch(`${app.url}/readyz`)
  return [reply.status, ((await reply.json()) as { reason?: string }).reason]
}

const answered = ({ status, body }: Reply) => [status, body['error']]

test.each(Object.keys(WRITES))(
  '%s is confirmed only with the standby: neither a cancelled wait nor a repetition is',
  async (path) => {
    const send = await (WRITES[path] as (typeof WRITES)[string])()
    await standby.require()
    expect(answered(await standby.cancelDuring(send()))).toEqual([503, 'unavailable'])
    // the first call has committed on this server: a repetition finds it, and must not confirm it either
    expect(answered(await standby.cancelDuring(send()))).toEqual([503, 'unavailable'])
    expect(answered(await send())).toEqual([503, 'unavailable'])

    await standby.dismiss()
    const settled = await send()
    expect(settled.status).toBe(200)
    expect((await send()).text).toBe(path === '/grants/revoke' ? '{"revoked":0}' : settled.text)
  },
)

/** SQL of an administrator, on a connection of its own. */
async function administer(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.url('tollgate') })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

describe.each([
  ['client_min_messages', 'error'],
  ['synchronous_commit', 'local'],
  ['synchronous_commit', 'remote_write'],
])('%s = %s', (name, value) => {
  const reconnect = "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'tollgate%'"
  test.each([
    ['alter system', 'select pg_reload_conf()'],
    ['alter role tollgate_service', reconnect],
    ['alter database tollgate', reconnect],
  ])('by %s: a redemption is confirmed only with the standby', async (scope, apply) => {
    const values = await app.client.earn(site)
    await administer(`${scope} set ${name} = ${value}`, apply)
    try {
      await expect.poll(ready, { timeout: 10_000 }).toEqual([200, undefined])
      await standby.require()
      expect(answered(await standby.cancelDuring(app.client.siteverify(site, values)))).toEqual([503, 'unavailable'])
    } finally {
      await standby.dismiss()
      await administer(`${scope} reset ${name}`, apply)
    }
    await expect.poll(async () => (await app.client.siteverify(site, values)).status, { timeout: 10_000 }).toBe(200)
  })
})

test('is not ready while fsync is off, and says what to run', async () => {
  await expect.poll(ready, { timeout: 10_000 }).toEqual([200, undefined])
  await administer('alter system set fsync = off', 'select pg_reload_conf()')
  await expect.poll(ready, { timeout: 10_000 }).toEqual([503, 'database settings'])
  expect(app.logged.filter((line) => /fsync = .*alter system set fsync = on/.test(line))).toHaveLength(1)
  await administer('alter system reset fsync', 'select pg_reload_conf()')
  await expect.poll(ready, { timeout: 10_000 }).toEqual([200, undefined])
})

test('a redemption whose wait was cancelled is charged once', async () => {
  const own = await makeSite(app.ctx)
  const values = await app.client.earn(own)
  await standby.require()
  expect((await standby.cancelDuring(app.client.siteverify(own, values))).status).toBe(503)
  await standby.dismiss()
  expect((await app.client.siteverify(own, values)).status).toBe(200)
  const [charged] = await app.ctx.prisma.$queryRaw<{ used: number; decisions: number }[]>`
    select (select used::int from quota_period where tenant_id = ${own.tenantId}::uuid) as used,
      (select count(*)::int from decision where tenant_id = ${own.tenantId}::uuid) as decisions`
  expect(charged).toEqual({ used: 1, decisions: 1 })
})

test('a change in the console is confirmed only with the standby', async () => {
  const { tenant, owner } = await makeOwnedTenant(app)
  await standby.require()
  const change = owner.mutate('tenants.rename', { tenant: tenant.slug, name: 'Renamed' })
  expect(await standby.cancelDuring(change)).toMatchObject({ reason: 'unavailable' })
})

test('is not ready while commits hang, and says so in the log once each way', async () => {
  await expect.poll(ready, { timeout: 10_000 }).toEqual([200, undefined])
  /** Whether each line of the log since `from` about the database says that it is available again. */
  const about = (from = 0) =>
    app.logged
      .slice(from)
      .filter((line) => line.includes('"the database is '))
      .map((line) => line.includes('available again'))
  // what an earlier test left waiting is written after the database is ready
  await expect.poll(() => about().at(-1) ?? true, { timeout: 10_000 }).toBe(true)
  const from = app.logged.length
  await standby.require()
  await expect.poll(ready, { timeout: 10_000 }).toEqual([503, 'database unreachable'])
  for (let i = 0; i < 3; i++) expect((await app.client.intent(site)).status).toBe(503)
  await standby.dismiss()
  await expect.poll(ready, { timeout: 10_000 }).toEqual([200, undefined])
  await expect.poll(async () => (await app.client.intent(site)).status, { timeout: 10_000 }).toBe(200)
  await expect.poll(() => about(from), { timeout: 10_000 }).toEqual([false, true])
})

test('is ready while all other connections of the database are taken', async () => {
  await expect.poll(ready, { timeout: 10_000 }).toEqual([200, undefined])
  const taken: pg.Client[] = []
  try {
    for (;;) {
      const client = new pg.Client({ connectionString: app.opened.database.url })
      client.on('error', () => {})
      taken.push(client)
      await client.connect()
    }
  } catch {
    // none is left
  }
  try {
    await new Promise((resolve) => setTimeout(resolve, 1100))
    expect(await ready()).toEqual([200, undefined])
    expect((await app.client.intent(site)).status).toBe(200)
  } finally {
    await Promise.all(taken.map((client) => client.end().catch(() => {})))
  }
})

test('commits that nothing confirms do not pile up in the database', async () => {
  const paths = Object.keys(WRITES)
  const sends = await Promise.all(
    Array.from({ length: 40 }, (_, i) => (WRITES[paths[i % 4] ?? ''] as (typeof WRITES)[string])()),
  )
  await standby.require()
  for (let round = 0; round < 3; round++)
    for (const reply of await Promise.all(sends.map((send) => send()))) expect(reply.status).toBe(503)
  // those of the write buffers are tried again all the time
  const left = async () =>
    (await standby.waiting()).filter((text) => /open_intents|redeem|report_feedback|issue_grant/.test(text))
  await expect.poll(left, { timeout: 10_000 }).toEqual([])
})

test('a server that has become a standby confirms no repetition', async () => {
  const sends = await Promise.all(
    Object.entries(WRITES).map(async ([path, prepare]) => {
      const send = await prepare()
      return { path, send, first: (await send()).text }
    }),
  )
  const folder = join(cluster.dataDir, 'postgres')
  writeFileSync(join(folder, 'standby.signal'), '')
  const [pid] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
  await standby.close()
  // it ends all connections, and the service starts it again
  process.kill(Number(pid), 'SIGINT')
  const superuser = async <Row extends pg.QueryResultRow>(sql: string) => {
    const client = new pg.Client({ connectionString: cluster.url('tollgate') })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query<Row>(sql)).rows[0]
    } catch {
      return undefined
    } finally {
      await client.end()
    }
  }
  const recovering = async () => (await superuser<{ it: boolean }>('select pg_is_in_recovery() as it'))?.it
  await expect.poll(recovering, { timeout: 30_000 }).toBe(true)
  for (const { send } of sends)
    await expect.poll(async () => answered(await send()), { timeout: 10_000 }).toEqual([503, 'unavailable'])
  await expect(
    checkDatabase(app.opened.database.url, { setting: 'DATABASE_URL', log: createLog('silent') }),
  ).rejects.toSatisfy(isPassing)
  await superuser('select pg_promote()')
  standby = await openAbsentStandby(cluster.url('tollgate'))
  for (const { path, send, first } of sends)
    await expect
      .poll(async () => (await send()).text, { timeout: 10_000 })
      .toBe(path === '/grants/revoke' ? '{"revoked":0}' : first)
})
