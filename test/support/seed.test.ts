import { beforeAll, expect, test } from 'vitest'
import { type Seeded, seed } from '../../prisma/seed.ts'
import { admitOperator } from '../../server/accounts/access.ts'
import { packReasons, unpackReasons } from '../../server/captcha/challenges/difficulty/reasons.ts'
import { MAX_WORK, workAgain } from '../../server/captcha/challenges/difficulty/work.ts'
import { DEFAULT_POLICY } from '../../server/contract/sitePolicy.ts'
import { reconcile } from '../../server/ledger/quota/reconcile.ts'
import { repairUsage } from '../../server/ledger/usage/repair.ts'
import { openTestApp } from './app.ts'
import { testApp } from './testApp.ts'

const app = testApp()
let seeded: Seeded
let again: Seeded
let states: string[]

beforeAll(async () => {
  const operator = admitOperator(app.ctx, 'test')
  seeded = await seed(operator, app.ownerDatabaseUrl)
  const before = await everything()
  again = await seed(operator, app.ownerDatabaseUrl)
  states = [before, await everything()]
  await app.sql.query('analyze')
})

test('a seed that is to end while one of its statements runs writes no history', async () => {
  const other = await openTestApp()
  try {
    const ending = new AbortController()
    const seeding = seed(admitOperator(other.ctx, 'test'), other.ownerDatabaseUrl, ending.signal)
    const settled = Promise.allSettled([seeding])
    const running = `select 1 from pg_stat_activity
      where datname = current_database() and state = 'active' and query like '%pg_temp.roll%' and pid <> pg_backend_pid()`
    await expect.poll(() => other.rows(running), { interval: 5, timeout: 60_000 }).toHaveLength(1)
    ending.abort()
    expect(await settled).toMatchObject([{ status: 'rejected' }])
    expect(await other.rows('select 1 from decision limit 1')).toEqual([])
  } finally {
    await other.close()
  }
}, 120_000)

const TABLES = [
  'tenant',
  'site',
  'hostname',
  'secret',
  'member',
  'invitation',
  '"user"',
  'audit_event',
  'quota_period',
  'balance',
  'balance_entry',
  'quota_change',
  'decision',
  'intent',
  'incident',
  'captcha_grant',
  'feedback_event',
  'refusal',
  'usage_hour',
  'usage_day',
]

async function everything(): Promise<string> {
  const hashes = TABLES.map(
    (table) => `(select md5(string_agg(t::text, '' order by t::text)) from ${table} t) as ${table}`,
  )
  return JSON.stringify(await app.rows(`select ${hashes.join(', ')}`))
}

const count = async (from: string): Promise<number> =>
  Number((await app.rows(`select count(*) as n from ${from}`))[0]?.n)

test('only tenants with made-up traffic are marked as demo', async () => {
  expect(await count('tenant where demo')).toBe(2)
})

test('every member signed in, and before they changed something', async () => {
  const members = `(select distinct user_id from member) m`
  expect(await count(`${members} left join account_event a using (user_id) where a.id is null`)).toBe(0)
  expect(
    await count(
      `audit_event e join ${members} on e.actor_id = m.user_id::text where e.actor_type = 'user' and not exists (
         select 1 from account_event a where a.user_id = m.user_id and a.created_at <= e.created_at
           and a.created_at > e.created_at - interval '1 day 1 hour')`,
    ),
  ).toBe(0)
})

test('seeding again changes nothing', () => {
  expect(states[1]).toBe(states[0])
  expect(again.secret).toBeUndefined()
  expect(again.site.id).toBe(seeded.site.id)
  expect(again.people.map(({ role }) => role)).toEqual([
    'owner',
    'admin',
    'developer',
    'billing',
    'viewer',
    'staff lead',
  ])
})

test('secrets of sites with traffic were used, and by whom is known', async () => {
  expect(
    await count(`secret s where exists (select from decision d where d.site_id = s.site_id)
      and (last_used_at is null or used_by is null or last_used_at > least(coalesce(expires_at, now()), now()))`),
  ).toBe(0)
})

test('the month has a broken release, a rotated secret that a server still uses, and an attack that goes on', async () => {
  expect(
    await app.rows('select kind, cause, ended_at is null as open from incident order by kind, started_at'),
  ).toEqual([
    ...['an attack', 'another one'].map(() => ({ kind: 'work', cause: null, open: false })),
    { kind: 'work', cause: null, open: true },
    { kind: 'refusals', cause: '/intents bad-field hostname', open: false },
  ])
  expect(
    await count("secret where expires_at < now() and refused_at > now() - interval '1 day' and used_from is not null"),
  ).toBe(1)
  expect(seeded.story.map(({ path }) => path)).toEqual([...new Set(again.story.map(({ path }) => path))])
  expect(seeded.story.every(({ path }) => /^\/o\/demo\/(incidents|sites|decisions)\/[^/]+/.test(path))).toBe(true)
})

test('feedback as legitimate does not say that it is about a crime', async () => {
  expect(
    await count(
      "feedback_event where outcome = 'legitimate' and business_type not in ('manual_review', 'customer_called')",
    ),
  ).toBe(0)
})

test('the charges match the decisions, for plan and balance', async () => {
  const { decisions, mismatches } = await reconcile(app.ctx)
  expect(mismatches).toEqual([])
  expect(decisions).toBeGreaterThan(10_000)
  expect(await count(`decision where charged_to = 'balance'`)).toBeGreaterThan(0)
  expect(await count('quota_period where used > included')).toBe(0)
  expect(await count('balance where units < 0')).toBe(0)
})

test('the demo tenant has units left', async () => {
  const { tenantId } = seeded.site
  expect(
    await count(`quota_period where tenant_id = '${tenantId}' and used < 0.9 * included and month = utc_month()`),
  ).toBe(1)
})

test('each decision has the difficulty of its reasons, and none was solved before its minimum age', async () => {
  const rows = await app.rows<{ work: string; reasons: number; fastest: number }>(
    `select work, work_reasons as reasons, min(extract(epoch from solved_at - challenged_at))::float8 as fastest
    from decision where work is not null group by 1, 2`,
  )
  expect(rows.length).toBeGreaterThan(4)
  const ages = rows.map(({ work, reasons, fastest }) => {
    const asked = workAgain({ ...DEFAULT_POLICY, test: undefined }, unpackReasons(reasons))
    expect({ work: Number(work), reasons }).toEqual({ work: asked.work, reasons: packReasons(asked.reasons) })
    expect(fastest).toBeGreaterThanOrEqual(asked.minAge)
    return asked.minAge
  })
  expect(Math.max(...ages)).toBe(10)
})

test('where the policy is HashWX where possible, almost all visitors solve HashWX', async () => {
  const share = `avg((work_reasons >> 17) & 1)::float8 as share`
  const rows = await app.rows<{ challenge_kind: string; share: number }>(
    `select s.challenge_kind, ${share} from decision d join site s on s.id = d.site_id where work is not null group by 1`,
  )
  expect(rows.map(({ challenge_kind: kind }) => kind)).toEqual(['auto'])
  expect(rows[0]?.share).toBeGreaterThan(0.97)
  expect(rows[0]?.share).toBeLessThan(1)
})

test('the data is consistent', async () => {
  const impossible = {
    'decisions in the future': 'decision where redeemed_at > now()',
    'redeemed before solved': 'decision where redeemed_at < solved_at or solved_at < challenged_at',
    'redeemed too late':
      'decision d join intent i on i.id = d.id where d.redeemed_at > i.expires_at or d.redeemed_at < i.created_at',
    'of other fields than the intent':
      'decision d join intent i on i.id = d.id where (d.action, d.hostname, d.site_id) <> (i.action, i.hostname, i.site_id)',
    'skipped without an exemption': 'decision where work is null and grant_id is null',
    'grants used too often': 'captcha_grant where used > uses',
    'grants used otherwise than decided':
      'captcha_grant g where used <> (select count(*) from decision d where d.grant_id = g.id)',
    'grants of skipped challenges': 'captcha_grant g join decision d on d.id = g.decision_id where d.solved_at is null',
    'intents with the grant of another session':
      'intent i join captcha_grant g on g.id = i.grant_id where i.session is distinct from g.session',
    'used after the end':
      'decision d join captcha_grant g on g.id = d.grant_id join intent i on i.id = d.id where i.created_at > coalesce(g.revoked_at, g.expires_at)',
    'feedback before or long after': `feedback_event f join decision d on d.id = f.decision_id
      where f.occurred_at < d.redeemed_at or f.created_at < f.occurred_at
        or f.created_at > least(now(), d.redeemed_at + interval '7 days')`,
    'corrections of nothing': `feedback_event f where revision = 2 and not exists (
      select 1 from feedback_event e where e.event_id = f.supersedes and e.decision_id = f.decision_id and e.revision = 1)`,
    'sites younger than their traffic': 'site s join decision d on d.site_id = s.id where d.redeemed_at < s.created_at',
    'hostnames that are not allowed':
      'decision d where not exists (select 1 from hostname h where h.site_id = d.site_id and h.hostname = d.hostname)',
  }
  for (const [what, from] of Object.entries(impossible)) expect.soft(await count(from), what).toBe(0)
})

test('the data contains every kind of object', async () => {
  const wanted = {
    'an attack of some hours': `decision where work = ${MAX_WORK}`,
    'intents that were not redeemed': 'intent i where not exists (select 1 from decision d where d.id = i.id)',
    'active grants': 'captcha_grant where expires_at > now() and revoked_at is null and used < uses',
    'used-up grants': 'captcha_grant where used = uses',
    'expired grants': 'captcha_grant where expires_at < now() and used < uses',
    'revoked grants': 'captcha_grant where revoked_at is not null',
    reports: `feedback_event where outcome = 'confirmed_abuse'`,
    corrections: 'feedback_event where revision = 2',
    'open invitations': 'invitation where expires_at > now()',
    'entries that remove units': 'balance_entry where units < 0',
    'secrets past their overlap': 'secret where expires_at < now()',
  }
  for (const [what, from] of Object.entries(wanted)) expect.soft(await count(from), what).toBeGreaterThan(0)
})

test('the counts match the rows by hour and by day', async () => {
  expect(await repairUsage(app.ctx, 20)).toBe(0)
  const sums = (table: string) =>
    app.sql.query(`select measure, sum(n)::int as n from ${table} group by 1 order by 1`).then(({ rows }) => rows)
  expect(await sums('usage_day')).toEqual(await sums('usage_hour'))
  const of = (measure: string) => count(`(select generate_series(1, n) from usage_day where measure = '${measure}') t`)
  expect(await of('redeemed')).toBe(await count("decision where charged_to <> 'test'"))
  expect(await of('intents')).toBeGreaterThan(await of('challenged'))
  expect(await of('challenged')).toBeGreaterThan(await of('solved'))
  expect(await of('solved')).toBeGreaterThanOrEqual(await count('decision where solved_at is not null'))
})

test('contains every kind of refusal that a merchant needs to know', async () => {
  const rows = await app.rows<{ code: string }>('select distinct code from refusal order by 1')
  expect(rows.map(({ code }) => code)).toEqual([
    'already-redeemed',
    'bad-field',
    'intent-expired',
    'origin-not-allowed',
    'rate-limited',
    'solution-invalid',
    'unauthorized',
  ])
  expect(
    await count("refusal r join secret s using (site_id) where r.code = 'unauthorized' and r.key_hint = s.last4"),
  ).toBeGreaterThan(50)
  expect(await count("refusal where at > now() or at < now() - interval '30 days'")).toBe(0)
})
