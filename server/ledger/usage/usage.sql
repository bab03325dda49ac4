-- The types of feedback that are counted by name for a site and day. Merchants choose types freely, so at most 100 are.
create or replace function feedback_types(p_tenant uuid, p_site uuid, p_day date) returns setof text
language sql stable as $$
  select distinct split_part(label, ' ', 2) from usage_day
  where tenant_id = p_tenant and measure = 'feedback_type' and day = p_day and site_id = p_site
    and split_part(label, ' ', 2) <> '*';
$$;

-- Adds to the counts of hours and of their days. Rows are locked in one order, so that two nodes cannot deadlock.
-- The first 100 types of feedback per site and day are counted by name, all others together as `*`.
create or replace function add_usage(p_tenant uuid[], p_site uuid[], p_hour float8[], p_measure text[], p_label text[], p_n bigint[])
returns void
language sql volatile
set plan_cache_mode = force_generic_plan set jit = off set lock_timeout = '800ms'
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set enable_material = off
as $$
  with given as materialized (
    select tenant, site, date_trunc('hour', to_timestamp(hour), 'UTC') as hour,
      (to_timestamp(hour) at time zone 'utc')::date as day, measure::usage_measure as measure, label, n
    from unnest(p_tenant, p_site, p_hour, p_measure, p_label, p_n) as t(tenant, site, hour, measure, label, n)
  ), days as materialized (
    select tenant, site, day, array(select feedback_types(tenant, site, day)) as types
    from (select distinct tenant, site, day from given where measure = 'feedback_type') d
  ), new_types as materialized (
    select tenant, site, day, type, cardinality(types) + row_number() over (partition by tenant, site, day order by type) as nth
    from (
      select distinct d.*, split_part(g.label, ' ', 2) as type
      from days d join given g using (tenant, site, day)
      where g.measure = 'feedback_type'
    ) t
    where type <> '*' and type <> all(types)
  ), counted as materialized (
    select g.tenant, g.site, g.hour, g.day, g.measure,
      case when t.nth > 100 then split_part(g.label, ' ', 1) || ' *' else g.label end as label, sum(g.n)::bigint as n
    from given g
    left join new_types t on g.measure = 'feedback_type' and t.tenant = g.tenant and t.site = g.site and t.day = g.day
      and t.type = split_part(g.label, ' ', 2)
    group by 1, 2, 3, 4, 5, 6
  ), by_hour as (
    insert into usage_hour (tenant_id, site_id, hour, measure, label, n)
    select tenant, site, hour, measure, label, n from counted order by tenant, measure, hour, site, label
    on conflict (tenant_id, measure, hour, site_id, label) do update set n = usage_hour.n + excluded.n
  )
  insert into usage_day (tenant_id, site_id, day, measure, label, n)
  select tenant, site, day, measure, label, sum(n) from counted
  group by 1, 2, 3, 4, 5 order by tenant, measure, 3, site, label
  on conflict (tenant_id, measure, day, site_id, label) do update set n = usage_day.n + excluded.n;
$$;

-- The bucket of a value: bucket b contains values above 1.1^(b-1) and up to 1.1^b, so that a percentile read from the
-- buckets is within 5 % of the true one, and buckets of any hours and sites add up.
create or replace function usage_bucket(p_value float8) returns integer
language sql immutable strict as $$
  select ceil(ln(greatest(p_value, 1)) / ln(1.1))::integer;
$$;

-- The creation time of a UUIDv7, to the millisecond.
create or replace function made_at(p_id uuid) returns timestamptz
language sql immutable strict as $$
  select to_timestamp(('x' || left(replace(p_id::text, '-', ''), 12))::bit(48)::bigint / 1000.0);
$$;

-- The counts that some complete hours should have according to the rows: of decisions, of their feedback, and of intents from
-- `p_intents` on, where all rows still exist. Challenges leave no row; at least as many were issued and solved as were
-- redeemed.
create or replace function true_usage(p_from timestamptz, p_to timestamptz, p_intents timestamptz)
returns table (tenant uuid, site uuid, hour timestamptz, measure usage_measure, label text, n bigint)
language sql stable as $$
  with redeemed as materialized (
    select d.id, d.tenant_id, d.site_id, date_trunc('hour', d.redeemed_at, 'UTC') as hour, d.challenged_at, d.solved_at,
      d.action, d.charged_to, d.mobile, d.solved_at is not null as was_solved,
      usage_bucket(extract(epoch from d.solved_at - d.challenged_at) * 1000) as solve_bucket,
      usage_bucket(d.work) as work_bucket, f.outcome, f.business_type
    from tenant t
    cross join lateral (
      select * from decision x
      where x.tenant_id = t.id and x.redeemed_at >= p_from and x.redeemed_at < p_to
    ) d
    left join lateral (
      select e.outcome, e.business_type from feedback_event e
      where e.decision_id = d.id and e.tenant_id = d.tenant_id order by e.revision desc limit 1
    ) f on true
    where d.charged_to <> 'test'
  ), counted as (
    select tenant_id, site_id, hour, 'redeemed'::usage_measure as measure, charged_to::text as label, count(*) as n
    from redeemed group by 1, 2, 3, 5
    union all
    select tenant_id, site_id, hour, 'solve_time', case when mobile then 'mobile ' else 'desktop ' end || solve_bucket, count(*)
    from redeemed where was_solved group by 1, 2, 3, 5
    union all
    select tenant_id, site_id, hour, 'work', work_bucket::text, count(*) from redeemed where was_solved group by 1, 2, 3, 5
    union all
    -- types beyond the first 100 of their day as they were counted
    select f.tenant_id, f.site_id, f.hour, 'feedback_type',
      f.outcome || ' ' || case when cardinality(d.types) >= 100 and f.business_type <> all(d.types) then '*'
        else f.business_type end, sum(f.n)::bigint
    from (
      select tenant_id, site_id, hour, outcome, business_type, count(*) as n
      from redeemed where outcome is not null group by 1, 2, 3, 4, 5
    ) f
    join (
      select tenant_id, site_id, day, array(select feedback_types(tenant_id, site_id, day)) as types
      from (
        select distinct tenant_id, site_id, (hour at time zone 'utc')::date as day from redeemed where outcome is not null
      ) r
    ) d on d.tenant_id = f.tenant_id and d.site_id = f.site_id and d.day = (f.hour at time zone 'utc')::date
    group by 1, 2, 3, 5
    union all
    select tenant_id, site_id, hour, 'feedback_action', outcome || ' ' || action, count(*)
    from redeemed where outcome is not null group by 1, 2, 3, 5
    union all
    select tenant_id, site_id, hour, 'feedback_solve_time', outcome || ' ' || solve_bucket, count(*)
    from redeemed where outcome is not null and was_solved group by 1, 2, 3, 5
    union all
    select tenant_id, site_id, hour, 'feedback_work', outcome || ' ' || work_bucket, count(*)
    from redeemed where outcome is not null and was_solved group by 1, 2, 3, 5
    union all
    select i.tenant_id, i.site_id, date_trunc('hour', i.created_at, 'UTC'), 'intents', '', count(*)
    from tenant t
    cross join lateral (
      select * from intent x
      where x.tenant_id = t.id and x.created_at >= greatest(p_from, p_intents) and x.created_at < p_to
        -- a trial in the console, which is not counted
        and x.action <> 'console.playground'
    ) i
    group by 1, 2, 3
    union all
    -- in the hours in which the steps happened, which may be before the redemption's
    select tenant_id, site_id, date_trunc('hour', f.at, 'UTC'), f.measure, '', count(*)
    from redeemed
    cross join lateral (
      values ('challenged'::usage_measure, challenged_at), ('solved', solved_at),
        ('exempted', case when not was_solved then made_at(id) end)
    ) f(measure, at)
    where f.at >= p_from group by 1, 2, 3, 4
  )
  select * from counted;
$$;

-- Corrects the counts of completed hours and of their days; returns how many counts were wrong.
create or replace function repair_usage(p_from timestamptz, p_to timestamptz, p_intents timestamptz) returns integer
language plpgsql volatile as $$
declare
  v_tenant uuid[]; v_site uuid[]; v_hour float8[]; v_measure text[]; v_label text[]; v_n bigint[];
begin
  -- two at once would both add what is missing
  perform pg_advisory_xact_lock(hashtext('repair_usage'));
  select array_agg(tenant), array_agg(site), array_agg(extract(epoch from hour)::float8), array_agg(measure::text),
    array_agg(label), array_agg(n)
  into v_tenant, v_site, v_hour, v_measure, v_label, v_n
  from (
    select tenant, site, hour, measure, label, coalesce(t.n, 0) - coalesce(h.n, 0) as n
    from true_usage(p_from, p_to, p_intents) t
    full join (
      select u.tenant_id as tenant, u.site_id as site, u.hour, u.measure, u.label, u.n
      from tenant o
      cross join unnest(enum_range(null::usage_measure)) m
      join usage_hour u on u.tenant_id = o.id and u.measure = m and u.hour >= p_from and u.hour < p_to
      where m <> 'refused' and (m <> 'intents' or u.hour >= p_intents)
    ) h using (tenant, site, hour, measure, label)
  ) wrong
  -- counts of steps that leave no row are only raised
  where n > 0 or n < 0 and measure not in ('challenged', 'solved', 'exempted');
  if v_tenant is null then return 0; end if;
  perform add_usage(v_tenant, v_site, v_hour, v_measure, v_label, v_n);
  return cardinality(v_tenant);
end
$$;
