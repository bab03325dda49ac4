-- Opens intents, and spends the grants that some of them carry. The arrays are the columns of a batch, with an element for each
-- request; a batch contains each nonce of a site once.
--   p_precheck   why the request may not open a new intent (`rate_limited`, `site_disabled`, `grants_disabled`); null where
--                it may. A replay is still answered; the same nonce with other fields is not.
--   p_metered    false for test keys, which need no quota
-- `at` is the database's time in Unix seconds. If `statuses` is null, every request has opened an intent with its own id, which
-- expires at `expires_at`. Otherwise `statuses`, `ids` and `expiries` have an element for each request, in their order.
--
-- A grant is valid for requests of its own session, or without a session where it has none. Grants are locked before intents
-- are inserted, each in one order, so that two batches cannot wait for each other. Why conditions are written as
-- `is not distinct from`: see redeem.sql.
create or replace function open_intents(
  p_id uuid[], p_tenant uuid[], p_site uuid[], p_nonce text[], p_action text[], p_hostname text[],
  p_session text[], p_subject text[], p_grant uuid[], p_precheck text[], p_metered boolean[],
  out statuses open_status[], out ids uuid[], out expiries float8[], out expires_at float8, out at float8
)
language plpgsql volatile
set plan_cache_mode = force_generic_plan set jit = off set lock_timeout = '800ms'
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set enable_material = off
as $$
#variable_conflict use_column
declare
  v_month date := utc_month();
  v_expires timestamptz := date_trunc('second', now()) + interval '300 s';
  v_grants boolean := cardinality(array_remove(p_grant, null)) > 0;
  v_with_units uuid[];
  v_ensured boolean := false;
  -- What a tenant beyond its limit sends: it is only looked up.
  v_refused boolean := array_position(p_precheck, null) is null;
  v_inserted bigint := case when v_refused then 0 end;
begin
  while not v_refused loop
    -- once per tenant, which a batch may contain many times
    select array_agg(q.tenant_id) into v_with_units from quota_period q
    where q.tenant_id = any(p_tenant) and q.month = v_month
      and (q.used < q.included or exists (select 1 from balance b where b.tenant_id = q.tenant_id and b.units > 0));
    exit when v_ensured or p_tenant <@ v_with_units;
    perform ensure_quota_periods(p_tenant, v_month);
    v_ensured := true;
  end loop;

  if not v_refused and not v_grants then
    begin
      -- Without `on conflict`, which costs a quarter of an insert.
      insert into intent (id, tenant_id, site_id, nonce, action, hostname, session, subject, created_at, expires_at)
      select r.id, r.tenant, r.site, r.nonce, r.action, r.hostname, r.session, r.subject, now(), v_expires
      from unnest(p_id, p_tenant, p_site, p_nonce, p_action, p_hostname, p_session, p_subject, p_precheck, p_metered)
        as r(id, tenant, site, nonce, action, hostname, session, subject, precheck, metered)
      where r.precheck is null and (not r.metered or r.tenant = any(v_with_units))
        and not exists (
          select 1 from intent i where i.site_id = r.site and i.nonce = r.nonce and i.tenant_id is not distinct from r.tenant
        )
      order by r.site, r.nonce;
      get diagnostics v_inserted = row_count;
    exception when unique_violation then
      -- Another node opened one of these intents at the same moment. Nothing of this batch is inserted yet.
      v_inserted := null;
    end;
  end if;

  if v_inserted is null then
    perform 1 from captcha_grant g where g.id = any(p_grant) order by g.id for update;
    -- Another statement, because its snapshot is newer than the locks of the grants.
    with new_requests as (
      -- Only requests whose grant is valid are ranked: any other would take the turn of one that may spend it.
      select r.*,
        g.id is not null and row_number() over (partition by g.id order by r.site, r.nonce) <= g.uses - g.used as spends
      from unnest(p_id, p_tenant, p_site, p_nonce, p_action, p_hostname, p_session, p_subject, p_grant, p_precheck, p_metered)
        as r(id, tenant, site, nonce, action, hostname, session, subject, grant_id, precheck, metered)
      left join captcha_grant g on g.id = r.grant_id
        and g.tenant_id is not distinct from r.tenant and g.site_id is not distinct from r.site
        and g.session is not distinct from r.session and g.revoked_at is null and g.expires_at > now()
      where r.precheck is null and (not r.metered or r.tenant = any(v_with_units))
        and not exists (
          select 1 from intent i where i.site_id = r.site and i.nonce = r.nonce and i.tenant_id is not distinct from r.tenant
        )
    )
    insert into intent (id, tenant_id, site_id, nonce, action, hostname, session, subject, grant_id, created_at, expires_at)
    select r.id, r.tenant, r.site, r.nonce, r.action, r.hostname, r.session, r.subject, r.grant_id, now(), v_expires
    from new_requests r where r.grant_id is null or r.spends
    order by r.site, r.nonce
    on conflict do nothing;
    get diagnostics v_inserted = row_count;
  end if;

  if v_grants and not v_refused then
    update captcha_grant g set used = g.used + spent.n
    from (
      select i.grant_id, i.tenant_id, count(*) as n from intent i
      where i.id = any(p_id) and i.grant_id is not null group by 1, 2
    ) spent
    where g.id = spent.grant_id and g.tenant_id is not distinct from spent.tenant_id;
  end if;

  at := extract(epoch from now())::float8;
  expires_at := extract(epoch from v_expires)::float8;
  -- What most batches are: nothing is repeated or refused, so nothing has to be looked up.
  if v_inserted = cardinality(p_id) then
    return;
  end if;

  -- Another statement, because its snapshot sees the winner of a race that the insert lost.
  select
    array_agg(case
      when i.id is null then case
        when r.precheck is not null then r.precheck
        when r.grant_id is not null and not exists (
          select 1 from captcha_grant g where g.id = r.grant_id
            and g.tenant_id is not distinct from r.tenant and g.site_id is not distinct from r.site
            and g.session is not distinct from r.session and g.revoked_at is null and g.expires_at > now()
            and g.used < g.uses
        ) then 'grant_invalid'
        else 'quota_exceeded' end
      when i.action <> r.action or i.hostname <> r.hostname or i.grant_id is distinct from r.grant_id
        or i.session is distinct from r.session or i.subject is distinct from r.subject
        then coalesce(r.precheck, 'nonce_conflict')
      when i.expires_at <= now() then 'intent_expired'
      when i.id = r.id then 'opened'
      when wait_for_standby() then 'replayed' end::open_status order by r.ord),
    array_agg(i.id order by r.ord), array_agg(extract(epoch from i.expires_at)::float8 order by r.ord)
  into statuses, ids, expiries
  from unnest(p_id, p_tenant, p_site, p_nonce, p_action, p_hostname, p_session, p_subject, p_grant, p_precheck) with ordinality
    as r(id, tenant, site, nonce, action, hostname, session, subject, grant_id, precheck, ord)
  left join intent i on i.site_id = r.site and i.nonce = r.nonce and i.tenant_id is not distinct from r.tenant;
end
$$;
