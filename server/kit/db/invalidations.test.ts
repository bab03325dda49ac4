import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../../test/support/app.ts'
import { Cache } from './cache.ts'
import { notify } from './invalidations.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

/** Reads the cache, with `found` as the value of the source. */
const ask = (cache: Cache<string>, found: string) => cache.read('key', async () => ({ value: found }))

async function until(holds: () => boolean): Promise<void> {
  for (let waited = 0; !holds(); waited += 20) {
    if (waited > 10_000) throw new Error('it did not happen within 10 s')
    await sleep(20)
  }
}

test('delivers an invalidation when its transaction commits and never when it rolls back', async () => {
  const heard: (string | undefined)[] = []
  app.ctx.invalidations.subscribe((tenantId) => heard.push(tenantId))
  await until(() => app.ctx.invalidations.connected)
  heard.length = 0
  await app.ctx.prisma
    .$transaction(async (prisma) => {
      await notify(prisma, 'rolled back')
      throw new Error('on purpose')
    })
    .catch(() => {})
  await app.ctx.prisma.$transaction((prisma) => notify(prisma, 'committed'))
  await until(() => heard.length > 0)
  expect(heard).toEqual(['committed'])
})

test('caches nothing while invalidations do not arrive, and drops everything afterwards', async () => {
  const { invalidations } = app.ctx
  await until(() => invalidations.connected)
  const cache = new Cache<string>({ max: 10, ttl: 60_000, trusted: () => invalidations.connected })
  invalidations.subscribe((tenantId) => cache.drop(() => tenantId === undefined))
  await ask(cache, 'first')
  expect(await ask(cache, 'second')).toBe('first')

  const ended = until(() => !invalidations.connected)
  // a role may end its own connections only
  await app.opened.database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'tollgate invalidations' and datname = current_database()`,
  )
  await ended
  expect(await ask(cache, 'third')).toBe('third')
  await until(() => invalidations.connected)
  expect(await ask(cache, 'fourth')).toBe('fourth')
})

test('does not cache a value that was read during a drop', async () => {
  const cache = new Cache<string>({ max: 10, ttl: 60_000 })
  let answer = (_value: string) => {}
  const reading = cache.read('key', async () => ({ value: await new Promise<string>((resolve) => (answer = resolve)) }))
  cache.drop(() => true)
  answer('stale')
  expect(await reading).toBe('stale')
  expect(await ask(cache, 'new')).toBe('new')
})
