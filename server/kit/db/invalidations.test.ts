import { expect, test, vi } from 'vitest'
import { testApp } from '../../../test/support/testApp.ts'
import { Cache } from './cache.ts'
import { notify } from './invalidations.ts'

const app = testApp()

/** Reads the cache, with `found` as the value of the source. */
const ask = (cache: Cache<string>, found: string) => cache.read('key', async () => ({ value: found }))

const until = async (holds: () => boolean) => {
  await expect.poll(holds, { timeout: 10_000, interval: 20 }).toBe(true)
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

  const ended = vi.waitFor(() => expect(invalidations.connected).toBe(false), { timeout: 10_000, interval: 1 })
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
