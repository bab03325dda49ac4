import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeSite } from '../../../test/support/make.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { sweepGrants } from '../../captcha/grants/sweep.ts'
import { enqueueEmails } from '../../kit/queue/email.ts'
import { eraseOldAddresses } from '../../ledger/audit/eraseAddresses.ts'
import { recordAudit } from '../../ledger/audit/record.ts'
import { verifyAudit } from '../../ledger/audit/verify.ts'
import { admitOperator } from '../access.ts'
import { addMember } from '../members/add.ts'
import { ensurePerson, setPassword } from '../sessions/person.ts'
import { erasePerson } from './erase.ts'
import { eraseVisitor } from './eraseVisitor.ts'
import { exportPerson } from './export.ts'

const app = testApp()

const operator = () => admitOperator(app.ctx, 'test')

/** All rows of all tables of the schema as text. */
async function everything(): Promise<string> {
  const rows = await app.rows<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')`,
  )
  const tables = await Promise.all(rows.map(({ name }) => app.sql.query(`select t::text as row from ${name} t`)))
  return JSON.stringify(tables.map((table) => table.rows))
}

async function join(email: string) {
  const { tenantId } = await makeSite(app.ctx)
  const person = await ensurePerson(app.ctx, { email, name: 'Ada' })
  await setPassword(app.ctx, person.id, randomBytes(12).toString('hex'))
  await addMember(operator(), { tenantId, person, role: 'viewer' })
  await enqueueEmails(app.ctx, [{ to: email, subject: 'Hello', text: email, html: email }])
  await recordAudit(app.ctx, {
    tenantId,
    actorType: 'user',
    actorId: person.id,
    action: 'member.invite',
    target: tenantId,
    before: { list: [{ email }] },
    after: { email, other: 'kept@shop.example' },
  })
  return { tenantId, ...person }
}

test('erases a person everywhere; the audit keeps its events and stays valid', async () => {
  const email = 'ada@erase.example'
  const { tenantId } = await join(email)
  expect(await everything()).toContain(email)
  expect(await erasePerson(operator(), { email })).toMatchObject({ account: true })
  expect(await everything()).not.toContain(email)
  expect((await verifyAudit(app.ctx)).faults).toEqual([])
  const rows = await app.rows(
    "select before, after from audit_event where tenant_id = $1 and action = 'member.invite'",
    [tenantId],
  )
  expect(rows).toEqual([
    {
      before: { list: [{ email: expect.stringMatching(/^erased-[0-9a-f]{32}$/) }] },
      after: { email: expect.stringMatching(/^erased-/), other: 'kept@shop.example' },
    },
  ])
  // an erased address cannot be changed unnoticed either
  await app.sql.query(
    `update audit_event set after = '{"email": "erased-0"}' where tenant_id = $1 and action = 'member.invite'`,
    [tenantId],
  )
  expect((await verifyAudit(app.ctx)).faults).toMatchObject([{ tenant_id: tenantId, kind: 'changed' }])
})

test('erases the name and the address from texts that people typed, and only from those that contain them', async () => {
  const email = 'grace@erase.example'
  const { tenantId } = await makeSite(app.ctx)
  await ensurePerson(app.ctx, { email, name: 'Grace (O.) Hopper' })
  const texts = [
    'asked by grace (o.) hopper, on the phone',
    `Mail of ${email}: refund`,
    'Graceful degradation',
    'asked by Grace (O.) Hopperton',
    'ask kept@shop.example "too"',
  ]
  for (const reason of texts)
    await recordAudit(app.ctx, {
      tenantId,
      actorType: 'operator',
      actorId: 'test',
      action: 'test.text',
      target: tenantId,
      // the same text under a name that is not for texts stays
      after: { reason, nested: [{ query: reason }], label: 'Graceful degradation' },
    })
  await erasePerson(operator(), { email })
  const rows = await app.rows<{ after: { reason: string; nested: [{ query: string }] } }>(
    "select after from audit_event where tenant_id = $1 and action = 'test.text' order by seq",
    [tenantId],
  )
  const erased = expect.stringMatching(/^erased-[0-9a-f]{32}$/)
  expect(rows.map(({ after }) => after.reason)).toEqual([erased, erased, ...texts.slice(2)])
  expect(rows.map(({ after }) => after.nested[0].query)).toEqual([erased, erased, ...texts.slice(2)])
  const faults = async () => (await verifyAudit(app.ctx)).faults.filter((fault) => fault.tenant_id === tenantId)
  expect(await faults()).toEqual([])
  await app.sql.query(
    "update audit_event set created_at = created_at, after = jsonb_set(after, '{reason}', '\"other\"') where after->>'reason' = $1",
    [texts[2]],
  )
  expect(await faults()).toMatchObject([{ kind: 'changed' }])
})

test('does not erase the last owner of a tenant', async () => {
  const { tenantId } = await makeSite(app.ctx)
  const person = await ensurePerson(app.ctx, { email: 'owner@erase.example' })
  await app.sql.query('delete from member where tenant_id = $1', [tenantId])
  await addMember(operator(), { tenantId, person, role: 'owner' })
  await expect(erasePerson(operator(), { email: person.email })).rejects.toMatchObject({ code: 'last-owner' })
  expect(await app.ctx.prisma.user.count({ where: { id: person.id } })).toBe(1)
})

test('exports what is stored about a person, without secrets', async () => {
  const { id, email } = await join('export@erase.example')
  const found = await exportPerson(operator(), { email })
  expect(found).toMatchObject({
    email,
    account: { id, members: [{ role: 'viewer' }] },
    changes: [{ action: 'member.invite' }],
  })
  expect(JSON.stringify(found)).not.toMatch(/password|token|publicKey/)
  await expect(exportPerson(operator(), { email: 'nothing@erase.example' })).rejects.toMatchObject({
    code: 'person-not-found',
  })
})

test('replaces addresses in audit events older than 400 days only, and texts that contain one', async () => {
  const { tenantId } = await makeSite(app.ctx)
  const record = (days: number, after: object) =>
    recordAudit(app.ctx, {
      tenantId,
      actorType: 'operator',
      actorId: 'test',
      action: 'test.old',
      target: tenantId,
      after,
      createdAt: new Date(Date.now() - days * 86_400_000),
    })
  await record(399, { email: 'old@399.example' })
  await record(401, { email: 'old@401.example' })
  await record(401, { reason: 'write to old@text.example' })
  await record(401, { reason: 'no address' })
  await eraseOldAddresses(app.ctx)
  const stored = await everything()
  const kept = ['old@399.example', 'old@401.example', 'old@text.example', 'no address'].map((text) =>
    stored.includes(text),
  )
  expect(kept).toEqual([true, false, false, true])
  expect((await verifyAudit(app.ctx)).faults.filter((fault) => fault.tenant_id === tenantId)).toEqual([])
})

test('erases a visitor by session and by subject, for this tenant only', async () => {
  const [site, other] = [await makeSite(app.ctx), await makeSite(app.ctx)]
  const [session, subject] = ['5e'.repeat(32), '5b'.repeat(32)]
  for (const each of [site, other]) {
    const earned = await app.client.earn(each, { session, subject })
    const { body } = await app.client.siteverify(each, earned)
    await app.client.asSite('/grants', each, { decision_id: body['decision_id'], session })
    await app.client.feedback(each, { decision_id: body['decision_id'], outcome: 'confirmed_abuse' })
  }
  const tenant = { id: site.tenantId }
  expect(await eraseVisitor(operator(), tenant, { field: 'session', hash: session })).toEqual({
    intents: 1,
    grants: 1,
    decisions: 0,
  })
  expect(await eraseVisitor(operator(), tenant, { field: 'subject', hash: subject })).toEqual({
    intents: 1,
    grants: 0,
    decisions: 1,
  })
  for (const table of ['decision', 'feedback_mark'])
    expect(await app.rows(`select tenant_id from ${table} where subject is not null`)).toEqual([
      { tenant_id: other.tenantId },
    ])
  const rows = await app.rows(
    `select tenant_id, session, revoked_at is not null as ended from captcha_grant where session is not null or tenant_id = $1`,
    [site.tenantId],
  )
  expect(rows).toEqual(
    expect.arrayContaining([
      { tenant_id: site.tenantId, session: null, ended: true },
      { tenant_id: other.tenantId, session, ended: false },
    ]),
  )
})

test('removes the session of a grant 24 hours after it expired', async () => {
  const site = await makeSite(app.ctx)
  for (const hours of [23, 25])
    await app.sql.query(
      `insert into captcha_grant (id, tenant_id, site_id, decision_id, session, uses, ttl_asked, uses_asked, expires_at)
       values (gen_random_uuid(), $1, $2, gen_random_uuid(), $3, 1, 60, 1, now() - make_interval(hours => $4))`,
      [site.tenantId, site.siteId, String(hours), hours],
    )
  expect(await sweepGrants(app.ctx)).toBe(1)
  const rows = await app.rows('select session from captcha_grant where site_id = $1 order by expires_at', [site.siteId])
  expect(rows).toEqual([{ session: null }, { session: '23' }])
})
