import { expect, test } from 'vitest'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { written } from '../../../test/support/written.ts'
import { admitOperator } from '../../accounts/access.ts'
import { addBalance } from '../../accounts/plans/addBalance.ts'
import { TEST_BEHAVIOURS, testSitekey } from '../../accounts/sites/testKeys/behaviour.ts'
import { testSecret } from '../../accounts/sites/testKeys/ensure.ts'
import { countFeedback } from '../../ledger/usage/countFeedback.ts'
import { deleteExpiredHours } from '../../ledger/usage/deleteExpiredHours.ts'
import { repairUsage } from '../../ledger/usage/repair.ts'

const app = testApp()

/** All counts of the site: `measure label` → n, from the hours, and compared with the days. */
async function counts(site: MadeSite): Promise<Record<string, number>> {
  await written(app)
  const read = async (table: 'usage_hour' | 'usage_day') => {
    const { rows } = await app.sql.query<{ key: string; n: number }>(
      `select trim(measure || ' ' || label) as key, sum(n)::int as n
        from ${table} where site_id = $1 group by 1 having sum(n) <> 0 order by 1`,
      [site.siteId],
    )
    return Object.fromEntries(rows.map(({ key, n }) => [key, n]))
  }
  const hours = await read('usage_hour')
  expect(await read('usage_day')).toEqual(hours)
  return hours
}

/** Without the spread of solve times and work, which depend on the machine. */
const plain = (counts: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(counts).filter(([key]) => !/^(solve_time|work|feedback_solve_time|feedback_work) /.test(key)),
  )

const feedback = (decision: unknown, more: object = {}) => ({
  decision_id: decision,
  event_id: crypto.randomUUID(),
  outcome: 'confirmed_abuse',
  business_type: 'order',
  occurred_at: Math.floor(Date.now() / 1000),
  ...more,
})

test('counts each step of a verification once, however often it is repeated', async () => {
  const site = await makeSite(app.ctx)
  const earned = await app.client.earn(site)
  await app.client.challenge(site, earned['intent_id'])
  await app.client.challenge(site, earned['intent_id'])
  const replies = await Promise.all([1, 2, 3, 4].map(() => app.client.siteverify(site, earned)))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const counted = await counts(site)
  expect(plain(counted)).toEqual({ intents: 1, challenged: 1, solved: 1, 'redeemed quota': 1 })
  expect(Object.entries(counted).filter(([key]) => key.startsWith('solve_time desktop '))).toEqual([
    [expect.anything(), 1],
  ])
  expect(Object.keys(counted).filter((key) => key.startsWith('work '))).toHaveLength(1)
})

test('counts refusals by endpoint, code and field, and never by an unknown field name', async () => {
  const site = await makeSite(app.ctx)
  await app.client.intent(site, { hostname: 'elsewhere.example' })
  await app.client.intent(site, { tg_secret_in_a_name: 1 })
  const earned = await app.client.earn(site)
  await app.client.siteverify(site, { ...earned, action: 'other' })
  expect(plain(await counts(site))).toEqual({
    intents: 1,
    challenged: 1,
    solved: 1,
    'refused /intents bad-field hostname': 1,
    'refused /intents bad-field *': 1,
    'refused /siteverify binding-mismatch': 1,
  })
})

test('counts units charged to the balance and to the quota separately', async () => {
  const site = await makeSite(app.ctx, { quota: 1 })
  await addBalance(admitOperator(app.ctx, 'test'), { id: site.tenantId }, { units: 1, reason: 'test' })
  for (let i = 0; i < 2; i++) await app.client.siteverify(site, await app.client.earn(site))
  expect(plain(await counts(site))).toMatchObject({ 'redeemed quota': 1, 'redeemed balance': 1 })
})

test('a correction moves the count of its feedback; a repetition is not counted', async () => {
  const site = await makeSite(app.ctx)
  const earned = await app.client.earn(site)
  const decision = (await app.client.siteverify(site, earned)).body['decision_id']
  const first = feedback(decision)
  expect((await app.client.asSite('/feedback', site, first)).status).toBe(200)
  expect((await app.client.asSite('/feedback', site, first)).status).toBe(200)
  expect(await counts(site)).toMatchObject({ 'feedback_type confirmed_abuse order': 1 })
  const second = feedback(decision, { outcome: 'legitimate', supersedes_event_id: first.event_id })
  expect((await app.client.asSite('/feedback', site, second)).status).toBe(200)
  const counted = await counts(site)
  expect(counted).toMatchObject({
    'feedback_type legitimate order': 1,
    [`feedback_action legitimate ${earned['action']}`]: 1,
  })
  expect(Object.keys(counted).filter((key) => key.includes('confirmed_abuse'))).toEqual([])
})

test('repairs lost or duplicate counts from the rows, once, also when eight repairs run at once', async () => {
  const site = await makeSite(app.ctx)
  for (let i = 0; i < 3; i++) {
    const earned = await app.client.earn(site)
    const decision = (await app.client.siteverify(site, earned)).body['decision_id']
    if (i === 0) await app.client.asSite('/feedback', site, feedback(decision))
  }
  await counts(site)
  // three hours ago, because the counts of a past hour no longer change
  await app.sql.query(`
    update intent set created_at = created_at - interval '3 hours';
    update decision set redeemed_at = redeemed_at - interval '3 hours', challenged_at = challenged_at - interval '3 hours',
      solved_at = solved_at - interval '3 hours';
    update usage_hour set hour = hour - interval '3 hours';
    delete from usage_day;
    insert into usage_day
      select tenant_id, site_id, (hour at time zone 'utc')::date, measure, label, sum(n)
      from usage_hour group by 1, 2, 3, 4, 5`)
  await repairUsage(app.ctx, 5)
  const right = await counts(site)
  expect(plain(right)).toMatchObject({
    intents: 3,
    solved: 3,
    'redeemed quota': 3,
    'feedback_type confirmed_abuse order': 1,
  })

  const spoil = async () => {
    for (const table of ['usage_hour', 'usage_day']) {
      await app.sql.query(`delete from ${table} where site_id = $1 and measure in ('intents', 'work', 'solved')`, [
        site.siteId,
      ])
      await app.sql.query(
        `update ${table} set n = n + 2 where site_id = $1 and measure in ('redeemed', 'feedback_type')`,
        [site.siteId],
      )
    }
  }
  await spoil()
  expect(await repairUsage(app.ctx, 5)).toBeGreaterThan(0)
  expect(await counts(site)).toEqual(right)
  expect(await repairUsage(app.ctx, 5)).toBe(0)

  // two jobs correct the same hours, and several nodes run them
  for (let round = 0; round < 5; round++) {
    await spoil()
    await Promise.all(Array.from({ length: 8 }, () => repairUsage(app.ctx, 5)))
    expect(await counts(site)).toEqual(right)
  }
})

const typesOf = (counted: Record<string, number>) =>
  Object.entries(counted).filter(([key]) => key.startsWith('feedback_type '))

test('counts 100 types of feedback per site and day by name, and all others together', async () => {
  const [site, other] = [await makeSite(app.ctx), await makeSite(app.ctx)]
  const at = app.ctx.clock.now()
  const report = (type: string, was: string | null = null) =>
    countFeedback(
      app.ctx,
      { id: site.siteId, tenantId: site.tenantId },
      { outcome: 'legitimate', type },
      {
        at,
        action: 'checkout',
        solve: null,
        work: null,
        was: was === null ? null : { outcome: 'legitimate', type: was },
      },
    )
  for (let i = 0; i < 60; i++) report(`early${i}`)
  expect(typesOf(await counts(site))).toHaveLength(60)
  for (let i = 0; i < 90; i++) report(`late${i}`)
  const full = await counts(site)
  expect(typesOf(full)).toHaveLength(101)
  expect(full['feedback_type legitimate *']).toBe(50)
  report('later')
  report('early7')
  expect(await counts(site)).toMatchObject({
    'feedback_type legitimate *': 51,
    'feedback_type legitimate early7': 2,
  })
  // a correction subtracts from the type that was counted
  report('early7', 'later')
  expect(await counts(site)).toMatchObject({
    'feedback_type legitimate *': 50,
    'feedback_type legitimate early7': 3,
  })
  expect(typesOf(await counts(other))).toEqual([])
})

test('repairs counts without adding further types, and finds no difference afterwards', async () => {
  const site = await makeSite(app.ctx)
  const earned = await app.client.earn(site)
  await app.client.siteverify(site, earned)
  await app.sql.query(
    `with copies as (
        insert into decision
        select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'redeemed_at', now() - interval '3 hours',
          'challenged_at', now() - interval '3 hours', 'solved_at', now() - interval '3 hours'))).*
        from decision d, generate_series(1, 130) where d.id = $1 returning id, tenant_id, site_id
      )
      insert into feedback_event (site_id, event_id, tenant_id, decision_id, revision, outcome, business_type, occurred_at)
      select site_id, gen_random_uuid(), tenant_id, id, 1, 'legitimate', 'type' || row_number() over (), now() from copies`,
    [earned['intent_id']],
  )
  await repairUsage(app.ctx, 5)
  const types = typesOf(await counts(site))
  expect(types).toHaveLength(101)
  expect(Object.fromEntries(types)['feedback_type legitimate *']).toBe(30)
  expect(await repairUsage(app.ctx, 5)).toBe(0)
})

test('counts nothing for test keys', async () => {
  const behaviour = TEST_BEHAVIOURS[0]
  if (!behaviour) throw new Error('there are no test keys')
  const keys = { sitekey: testSitekey(behaviour), secret: testSecret(behaviour) }
  const earned = await app.client.earn(keys)
  expect((await app.client.siteverify(keys, earned)).status).toBe(200)
  expect((await app.client.intent(keys, { hostname: 7 })).status).toBe(422)
  await written(app)
  const { rows } = await app.sql.query('select site_id from usage_hour union all select site_id from refusal')
  const { rows: sites } = await app.sql.query<{ id: string }>('select id from site where sitekey = $1', [keys.sitekey])
  expect(sites).toHaveLength(1)
  expect(rows.filter(({ site_id }) => site_id === sites[0]?.id)).toEqual([])
})

test('deletes hourly counts after 16 days and keeps daily ones', async () => {
  const site = await makeSite(app.ctx)
  await app.client.siteverify(site, await app.client.earn(site))
  const before = await counts(site)
  await app.sql.query(
    "update usage_hour set hour = hour - interval '17 days' where site_id = $1 and measure = 'intents'",
    [site.siteId],
  )
  expect(await deleteExpiredHours(app.ctx)).toBe(1)
  expect(await deleteExpiredHours(app.ctx)).toBe(0)
  const { rows } = await app.sql.query<{ hours: number; days: number }>(
    'select (select count(*)::int from usage_hour where site_id = $1) as hours, (select count(*)::int from usage_day where site_id = $1) as days',
    [site.siteId],
  )
  expect(rows).toEqual([{ hours: Object.keys(before).length - 1, days: Object.keys(before).length }])
})
