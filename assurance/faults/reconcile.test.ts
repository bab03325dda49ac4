import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { makeSite } from '../../test/support/make.ts'
import { CHECKS } from './checks.ts'
import { type Answer, type Attempt, History, type Line, readHistory } from './history.ts'
import { Merchant } from './merchant.ts'
import { reconcileLines } from './reconcile.ts'

let app: TestApp
let folder: string
let lines: Line[]
beforeAll(async () => {
  app = await openTestApp({ GRANTS: 'on' })
  folder = mkdtempSync(join(tmpdir(), 'tollgate-history-'))
  const history = new History(join(folder, 'history.jsonl'))
  const plans = [
    { quota: 10_000, balance: 0 },
    { quota: 3, balance: 2 },
  ]
  const sites = await Promise.all(plans.map((plan) => makeSite(app.ctx, plan)))
  for (const [i, plan] of plans.entries())
    history.write({ kind: 'books', tenant: sites[i]?.tenantId ?? '', quota: plan.quota, balance: plan.balance })
  const merchant = new Merchant(history, () => [Number(new URL(app.url).port)], sites, { clients: 4 })
  const [rich, poor] = sites.map(({ tenantId }) => tenantId)
  const enough = `select 1 from balance where tenant_id = $2 and units = 0
    and (select count(*) > 20 from feedback_event where tenant_id = $1)
    and (select count(*) filter (where revoked_at is not null) > 1 and sum(used) > 4 from captcha_grant where tenant_id = $1)`
  await vi.waitFor(
    async () => {
      if (!(await app.sql.query(enough, [rich, poor])).rowCount) throw new Error('too little was bought')
    },
    { timeout: 60_000, interval: 100 },
  )
  expect(await merchant.settle(30)).toBe(0)
  await merchant.replay()
  history.close()
  lines = readHistory(history.path)
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await app.close()
})

/** The checks that report something after the database was changed, and the history. */
async function reported(sql: string, change: (all: Line[]) => Line[] = (all) => all): Promise<string[]> {
  const client = await app.sql.connect()
  try {
    await client.query('begin')
    await client.query(sql)
    return (await reconcileLines(client, change(structuredClone(lines)))).violations.map(({ check }) => check)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

test('a run without faults has no violation', async () => {
  expect(await reported('select 1')).toEqual([])
  expect(lines.filter(({ kind }) => kind === 'answer').length).toBeGreaterThan(100)
})

const DECISION = `(select id from decision where charged_to = 'quota' order by id limit 1)`
const GRANT = '(select id from captcha_grant where used > 0 order by id limit 1)'
const EVENT = `(select event_id from feedback_event where revision = 1 order by event_id limit 1)`

/** Changes the first acknowledged answer to a path, and what follows it. */
function onAnswer(path: string, work: (answer: Answer, attempt: Attempt, all: Line[]) => Line[]) {
  return (all: Line[]): Line[] => {
    const attempts = new Map(all.flatMap((line) => (line.kind === 'attempt' ? [[line.seq, line]] : [])))
    for (const line of all) {
      const attempt = line.kind === 'answer' ? attempts.get(line.of) : undefined
      if (line.kind === 'answer' && line.status === 200 && attempt?.path === path) return work(line, attempt, all)
    }
    throw new Error(`nothing acknowledged at ${path}`)
  }
}
const without = (all: Line[], path: string, field: string, value: unknown) =>
  all.filter((line) => line.kind !== 'attempt' || line.path !== path || line.body[field] !== value)
const nextSeq = (all: Line[]) => Math.max(...all.map(({ seq }) => seq)) + 1
/** The attempt once more, at the end, with another answer. */
const repeated = (answer: Answer, attempt: Attempt, all: Line[], status: number, text: string): Line[] => {
  const seq = nextSeq(all)
  return [...all, { ...attempt, seq }, { ...answer, seq: seq + 1, of: seq, status, text }]
}

const TAMPERED: Record<keyof typeof CHECKS, [sql: string, change?: (all: Line[]) => Line[]]> = {
  'an acknowledged redemption is not in the database': [`delete from decision where id = ${DECISION}`],
  'an intent is redeemed with two keys': [`update decision set key_hash = '\\x00' where id = ${DECISION}`],
  'a decision without an attempt': [
    'select 1',
    onAnswer('/siteverify', (_answer, { body }, all) => without(all, '/siteverify', 'intent_id', body['intent_id'])),
  ],
  'more than one decision for an intent': [
    `alter table decision drop constraint decision_pkey cascade; insert into decision select * from decision where id = ${DECISION}`,
  ],
  'charged, but the merchant was refused': [
    'select 1',
    onAnswer('/siteverify', (_answer, { body }, all) => {
      const seqs = new Set(
        all.flatMap((l) => (l.kind === 'attempt' && l.body['intent_id'] === body['intent_id'] ? [l.seq] : [])),
      )
      return all.map((line) => (line.kind === 'answer' && seqs.has(line.of) ? { ...line, status: 409 } : line))
    }),
  ],
  'a purchase is charged twice': [
    'select 1',
    (all) => all.map((line) => (line.kind === 'attempt' ? { ...line, purchase: 'one' } : line)),
  ],
  'a repetition is answered differently': [
    'select 1',
    onAnswer('/siteverify', (answer, attempt, all) => repeated(answer, attempt, all, 200, '{}')),
  ],
  'an acknowledged operation is refused afterwards': [
    'select 1',
    onAnswer('/siteverify', (answer, attempt, all) => repeated(answer, attempt, all, 409, '{}')),
  ],
  'the quota used is not the sum of its charges': ['update quota_period set used = used - 1 where used > 0'],
  'the balance is not what was added less its charges': ['update balance set units = units + 1'],
  'more is charged than there was': [
    `insert into decision (id, tenant_id, site_id, action, hostname, token_hash, key_hash, charged_to)
     select gen_random_uuid(), tenant_id, site_id, 'a', 'h', '\\x00', '\\x00', 'quota' from decision where charged_to = 'balance'`,
  ],
  'more or less is charged than the attempts explain': ['update quota_period set used = used + 1'],
  'refused for lack of units that were there': [
    `delete from decision where id = (select id from decision where charged_to = 'balance' limit 1)`,
  ],
  'an acknowledged intent is not in the database': [`update intent set nonce = 'other' where id = ${DECISION}`],
  'more than one intent for a nonce': [
    `drop index intent_site_id_nonce_tenant_id_key;
     insert into intent select gen_random_uuid(), tenant_id, site_id, nonce, action, hostname, session, subject, grant_id, created_at, expires_at
     from intent where id = ${DECISION}`,
  ],
  'an intent without an attempt': [
    'select 1',
    onAnswer('/intents', (_answer, { body }, all) => without(all, '/intents', 'nonce', body['nonce'])),
  ],
  'acknowledged feedback is not in the database': [
    `update feedback_event set outcome = 'unknown' where event_id = ${EVENT}`,
  ],
  'feedback without an attempt': [
    'select 1',
    onAnswer('/feedback', (_answer, { body }, all) => without(all, '/feedback', 'event_id', body['event_id'])),
  ],
  'the revisions of a feedback have gaps': [`delete from feedback_event where event_id = ${EVENT}`],
  'an acknowledged grant is not in the database': [`delete from captcha_grant where id = ${GRANT}`],
  'a grant without an attempt': [
    'select 1',
    onAnswer('/grants', (_answer, { body }, all) => without(all, '/grants', 'decision_id', body['decision_id'])),
  ],
  'a grant is spent more often than it allows, or was not counted': [
    `update captcha_grant set used = used - 1 where id = ${GRANT}`,
  ],
  'an acknowledged revocation is not in the database': ['update captcha_grant set revoked_at = null'],
  'a revoked grant opened an intent': [
    'select 1',
    onAnswer('/grants/revoke', (answer, { body }, all) => {
      const opened = all.find(
        (line): line is Attempt => line.kind === 'attempt' && line.body['trusted_grant_id'] === body['grant_id'],
      )
      if (!opened) throw new Error('the grant was not used')
      return repeated(answer, { ...opened, op: randomUUID() }, all, 200, '{}')
    }),
  ],
  'confirmed while nothing could confirm a commit': [
    'select 1',
    (all) => [...all, { kind: 'unconfirmed', began: 0, seq: nextSeq(all) }],
  ],
  'answered with a fault of the service': [
    'select 1',
    onAnswer('/siteverify', (answer, attempt, all) => repeated(answer, { ...attempt, op: randomUUID() }, all, 500, '')),
  ],
}

test.each(Object.entries(TAMPERED))('is reported: %s', async (check, [sql, change]) => {
  expect(await reported(sql, change)).toContain(check)
})
