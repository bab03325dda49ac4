import { beforeEach, expect, test } from 'vitest'
import { makeSite } from '../../../test/support/make.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { lastReconciliation, recordReconciliation } from '../quota/recordReconciliation.ts'
import { recordAudit } from './record.ts'
import { verifyAudit } from './verify.ts'

const app = testApp()
let tenantId: string

type Row = { id: string; seq: string }
const record = (n: number) =>
  recordAudit(app.ctx, {
    tenantId,
    actorType: 'operator',
    actorId: 'test',
    action: 'test.record',
    target: tenantId,
    before: { n: n - 1, nested: { b: 1.5, a: [null, true, 1e21] }, absent: undefined },
    after: { n, email: 'ada@shop.example' },
  })
const rows = () => app.rows<Row>('select id, seq from audit_event where tenant_id = $1 order by seq', [tenantId])
const faults = async () => (await verifyAudit(app.ctx)).faults.filter((fault) => fault.tenant_id === tenantId)

beforeEach(async () => {
  tenantId = (await makeSite(app.ctx)).tenantId
  for (let n = 1; n <= 5; n++) await record(n)
})

test('finds no fault in what the service wrote, also at the same time', async () => {
  await Promise.all(
    // as many as the pool has connections: they wait for each other's row
    Array.from({ length: 10 }, (_, n) =>
      app.ctx.prisma.$transaction((prisma) =>
        recordAudit(
          { prisma },
          {
            tenantId,
            actorType: 'operator',
            actorId: 'test',
            action: 'test.record',
            target: String(n),
          },
        ),
      ),
    ),
  )
  const { heads, faults } = await verifyAudit(app.ctx)
  expect(faults).toEqual([])
  expect(heads.find((head) => head.tenant_id === tenantId)).toMatchObject({ seq: (await rows()).length })
})

test.each([
  ["action = 'test.other'"],
  ["actor_id = 'somebody'"],
  [`after = '{"n": 3, "email": "eve@shop.example"}'`],
  [`before = jsonb_set(before, '{nested,a,1}', 'false')`],
  ["created_at = created_at - interval '1 ms'"],
  ['salt = null'],
])('names a row that was changed: %s', async (change) => {
  const { id, seq } = (await rows())[3] as Row
  await app.sql.query(`update audit_event set ${change} where id = $1`, [id])
  expect(await faults()).toEqual([{ tenant_id: tenantId, seq: Number(seq), id, kind: 'changed' }])
})

test('the nightly run stores how many events it verified, and which do not match', async () => {
  await recordReconciliation(app.ctx)
  const before = await lastReconciliation(app.ctx)
  const { id, seq } = (await rows())[2] as Row
  await app.sql.query("update audit_event set action = 'test.other' where id = $1", [id])
  await recordReconciliation(app.ctx)
  const after = await lastReconciliation(app.ctx)
  expect(after?.audit.events).toBe(before?.audit.events)
  expect(after?.audit.faulty).toBe((before?.audit.faulty ?? 0) + 1)
  expect(after?.audit.faults).toContainEqual({ tenant_id: tenantId, seq: Number(seq), id, kind: 'changed' })
})

test('names a row that was deleted, in the middle or at the end', async () => {
  const all = await rows()
  const [middle, last] = [all[3], all.at(-1)] as [Row, Row]
  await app.sql.query('delete from audit_event where id = any($1)', [[middle.id, last.id]])
  expect(await faults()).toEqual(
    [middle, last].map(({ seq }) => ({ tenant_id: tenantId, seq: Number(seq), id: null, kind: 'missing' })),
  )
})

test('names a row that was inserted', async () => {
  const {
    rows: [made],
  } = await app.sql.query<Row>(
    `insert into audit_event (id, tenant_id, seq, hash, actor_type, actor_id, action, target)
     select gen_random_uuid(), tenant_id, seq + 1, hash, actor_type, actor_id, action, target from audit_event
     where tenant_id = $1 order by seq desc limit 1 returning id, seq`,
    [tenantId],
  )
  expect(await faults()).toContainEqual({ tenant_id: tenantId, seq: Number(made?.seq), id: made?.id, kind: 'inserted' })
})

test('names the last row if the chain after it was cut off and its end changed', async () => {
  const all = await rows()
  const [before, last] = all.slice(-2) as [Row, Row]
  await app.sql.query('delete from audit_event where id = $1', [last.id])
  await app.sql.query('update audit_head set seq = seq - 1 where tenant_id = $1', [tenantId])
  expect(await faults()).toEqual([{ tenant_id: tenantId, seq: Number(before.seq), id: before.id, kind: 'changed' }])
})

test('rows moved to another tenant are missing in one and changed in the other', async () => {
  const other = await makeSite(app.ctx)
  const [{ id, seq }] = (await rows()).slice(-1) as [Row]
  await app.sql.query('update audit_event set tenant_id = $2, seq = 99 where id = $1', [id, other.tenantId])
  expect(await faults()).toEqual([{ tenant_id: tenantId, seq: Number(seq), id: null, kind: 'missing' }])
  const found = (await verifyAudit(app.ctx)).faults
  expect(found).toContainEqual({ tenant_id: other.tenantId, seq: 99, id, kind: 'inserted' })
})
