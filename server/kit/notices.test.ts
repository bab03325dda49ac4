import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../testing/app.ts'
import { Cache } from './cache.ts'
import { notify } from './notices.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

/** What the cache answers, where the source would say `found`. */
const ask = (cache: Cache<string>, found: string) => cache.read('key', async () => ({ value: found }))

async function until(holds: () => boolean): Promise<void> {
  for (let waited = 0; !holds(); waited += 20) {
    if (waited > 10_000) throw new Error('it did not happen within 10 s')
    await sleep(20)
  }
}

test('a notice is heard when its transaction commits, and never when it does not', async () => {
  const heard: (string | undefined)[] = []
  app.ctx.notices.listen((tenantId) => heard.push(tenantId))
  await until(() => app.ctx.notices.arriving)
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

test('while notices do not arrive nothing is in mind, and afterwards everything was dropped', async () => {
  const { notices } = app.ctx
  await until(() => notices.arriving)
  const cache = new Cache<string>({ max: 10, ttl: 60_000, trusted: () => notices.arriving })
  notices.listen((tenantId) => cache.drop(() => tenantId === undefined))
  await ask(cache, 'first')
  expect(await ask(cache, 'second')).toBe('first')

  const ended = until(() => !notices.arriving)
  await app.sql.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tollgate notices' and datname = current_database()`,
  )
  await ended
  expect(await ask(cache, 'third')).toBe('third')
  await until(() => notices.arriving)
  expect(await ask(cache, 'fourth')).toBe('fourth')
})

test('what was being read while something was dropped is answered but not kept', async () => {
  const cache = new Cache<string>({ max: 10, ttl: 60_000 })
  let answer = (_value: string) => {}
  const reading = cache.read('key', async () => ({ value: await new Promise<string>((resolve) => (answer = resolve)) }))
  cache.drop(() => true)
  answer('stale')
  expect(await reading).toBe('stale')
  expect(await ask(cache, 'new')).toBe('new')
})
