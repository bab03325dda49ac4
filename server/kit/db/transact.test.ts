import { expect, test } from 'vitest'
import { testApp } from '../../../test/support/testApp.ts'
import { type ActorContext, change } from '../../accounts/change.ts'
import { newId } from '../crypto/ids.ts'
import { notify } from './invalidations.ts'
import { afterCommit, transact } from './transact.ts'

const app = testApp()

/** A context that changes accounts, and the tenants that it invalidated. */
function openActor(): { ctx: ActorContext; dropped: string[] } {
  const dropped: string[] = []
  return {
    ctx: {
      prisma: app.ctx.prisma,
      actor: { type: 'operator', id: 'test' },
      invalidations: { publish: (tenantId) => void dropped.push(tenantId) },
    },
    dropped,
  }
}

const auditRows = (tenantId: string) => app.ctx.prisma.auditEvent.count({ where: { tenantId } })

/** An audited change that invalidates the tenant's cache. */
const touch = (ctx: ActorContext, tenantId: string) =>
  change(ctx, async () => ({
    out: undefined,
    change: { tenantId, action: 'tenant.touch', target: tenantId, invalidates: true },
  }))

test('a change inside a transaction uses its client and commits with it', async () => {
  const { ctx, dropped } = openActor()
  const tenantId = newId()
  await transact(ctx, async (outer) => {
    await transact(outer, async (inner) => expect(inner.prisma).toBe(outer.prisma))
    await touch(outer, tenantId)
    expect(await auditRows(tenantId)).toBe(0)
    expect(dropped).toEqual([])
  })
  expect(await auditRows(tenantId)).toBe(1)
  expect(dropped).toEqual([tenantId])
})

test('a change inside a transaction rolls back with it, and invalidates nothing', async () => {
  const { ctx, dropped } = openActor()
  const tenantId = newId()
  const failing = transact(ctx, async (ctx) => {
    await touch(ctx, tenantId)
    throw new Error('after the change')
  })
  await expect(failing).rejects.toThrow('after the change')
  expect(await auditRows(tenantId)).toBe(0)
  expect(dropped).toEqual([])
})

test('an inner failure rolls back the whole transaction, even if the outer work catches it', async () => {
  const { ctx, dropped } = openActor()
  const tenantId = newId()
  const caught = transact(ctx, async (outer) => {
    await touch(outer, tenantId)
    await transact(outer, (inner) => inner.prisma.$executeRaw`select 1 / 0`).catch(() => {})
    await notify(outer.prisma, tenantId)
  })
  await expect(caught).rejects.toThrow(/current transaction is aborted/)
  expect(await auditRows(tenantId)).toBe(0)
  expect(dropped).toEqual([])
})

test('effects run in order after the commit, and immediately outside a transaction', async () => {
  const { ctx } = openActor()
  const ran: string[] = []
  await transact(ctx, async (ctx) => {
    afterCommit(ctx, () => void ran.push('first'))
    afterCommit(ctx, () => void ran.push('second'))
    expect(ran).toEqual([])
  })
  expect(ran).toEqual(['first', 'second'])
  afterCommit(ctx, () => void ran.push('third'))
  expect(ran).toEqual(['first', 'second', 'third'])
})
