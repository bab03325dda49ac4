-- Redeems intents: the decision and its charge commit in one transaction. docs/decisions/0003 and 0004 explain the shape.
--
-- The arrays are the columns of a batch, one element per request; a batch contains each intent once.
--   p_precheck   why the request may not redeem (`rate_limited`, `site_disabled`); null if it may. A replay is
--                still answered.
--   p_sealed     the token's seal was valid for this intent
--   p_allowed    the hostname is on the site's allow-list
--   p_metered    false for test keys, which are never charged
-- `statuses` has one element per request, in their order; `at` is the database's time in Unix seconds.
--
-- Decisions are inserted without `on conflict`, which would cost a quarter of an insert: under the lock of their tenant, no other
-- transaction inserts the same one. Only batches of two months, at the turn of a month, do not wait for each other. If both
-- redeem one intent, the later one fails as a whole and is tried again.
--
-- Rows are looked up by one index, their unique key. Every other condition is written as `is not distinct from`, which no
-- index can serve: with `=`, on a new database where all tables look alike, the planner chose the index of sites or
-- tenants, kept that plan, and read every row of a site for each request (measured: 13 ms instead of 1 for a batch of 64
-- after 2,000 redemptions).
create or replace function redeem(
  p_intent uuid[], p_tenant uuid[], p_site uuid[], p_action text[], p_hostname text[], p_token bytea[], p_key bytea[],
  p_precheck text[], p_sealed boolean[], p_allowed boolean[], p_metered boolean[],
  p_challenged float8[], p_solved float8[], p_work bigint[], p_reasons integer[], p_network bytea[], p_area bytea[],
  p_mobile boolean[],
  out statuses redeem_status[], out at float8
)
language plpgsql volatile
set plan_cache_mode = force_generic_plan set jit = off set lock_timeout = '800ms'
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set enable_material = off
as $$
declare
  v_month date := utc_month();
  v_tenants uuid[];
  v_least bigint;
  v_ensured boolean := false;
  v_subjects text[];
  v_grants uuid[];
  v_uncharged bigint;
begin
  loop
    -- This lock puts all redemptions of a tenant in order. Tenants are locked in one order, so that two batches cannot wait
    -- for each other.
    select array_agg(q.tenant_id), min(q.included - q.used) into v_tenants, v_least
    from (
      select tenant_id, included, used from quota_period where tenant_id = any(p_tenant) and month = v_month
      order by tenant_id for update
    ) q;
    exit when v_ensured or p_tenant <@ v_tenants;
    perform ensure_quota_periods(p_tenant, v_month);
    v_ensured := true;
  end loop;

  -- A statement of its own, because its snapshot is newer than the locks: it sees what the last holder committed. The requests
  -- that may redeem are charged to the quota here, as if it were enough.
  select array_agg(j.status order by r.ord), array_agg(i.subject order by r.ord), array_agg(i.grant_id order by r.ord)
  into statuses, v_subjects, v_grants
  from unnest(p_intent, p_tenant, p_site, p_action, p_hostname, p_token, p_key, p_precheck, p_sealed, p_allowed, p_metered)
    with ordinality as r(intent, tenant, site, action, hostname, token, key, precheck, sealed, allowed, metered, ord)
  left join intent i
    on i.id = r.intent and i.tenant_id is not distinct from r.tenant and i.site_id is not distinct from r.site
  left join decision d
    on d.id = r.intent and d.tenant_id is not distinct from r.tenant and d.site_id is not distinct from r.site
  cross join lateral (
    select d.redeemed_at > now() - interval '600 s' and d.key_hash = r.key as same_key,
      d.token_hash = r.token and d.action = r.action and d.hostname = r.hostname as same_values
  ) earlier
  cross join lateral (
    select case
      when earlier.same_key and earlier.same_values then 'replayed'
      when r.precheck is not null then r.precheck
      when earlier.same_key then 'idempotency_conflict'
      when d.id is not null then 'already_redeemed'
      when i.id is null or not r.sealed then 'response_invalid'
      when i.action <> r.action or i.hostname <> r.hostname then 'binding_mismatch'
      when not r.allowed then 'hostname_not_allowed'
      when i.expires_at <= now() then 'intent_expired'
      when r.metered then 'redeemed_from_quota'
      else 'redeemed_as_test'
    end::redeem_status as status
  ) j;

  -- Only where a tenant has fewer units than the batch has requests, its requests are charged in their order: to the quota
  -- first, then to the balance.
  if (p_tenant <@ v_tenants and v_least >= cardinality(p_intent)) is not true then
    select array_agg(case
      when r.status <> 'redeemed_from_quota' or r.rank <= u.included then r.status
      when r.rank <= u.included + u.balance then 'redeemed_from_balance'
      else 'quota_exceeded' end order by r.ord)
    into statuses
    from (
      select *, row_number() over (partition by tenant, status = 'redeemed_from_quota' order by ord) as rank
      from unnest(p_tenant, statuses) with ordinality as s(tenant, status, ord)
    ) r
    left join quota_period q on q.tenant_id = r.tenant and q.month = v_month
    left join balance b on b.tenant_id = r.tenant
    cross join lateral (
      select greatest(coalesce(q.included - q.used, 0), 0) as included, coalesce(b.units, 0) as balance
    ) u;
  end if;

  begin
    insert into decision (id, tenant_id, site_id, action, hostname, token_hash, key_hash, redeemed_at, charged_to,
      challenged_at, solved_at, work, work_reasons, network, area, subject, mobile, grant_id)
    select intent, tenant, site, action, hostname, token, key, now(), c.charged_to,
      to_timestamp(challenged), to_timestamp(solved), work, reasons, network, area,
      decode(left(subject, 16), 'hex'), mobile, grant_id
    from unnest(p_intent, p_tenant, p_site, p_action, p_hostname, p_token, p_key, p_challenged, p_solved, p_work, p_reasons,
        p_network, p_area, p_mobile, statuses, v_subjects, v_grants)
      as r(intent, tenant, site, action, hostname, token, key, challenged, solved, work, reasons,
        network, area, mobile, status, subject, grant_id)
    cross join lateral (
      select case status when 'redeemed_from_quota' then 'quota' when 'redeemed_from_balance' then 'balance'
        when 'redeemed_as_test' then 'test' end::charged_to
    ) c(charged_to)
    where c.charged_to is not null;
  exception when unique_violation then
    raise exception 'redeem: another node has redeemed an intent of this batch' using errcode = '40001';
  end;

  with due as (
    select tenant, count(*) as units from unnest(p_tenant, statuses) as r(tenant, status)
    where status = 'redeemed_from_quota' group by tenant
  ), charged as (
    update quota_period q set used = q.used + due.units from due
    where q.tenant_id = due.tenant and q.month = v_month and q.used + due.units <= q.included
    returning 1
  )
  select (select count(*) from due) - (select count(*) from charged) into v_uncharged;

  -- few batches need it
  if 'redeemed_from_balance' = any(statuses) then
    with due as (
      select tenant, count(*) as units from unnest(p_tenant, statuses) as r(tenant, status)
      where status = 'redeemed_from_balance' group by tenant
    ), charged as (
      update balance b set units = b.units - due.units from due where b.tenant_id = due.tenant and b.units >= due.units
      returning 1
    )
    select v_uncharged + (select count(*) from due) - (select count(*) from charged) into v_uncharged;
  end if;

  -- The lock makes this impossible for the quota; a balance may have been changed. The whole batch must roll back then.
  if v_uncharged <> 0 then
    raise exception 'redeem: a charge does not match its decision' using errcode = '40001';
  end if;
  at := extract(epoch from now())::float8;
end
$$;
