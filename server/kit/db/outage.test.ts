import { expect, test } from 'vitest'
import { makePerson } from '../../../test/support/browser.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { createLog } from '../process/log.ts'
import { createDatabase } from './db.ts'
import { isConflict, isDuplicate, isPassing } from './outage.ts'

const app = testApp()

const caught = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

test('a database that is not reached is an outage, through Prisma, the pool and raw statements', async () => {
  // nothing listens on port 1
  const away = createDatabase({ url: 'postgres://tollgate@127.0.0.1:1/tollgate' }, createLog('silent'))
  try {
    expect(isPassing(await caught(away.prisma.tenant.findFirst()))).toBe(true)
    expect(isPassing(await caught(away.prisma.$queryRaw`select 1`))).toBe(true)
    expect(isPassing(await caught(away.prisma.$transaction(async (tx) => tx.tenant.findFirst())))).toBe(true)
    expect(isPassing(await caught(away.pool.query('select 1')))).toBe(true)
  } finally {
    await away.close()
  }
})

test('a cancelled statement and a lost connection are outages', async () => {
  const { prisma } = app.ctx
  const slow = prisma.$transaction(async (tx) => {
    await tx.$executeRaw`set local statement_timeout = 10`
    await tx.$executeRaw`select pg_sleep(5)`
  })
  expect(isPassing(await caught(slow))).toBe(true)
  const ended = prisma.$executeRaw`select pg_terminate_backend(pg_backend_pid())`
  expect(isPassing(await caught(ended))).toBe(true)
})

test('an error is not an outage because of its message', async () => {
  const person = await makePerson(app)
  const where = { id: person.userId }
  const wrong = { name: { connect: { timeout: 'Connection terminated' } } }
  const invalid = await caught(app.ctx.prisma.user.update({ where, data: wrong as never }))
  expect(String(invalid)).toContain('connect')
  expect(isPassing(invalid)).toBe(false)
  expect(isPassing(new Error('connect ECONNREFUSED: timeout'))).toBe(false)
  expect(isPassing(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBe(false)
  expect(isPassing(await caught(app.ctx.prisma.$queryRaw`select 'Connection timeout'::uuid`))).toBe(false)
})

test('a deadlock is a conflict, and no outage, in writes of Prisma and in raw statements', async () => {
  const [one, two] = [await makePerson(app), await makePerson(app)]
  type Tx = Parameters<Parameters<typeof app.ctx.prisma.$transaction>[0]>[0]
  const write = (tx: Tx, { userId }: { userId: string }) =>
    tx.user.update({ where: { id: userId }, data: { name: 'X' } })
  const lock = (tx: Tx, { userId }: { userId: string }) =>
    tx.$executeRaw`select pg_advisory_xact_lock(hashtext(${userId}))`
  for (const take of [write, lock]) {
    let taken = 0
    let go = () => {}
    const both = new Promise<void>((resolve) => (go = resolve))
    const inTurn = (own: typeof one, other: typeof one) =>
      app.ctx.prisma.$transaction(async (tx) => {
        await take(tx, own)
        taken += 1
        if (taken === 2) go()
        await both
        await take(tx, other)
      })
    const ended = await Promise.all([inTurn(one, two), inTurn(two, one)].map(caught))
    const failed = ended.filter((error) => error !== undefined)
    expect(failed.map((error) => [isConflict(error), isPassing(error)])).toEqual([[true, false]])
  }
})

test('a taken value is recognised', async () => {
  const person = await makePerson(app)
  const twice = app.ctx.prisma.user.create({
    data: { id: '018f4e6a-7b2c-7d3e-8f40-112233445566', email: person.email, name: 'Twice', emailVerified: true },
  })
  expect(isDuplicate(await caught(twice))).toBe(true)
})
