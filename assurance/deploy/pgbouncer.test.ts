import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startJobs } from '../../server/jobs.ts'
import { readConfig } from '../../server/kit/config/config.ts'
import { SESSION_SETTINGS } from '../../server/kit/db/databaseSettings.ts'
import { notify } from '../../server/kit/db/invalidations.ts'
import { createLog } from '../../server/kit/process/log.ts'
import { openService } from '../../server/kit/service.ts'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { openTestDatabase, type TestDatabase, withDatabase } from '../../test/support/database.ts'
import { makeSite } from '../../test/support/make.ts'
import { startPgbouncer } from './pgbouncer.ts'
import { hasProgram, type Running } from './proxy.ts'

const isInstalled = hasProgram('pgbouncer')
// said in the title, because a skipped test says nothing else
const title = isInstalled ? '' : ' (skipped: pgbouncer is not installed, see .ci/run)'

describe.runIf(isInstalled).each(['transaction', 'session'] as const)(`pgbouncer in %s mode${title}`, (mode) => {
  let database: TestDatabase
  let pooler: Running & { url: string }
  let app: TestApp
  beforeAll(async () => {
    database = await openTestDatabase()
    pooler = await startPgbouncer(database.serviceUrl, mode)
    app = await openTestApp({ DATABASE_URL: pooler.url, DIRECT_URL: database.serviceUrl })
  })
  afterAll(async () => {
    await app?.close()
    await pooler?.close()
    await database?.close()
  })

  test('the service answers many requests at once', async () => {
    const site = await makeSite(app.ctx)
    const ready = await fetch(`${app.url}/readyz`)
    expect(await ready.json()).toEqual({ status: 'ready' })
    const redeemed = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const fields = await app.client.earn(site)
        const first = await app.client.siteverify(site, fields)
        const again = await app.client.siteverify(site, fields)
        return [first.status, first.body['success'], again.text === first.text]
      }),
    )
    expect(redeemed).toEqual(redeemed.map(() => [200, true, true]))
  })

  test('messages between nodes and jobs use the direct connection', async () => {
    const { ctx, opened } = app
    const { tenantId } = await makeSite(ctx)
    await expect.poll(() => ctx.invalidations.connected).toBe(true)
    const heard: (string | undefined)[] = []
    ctx.invalidations.subscribe((tenant) => heard.push(tenant))
    await notify(ctx.prisma, tenantId)
    await expect.poll(() => heard).toContain(tenantId)

    const jobs = await startJobs(opened)
    await opened.database.pool.query(`select graphile_worker.add_job('sweep_refusals')`)
    const left = `select count(*)::int as n from graphile_worker.jobs where task_identifier = 'sweep_refusals'`
    await expect.poll(async () => (await opened.database.pool.query(left)).rows[0].n, { timeout: 30_000 }).toBe(0)
    await jobs.close()
  })
})

describe.runIf(isInstalled)(`a start at pgbouncer${title}`, () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase()
  })
  afterAll(() => database?.close())

  const start = (settings: Record<string, string>) =>
    openService(readConfig(settings), { kind: 'command', label: 'test' }, createLog('silent')).then(
      (service) => service.close().then(() => 'started'),
      (error: Error) => error.message,
    )

  test.each([
    ['that refuses settings', 'transaction', ''],
    ['that ignores settings', 'transaction', 'ignore_startup_parameters = options'],
    ['that ignores settings and keeps sessions', 'session', 'ignore_startup_parameters = options'],
    [
      'that ignores settings which the role has',
      'transaction',
      'ignore_startup_parameters = options\nserver_round_robin = 1\nmin_pool_size = 2',
    ],
  ] as const)('%s (%s mode) needs DIRECT_URL', async (what, mode, lines) => {
    const role = new URL(database.serviceUrl).username
    const superuser = new pg.Client({ connectionString: withDatabase(inject('cluster'), database.name) })
    await superuser.connect()
    if (what.endsWith('the role has'))
      for (const setting of SESSION_SETTINGS)
        await superuser.query(
          `alter role ${role} in database ${database.name} set ${setting.replace('=', " = '")}'`.replace(
            "'public'",
            'public',
          ),
        )
    const pooler = await startPgbouncer(database.serviceUrl, mode, lines)
    try {
      expect(await start({ DATABASE_URL: pooler.url, OWNER_DATABASE_URL: database.url })).toMatch(
        /DATABASE_URL leads to a pooler.*Set DIRECT_URL/,
      )
      expect(await start({ DATABASE_URL: database.serviceUrl, OWNER_DATABASE_URL: pooler.url })).toMatch(
        /OWNER_DATABASE_URL leads to a pooler/,
      )
      expect(
        await start({ DATABASE_URL: pooler.url, DIRECT_URL: database.serviceUrl, OWNER_DATABASE_URL: database.url }),
      ).toBe('started')
    } finally {
      await pooler.close()
      await superuser.query(`alter role ${role} in database ${database.name} reset all`)
      await superuser.end()
    }
  })

  test('says what to set for the role, because a pooler keeps no settings of connections', async () => {
    const superuser = new pg.Client({ connectionString: withDatabase(inject('cluster'), database.name) })
    await superuser.connect()
    await superuser.query(
      `alter database ${database.name} set datestyle = 'German'; alter database ${database.name} set client_min_messages = error`,
    )
    const startThroughPooler = async () => {
      const pooler = await startPgbouncer(database.serviceUrl, 'transaction')
      const settings = { DATABASE_URL: pooler.url, DIRECT_URL: database.serviceUrl, OWNER_DATABASE_URL: database.url }
      try {
        return await start(settings)
      } finally {
        await pooler.close()
      }
    }
    try {
      const message = await startThroughPooler()
      expect(message).toMatch(/datestyle = "German, DMY" .*client_min_messages = "error" .*Run: alter role/)
      await superuser.query(message.replace(/^.*Run: /, ''))
      expect(await startThroughPooler()).toBe('started')
    } finally {
      await superuser.query(`alter database ${database.name} reset all`)
      await superuser.end()
    }
  })
})
