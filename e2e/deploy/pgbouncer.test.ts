import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startJobs } from '../../server/jobs.ts'
import { notify } from '../../server/kit/invalidations.ts'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts'
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
