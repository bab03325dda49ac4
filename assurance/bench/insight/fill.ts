import type pg from 'pg'

/** How much to write. */
export type Size = { intents: number; decisions: number; refusals: number; tenants: number }

/** Rows in one statement. */
const CHUNK = 250_000
const DAYS = 30

/** A UUIDv7 of the moment `at`, made of row `n`. */
const ID = `(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0')
    || '8' || substr(md5(n::text || salt), 1, 15))::uuid`

/** Half of the rows belong to the first tenant, as is typical. */
const PICK = 'case when n % 2 = 0 then 1 else 2 + (hashint4(n::int) & 2147483647) % ($3::int - 1) end'

/**
 * Fills an empty database with thirty days of traffic: half of it one tenant's ten sites, the rest spread over the others'
 * two each. Set-based, by chunks. Intents are as old as decisions, although the service would have deleted most.
 */
export async function fill(sql: pg.Pool, size: Size, report: (line: string) => void): Promise<void> {
  await sql.query(`create table bench_tenant as
    select n, gen_random_uuid() as id from generate_series(1, ${size.tenants}) n`)
  await sql.query('create unique index on bench_tenant (n)')
  await sql.query(`insert into tenant (id, slug, name, monthly_quota, created_at)
    select id, 'bench-' || n, 'Bench ' || n, 10000000, now() - interval '60 days' from bench_tenant`)
  await sql.query('insert into balance (tenant_id, units) select id, 0 from bench_tenant')
  await sql.query(`create table bench_site as
    select t.n as tenant_n, t.id as tenant_id, s as s, gen_random_uuid() as id from bench_tenant t
    cross join lateral generate_series(0, case when t.n = 1 then 9 else 1 end) s`)
  await sql.query('create unique index on bench_site (tenant_n, s)')
  await sql.query(`insert into site (id, tenant_id, sitekey, name)
    select id, tenant_id, 'tg_site_' || substr(md5(id::text), 1, 20), 'Site ' || s from bench_site`)
  await sql.query(
    `insert into hostname (site_id, tenant_id, hostname) select id, tenant_id, 'shop.example' from bench_site`,
  )

  const chunks = async (name: string, count: number, statement: string) => {
    const began = performance.now()
    for (let from = 1; from <= count; from += CHUNK)
      await sql.query(statement, [from, Math.min(count, from + CHUNK - 1), size.tenants, count])
    report(`${name}: ${count} rows in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  }
  const rows = (salt: string) => `
    from (select n, '${salt}' as salt, now() - interval '${DAYS} days' * (1 - n::float8 / ($4::float8 + 1)) as at, ${PICK} as tenant_n
      from generate_series($1::bigint, $2::bigint) n) g
    join bench_site s on s.tenant_n = g.tenant_n and s.s = (n / 2) % case when g.tenant_n = 1 then 10 else 2 end`

  await chunks(
    'intents',
    size.intents,
    `insert into intent (id, tenant_id, site_id, nonce, action, hostname, session, created_at, expires_at)
     select ${ID}, s.tenant_id, s.id, md5('nonce' || n), 'checkout', 'shop.example',
       md5('s' || n / 7) || md5('t' || n / 7),
       at, at + interval '300 s' ${rows('intent')}`,
  )
  await chunks(
    'decisions',
    size.decisions,
    `insert into decision (id, tenant_id, site_id, action, hostname, token_hash, key_hash, redeemed_at,
      charged_to, challenged_at, solved_at, work, work_reasons, mobile, network, area, subject)
     select ${ID}, s.tenant_id, s.id, case when n % 50000 = 0 then 'rare' when n % 3 = 0 then 'login' else 'checkout' end,
       'shop.example', '\\x00', '\\x00',
       at + interval '20 s', 'quota', at + interval '1 s', at + interval '1 s' + make_interval(secs => 0.2 + (n % 97) * 0.05),
         1048576::bigint << (n % 3)::int, (n % 3)::int, n % 2 = 0,
         int8send(hashint8extended(n / 7, 1)), int8send(hashint8extended(n / 7 % 50000, 2)),
         case when n % 3 = 0 then int8send(hashint8extended(n / 7, 3)) end
         ${rows('intent')}`,
  )
  await chunks(
    'refusals',
    size.refusals,
    `insert into refusal (id, tenant_id, site_id, at, endpoint, code, field, hostname, intent_id, reference)
     select ${ID}, s.tenant_id, s.id, at, (array['/intents', '/siteverify', '/solve'])[1 + n % 3],
       (array['bad-field', 'already-redeemed', 'solution-invalid'])[1 + n % 3],
       case when n % 3 = 0 then 'hostname' end, case when n % 3 = 0 then 'h' || n % 40 || '.example' end,
         null, right(md5(n::text || salt), 8) ${rows('refusal')}`,
  )
  await sql.query(`insert into feedback_event (site_id, event_id, tenant_id, decision_id, revision,
    outcome, business_type, occurred_at, created_at)
    select site_id, gen_random_uuid(), tenant_id, id, 1,
      (array['confirmed_abuse', 'legitimate', 'unknown']::feedback_outcome[])[1 + abs(hashtext(id::text)) % 3],
      'chargeback', redeemed_at, redeemed_at + interval '1 hour'
    from decision where abs(hashtext(id::text)) % 20 = 0`)
  await sql.query(`insert into feedback_mark (decision_id, tenant_id, network, area, subject, marked_at, changed_at)
    select d.id, d.tenant_id, d.network, d.area, d.subject, f.created_at, f.created_at
    from feedback_event f join decision d on d.id = f.decision_id and d.tenant_id = f.tenant_id
    where f.outcome = 'confirmed_abuse'`)
  await sql.query(`insert into captcha_grant (id, tenant_id, site_id, decision_id, session, uses, ttl_asked, uses_asked,
    created_at, expires_at)
    select gen_random_uuid(), tenant_id, site_id, id, md5(id::text) || md5('g' || id), 1, 900, 1,
      redeemed_at, date_trunc('second', redeemed_at) + interval '900 s'
    from decision where abs(hashtext('g' || id)) % 50 = 0`)
  await sql.query(`insert into quota_period (tenant_id, month, included, used)
    select tenant_id, date_trunc('month', redeemed_at at time zone 'utc')::date, 10000000, count(*) from decision
      where tenant_id in (select id from bench_tenant) group by 1, 2`)
  await sql.query(`insert into usage_hour
    select tenant_id, site_id, date_trunc('hour', at, 'UTC'), 'refused', concat_ws(' ', endpoint, code, field), count(*)
      from refusal group by 1, 2, 3, 5`)
  await sql.query(`insert into usage_day
    select tenant_id, site_id, (hour at time zone 'utc')::date, measure, label, sum(n) from usage_hour
      where tenant_id in (select id from bench_tenant) group by 1, 2, 3, 4, 5`)
  // without a chain of hashes, which only its verification reads
  await sql.query(`insert into audit_event (id, seq, hash, tenant_id, actor_type, actor_id, action, target, created_at)
    select gen_random_uuid(), h, '\\x00', id, 'operator', 'bench', 'quota.set', id::text, now() - make_interval(hours => h)
    from bench_tenant cross join generate_series(1, 50) h`)
  await sql.query(`insert into audit_head (tenant_id, seq, hash) select id, 50, '\\x00' from bench_tenant`)
  await sql.query('vacuum analyze')
}
