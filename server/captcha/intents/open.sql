-- Opens intents, and spends the grants that some of them carry. The arrays are the columns of a batch; one row is returned
-- per request, in their order. A batch contains each nonce of a site once.
--   p_precheck   why the request may not open a new intent (`rate_limited`, `site_disabled`, `grants_disabled`); null where
--                it may. A replay is still answered; the same nonce with other fields is not.
--   p_metered    false for test keys, which need no quota
-- A grant is valid for requests of its own session, or without a session where it has none. Grants are locked before intents
-- are inserted, each in one order, so that two batches cannot wait for each other. Why conditions are written as
-- `is not distinct from`: see redeem.sql.
create or replace function open_intents(
  p_id uuid[], p_tenant uuid[], p_site uuid[], p_nonce text[], p_action text[], p_hostname text[],
  p_session text[], p_subject text[], p_grant uuid[], p_precheck text[], p_metered boolean[]
) returns table (status open_status, id uuid, expires_at float8, at float8)
language plpgsql volatile
set plan_cache_mode = force_generic_plan set jit = off set lock_timeout = '800ms'
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set enable_material = off
as $$
#variable_conflict use_column
declare
  v_grants boolean := exists (select 1 from unnest(p_grant) as r(id) where r.id is not null);
  v_expires timestamptz := date_trunc('second', now()) + interval '300 s';
  v_inserted bigint;
begin
  perform ensure_quota_periods(p_tenant, utc_month());
  if v_grants then
    perform 1 from captcha_grant g where g.id = any(p_grant) order by g.id for update;
  end if;

  -- A second statement, because its snapshot is newer than the locks of the grants.
  with new_requests as (
    -- Only requests whose grant is valid are ranked: any other would take the turn of one that may spend it.
    select r.*,
      g.id is not null and row_number() over (partition by g.id order by r.site, r.nonce) <= g.uses - g.used as spends
    from unnest(p_id, p_tenant, p_site, p_nonce, p_action, p_hostname, p_session, p_subject, p_grant, p_precheck, p_metered)
      as r(id, tenant, site, nonce, action, hostname, session, subject, grant_id, precheck, metered)
    left join captcha_grant g on g.id = r.grant_id
      and g.tenant_id is not distinct from r.tenant and g.site_id is not distinct from r.site
      and g.session is not distinct from r.session and g.revoked_at is null and g.expires_at > now()
    left join quota_period q on q.tenant_id = r.tenant and q.month = utc_month()
    left join balance b on b.tenant_id = r.tenant
    where r.precheck is null and (not r.metered or q.used < q.included or b.units > 0)
      and not exists (
        select 1 from intent i where i.site_id = r.site and i.nonce = r.nonce and i.tenant_id is not distinct from r.tenant
      )
  ), inserted as (
    insert into intent (id, tenant_id, site_id, nonce, action, hostname, session, subject, grant_id, created_at, expires_at)
    select r.id, r.tenant, r.site, r.nonce, r.action, r.hostname, r.session, r.subject, r.grant_id,
      now(), v_expires
    from new_requests r where r.grant_id is null or r.spends
    order by r.site, r.nonce
    on conflict do nothing returning 1
  )
  select count(*) into v_inserted from inserted;

  if v_grants then
    update captcha_grant g set used = g.used + spent.n
    from (
      select i.grant_id, i.tenant_id, count(*) as n from intent i
      where i.id = any(p_id) and i.grant_id is not null group by 1, 2
    ) spent
    where g.id = spent.grant_id and g.tenant_id is not distinct from spent.tenant_id;
  end if;

  -- What most batches are: nothing is repeated or refused, so nothing has to be looked up.
  if v_inserted = cardinality(p_id) then
    return query
    select 'opened'::open_status, r.id, extract(epoch from v_expires)::float8, extract(epoch from now())::float8
    from unnest(p_id) with ordinality as r(id, ord) order by r.ord;
    return;
  end if;

  -- Another statement, because its snapshot sees the winner of a race that the insert lost.
  return query
  select
    case
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
      when wait_for_standby() then 'replayed' end::open_status,
    i.id, extract(epoch from i.expires_at)::float8, extract(epoch from now())::float8
  from unnest(p_id, p_tenant, p_site, p_nonce, p_action, p_hostname, p_session, p_subject, p_grant, p_precheck) with ordinality
    as r(id, tenant, site, nonce, action, hostname, session, subject, grant_id, precheck, ord)
  left join intent i on i.site_id = r.site and i.nonce = r.nonce and i.tenant_id is not distinct from r.tenant
  order by r.ord;
end
$$;
