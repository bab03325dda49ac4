import { expect, onTestFinished, test, vi } from 'vitest'
import { openOwnApp, openTestApp } from '../test/support/app.ts'
import { makeSite } from '../test/support/make.ts'
import { holdSnapshot, readsOf } from '../test/support/tableReads.ts'
import { makeOwnedTenant } from '../test/support/tenant.ts'
import { testApp, testSite } from '../test/support/testApp.ts'
import { TEST_TENANT } from './accounts/sites/testKeys/ensure.ts'
import { sweepAccounts } from './accounts/sweep.ts'
import { sweepGrants } from './captcha/grants/sweep.ts'
import { sweepIntents } from './captcha/intents/sweep.ts'
import { sweepTests } from './captcha/intents/sweepTests.ts'
import { startJobs } from './jobs.ts'
import { eraseOldAddresses } from './ledger/audit/eraseAddresses.ts'
import { recordAudit } from './ledger/audit/record.ts'
import { deleteExpiredNetworks } from './ledger/decisions/deleteExpiredNetworks.ts'
import { sweepRefusals } from './ledger/refusals/sweep.ts'
import { deleteAbandonedJobs } from './ledger/system/deleteAbandonedJobs.ts'

const app = testApp()
const site = testSite(app)

/** An id of the time `at`, made of a text. */
const idAt = (text = 'random()') =>
  `(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(${text}::text), 1, 3)
  || '8' || substr(md5(${text}::text), 4, 15))::uuid`

/** Inserts intents opened `hours` ago, with ids of that time. */
const open = (hours: number, count: number) =>
  app.sql.query(
    `insert into intent (id, tenant_id, site_id, nonce, action, hostname, created_at, expires_at)
     select ${idAt()},
       $1, $2, gen_random_uuid()::text, 'checkout', 'shop.example', at, at + interval '300 s'
     from (select now() - make_interval(secs => $3 * 3600) as at from generate_series(1, $4)) t`,
    [site.tenantId, site.siteId, hours, count],
  )

const count = async () => (await app.rows<{ n: number }>('select count(*)::int as n from intent'))[0]?.n

test('deletes intents after 26 hours and keeps newer ones', async () => {
  await open(27, 2500)
  await open(25, 10)
  const earned = await app.client.earn(site)
  expect(await sweepIntents(app.ctx)).toBe(2500)
  expect(await count()).toBe(11)
  expect((await app.client.siteverify(site, earned)).status).toBe(200)
})

test('a redeemed intent stays redeemed after its deletion', async () => {
  const earned = await app.client.earn(site)
  await app.client.siteverify(site, earned)
  await app.sql.query("update decision set redeemed_at = redeemed_at - interval '27 hours' where id = $1", [
    earned['intent_id'],
  ])
  await app.sql.query('delete from intent where id = $1', [earned['intent_id']])
  expect((await app.client.siteverify(site, earned)).body).toEqual({ error: 'already-redeemed' })
})

test('deletes the networks of decisions after 30 days and nothing else', async () => {
  const decide = (days: number) =>
    app.sql.query(
      `insert into decision (id, tenant_id, site_id, action, hostname, token_hash, key_hash, redeemed_at, charged_to, network)
       select ${idAt()},
         $1, $2, 'old', 'shop.example', '\\x00', '\\x00', at, 'test', '\\x01' from (select now() - make_interval(days => $3) as at) t`,
      [site.tenantId, site.siteId, days],
    )
  await decide(29)
  await decide(31)
  expect(await deleteExpiredNetworks(app.ctx)).toBe(1)
  const rows = await app.rows(
    "select network is null as deleted, action from decision where action = 'old' order by redeemed_at",
  )
  expect(rows).toEqual([
    { deleted: true, action: 'old' },
    { deleted: false, action: 'old' },
  ])
})

test('deletes the networks of any number of decisions, a bounded number in each statement', async () => {
  const own = await openOwnApp()
  const shop = await makeSite(own.ctx)
  await own.sql.query(
    `insert into decision (id, tenant_id, site_id, action, hostname, token_hash, key_hash, redeemed_at, charged_to, network)
     select ${idAt('n')},
       $1, $2, 'old', 'shop.example', '\\x00', '\\x00', at, 'test', '\\x01'
     from (select n, now() - make_interval(days => 31 + n % 500) as at from generate_series(1, 11000) n) t`,
    [shop.tenantId, shop.siteId],
  )
  const statements = vi.spyOn(own.ctx.hotPool, 'query')
  expect(await deleteExpiredNetworks(own.ctx)).toBe(11_000)
  // a page of marks, and three of decisions
  expect(statements).toHaveBeenCalledTimes(4)
  expect((await own.sql.query('select 1 from decision where network is not null')).rowCount).toBe(0)
})

test('deletes data of test keys after a day and nothing else', async () => {
  const keys = {
    sitekey: 'tg_site_TESTpass000000000000',
    secret: 'tg_secret_TESTpass000000000000000000000000000000000002GTYxj',
  }
  const session = 'a'.repeat(64)
  const use = async (own: { sitekey: string; secret: string }) => {
    const earned = await app.client.earn(own, { session })
    const { body } = await app.client.siteverify(own, earned)
    const decision_id = String(body['decision_id'])
    await app.client.asSite('/grants', own, { decision_id, session })
    await app.client.feedback(own, { decision_id, event_id: earned['intent_id'] })
    return earned['intent_id']
  }
  const [old, own, young] = [await use(keys), await use(site), await use(keys)]
  for (const [table, id, at] of [
    ['intent', 'id', 'created_at'],
    ['decision', 'id', 'redeemed_at'],
    ['captcha_grant', 'decision_id', 'created_at'],
    ['feedback_event', 'decision_id', 'created_at'],
  ])
    await app.sql.query(`update ${table} set ${at} = now() - interval '25 hours' where ${id} = any($1)`, [[old, own]])
  expect(await sweepTests(app.ctx)).toBe(4)
  const rows = await app.rows(
    `select d.id from decision d join intent i on i.id = d.id join captcha_grant g on g.decision_id = d.id
       join feedback_event f on f.decision_id = d.id where d.id = any($1) order by d.id`,
    [[old, own, young]],
  )
  expect(rows).toEqual([{ id: own }, { id: young }])
})

test.each([
  {
    table: 'intent',
    rows: 20_000,
    sweep: sweepIntents,
    insert: `insert into intent (id, tenant_id, site_id, nonce, action, hostname, created_at, expires_at)
      select id, $1, $2, n::text, 'checkout', 'shop.example', at, at from old`,
  },
  {
    table: 'refusal',
    rows: 60_000,
    sweep: sweepRefusals,
    insert: `insert into refusal (id, tenant_id, site_id, at, endpoint, code, reference)
      select id, $1, $2, at, '/solve', 'bad-request', '' from old`,
  },
  {
    table: 'captcha_grant',
    rows: 20_000,
    sweep: sweepGrants,
    // and five times as many of other sites whose session is deleted already
    insert: `insert into captcha_grant (id, tenant_id, site_id, decision_id, session, uses, ttl_asked, uses_asked, created_at, expires_at)
      select gen_random_uuid(), $1, case k when 0 then $2 else gen_random_uuid() end, gen_random_uuid(), case k when 0 then 's' end, 1, 1, 1, at, at
      from old cross join generate_series(0, 5) k`,
  },
])(
  'a backlog of $rows rows of $table is swept by statements that read no row again',
  async ({ table, rows, sweep, insert }) => {
    const own = await openOwnApp()
    const shop = await makeSite(own.ctx)
    await own.sql.query(
      `with old as (
       select n, at, ${idAt('n')} as id
       from (select n, now() - interval '60 days' + make_interval(secs => n) as at from generate_series(1, ${rows}) n) t
     ) ${insert}`,
      [shop.tenantId, shop.siteId],
    )
    await own.sql.query(`analyze ${table}`)
    onTestFinished(await holdSnapshot(own))
    expect(await sweep(own.ctx)).toBe(rows)
    expect(await sweep(own.ctx)).toBe(0)
    expect(await readsOf(own, table, rows)).toBeLessThan(5 * rows)
  },
)

test('the timetable runs a requested job', async () => {
  await open(27, 3)
  const jobs = await startJobs(app.opened)
  try {
    await app.sql.query("select graphile_worker.add_job('sweep_intents')")
    const old = async () => (await app.rows("select from intent where created_at < now() - interval '26 hours'")).length
    await expect.poll(old, { timeout: 10_000 }).toBe(0)
  } finally {
    await jobs.close()
  }
})

test('every retention follows its setting', async () => {
  const own = await openTestApp({
    KEEP_INTENTS_HOURS: '48',
    KEEP_TEST_DATA_HOURS: '2',
    KEEP_GRANT_SESSIONS_HOURS: '2',
    KEEP_NETWORKS_DAYS: '5',
    KEEP_REFUSALS_DAYS: '5',
    KEEP_INVITATIONS_DAYS: '5',
    KEEP_SIGN_UPS_DAYS: '5',
    KEEP_ACTIVITY_DAYS: '5',
    KEEP_AUDIT_ADDRESSES_DAYS: '5',
    KEEP_FAILED_JOBS_DAYS: '5',
  })
  onTestFinished(() => own.close())
  const { tenant, owner } = await makeOwnedTenant(own)
  const shop = await makeSite(own.ctx, { tenantId: tenant.id })
  /** Inserts one row for each age in hours. */
  const age = (into: string, values: string, hours: number[]) =>
    own.sql.query(
      `insert into ${into} select ${values} from (select now() - make_interval(hours => h) as at from unnest($1::int[]) h) t`,
      [hours],
    )
  const [t, s] = [`'${tenant.id}'::uuid`, `'${shop.siteId}'::uuid`]
  await age(
    'intent (id, tenant_id, site_id, nonce, action, hostname, created_at, expires_at)',
    `${idAt()}, ${t}, ${s}, gen_random_uuid()::text, 'a', 'h', at, at`,
    [47, 49],
  )
  // also those that an earlier, longer setting kept
  await age(
    'decision (id, tenant_id, site_id, action, hostname, token_hash, key_hash, redeemed_at, charged_to, network)',
    `${idAt()}, ${t}, ${s}, 'a', 'h', '\\x00'::bytea, '\\x00'::bytea, at, 'test'::charged_to, '\\x01'::bytea`,
    [119, 121, 24 * 300],
  )
  await age(
    'refusal (id, tenant_id, site_id, at, endpoint, code, reference)',
    `${idAt()}, ${t}, ${s}, at, '/intents', 'x', 'x'`,
    [119, 121],
  )
  await age(
    'captcha_grant (id, decision_id, tenant_id, site_id, session, uses, ttl_asked, uses_asked, created_at, expires_at)',
    `gen_random_uuid(), gen_random_uuid(), ${t}, ${s}, 'x', 1, 60, 1, at, at`,
    [1, 3],
  )
  await age(
    'invitation (id, tenant_id, email, role, inviter_id, expires_at)',
    `gen_random_uuid(), ${t}, 'x@people.example', 'viewer'::role, '${owner.userId}'::uuid, at`,
    [119, 121],
  )
  await age(
    '"user" (id, name, email, created_at, updated_at)',
    `gen_random_uuid(), 'x', gen_random_uuid()::text, at, at`,
    [119, 121],
  )
  await age(
    'account_event (id, user_id, user_agent, created_at)',
    `gen_random_uuid(), '${owner.userId}'::uuid, '', at`,
    [119, 121],
  )
  const recordAt = (hours: number) =>
    recordAudit(own.ctx, {
      tenantId: tenant.id,
      actorType: 'operator',
      actorId: 'test',
      action: 'test.record',
      target: 'x',
      after: { email: 'ada@shop.example' },
      createdAt: new Date(Date.now() - hours * 3_600_000),
    })
  await recordAt(121)
  await recordAt(119)
  // one that is still tried again, and two that are not
  for (const [attempts, hours] of [
    [24, 500],
    [25, 119],
    [25, 121],
  ]) {
    await own.sql.query(`select graphile_worker.add_job('send_email')`)
    await own.sql.query(
      `update graphile_worker._private_jobs set attempts = $1, updated_at = now() - make_interval(hours => $2)
       where attempts = 0`,
      [attempts, hours],
    )
  }

  expect(await sweepIntents(own.ctx)).toBe(1)
  expect(await deleteExpiredNetworks(own.ctx)).toBe(2)
  expect(await sweepRefusals(own.ctx)).toBe(1)
  expect(await sweepGrants(own.ctx)).toBe(1)
  expect(await sweepAccounts(own.ctx)).toMatchObject({ invitation: 1, user: 1, account_event: 1 })
  expect(await eraseOldAddresses(own.ctx)).toBe(1)
  expect(await deleteAbandonedJobs(own.ctx)).toBe(1)
  await own.sql.query("update intent set tenant_id = $1, created_at = now() - interval '3 hours'", [TEST_TENANT])
  expect(await sweepTests(own.ctx)).toBe(1)
})
