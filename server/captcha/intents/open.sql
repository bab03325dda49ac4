-- Opens intents, and spends the grants that some of them carry. `p_gate` carries why a request may not open a new one
-- ('l' limited, 'p' paused, 'G' grants are off; '' may); a replay is answered all the same, its nonce with other fields is
-- not. One row per request, in order:
--   'o' opened or replayed · 'x' replayed after expiry · 'c' nonce used with other fields · 'g' the grant does not hold
--   'q' no unit left · else the gate
-- Grants are locked before intents are inserted, each in one order, so that two batches cannot wait for each other.
create or replace function open_intents(
  p_id uuid[], p_tenant uuid[], p_site uuid[], p_nonce text[], p_action text[], p_hostname text[],
  p_session text[], p_subject text[], p_grant uuid[], p_gate text[], p_metered boolean[]
) returns table (code text, id uuid, expires_at float8, fresh boolean, at float8)
language plpgsql volatile as $$
#variable_conflict use_column
begin
  perform ensure_quota_periods(p_tenant, utc_month());
  perform 1 from captcha_grant g where g.id = any(p_grant) order by g.id for update;

  -- a second statement: its snapshot is newer than the grants' locks
  with asked as (
    select t.*,
      row_number() over (partition by t.grant_id order by t.site, t.nonce) <= g.uses - g.used as spends
    from unnest(p_id, p_tenant, p_site, p_nonce, p_action, p_hostname, p_session, p_subject, p_grant, p_gate, p_metered)
      as t(id, tenant, site, nonce, action, hostname, session, subject, grant_id, gate, metered)
    left join captcha_grant g on g.id = t.grant_id and g.tenant_id is not distinct from t.tenant and g.site_id is not distinct from t.site
      and g.session = t.session and g.revoked_at is null and g.expires_at > now()
    left join quota_period q on q.tenant_id = t.tenant and q.month = utc_month()
    left join balance b on b.tenant_id = t.tenant
    where t.gate = '' and (not t.metered or q.used < q.included or b.units > 0)
      and not exists (select 1 from intent i where i.site_id = t.site and i.nonce = t.nonce and i.tenant_id is not distinct from t.tenant)
  ), inserted as (
    insert into intent (id, tenant_id, site_id, nonce, action, hostname, session, subject, grant_id, created_at, expires_at)
    select a.id, a.tenant, a.site, a.nonce, a.action, a.hostname, a.session, a.subject, a.grant_id, now(), date_trunc('second', now()) + interval '300 s'
    from asked a where a.grant_id is null or a.spends
    order by a.site, a.nonce
    on conflict do nothing returning tenant_id, grant_id
  )
  update captcha_grant g set used = g.used + s.n
  from (select grant_id, tenant_id, count(*) as n from inserted where grant_id is not null group by 1, 2) s
  where g.id = s.grant_id and g.tenant_id is not distinct from s.tenant_id;

  -- a third statement, because its snapshot sees the winner of a race that the insert lost
  return query
  select case
      when i.id is null then case
        when t.gate <> '' then t.gate
        when t.grant_id is not null and not exists (
          select 1 from captcha_grant g where g.id = t.grant_id and g.tenant_id is not distinct from t.tenant and g.site_id is not distinct from t.site
            and g.session = t.session and g.revoked_at is null and g.expires_at > now() and g.used < g.uses) then 'g'
        else 'q' end
      when i.action <> t.action or i.hostname <> t.hostname or i.grant_id is distinct from t.grant_id
        or i.session is distinct from t.session or i.subject is distinct from t.subject
        then case when t.gate <> '' then t.gate else 'c' end
      when i.expires_at <= now() then 'x'
      else 'o' end,
    i.id, extract(epoch from i.expires_at)::float8, coalesce(i.id = t.id, false), extract(epoch from now())::float8
  from unnest(p_id, p_tenant, p_site, p_nonce, p_action, p_hostname, p_session, p_subject, p_grant, p_gate) with ordinality
    as t(id, tenant, site, nonce, action, hostname, session, subject, grant_id, gate, ord)
  left join intent i on i.site_id = t.site and i.nonce = t.nonce and i.tenant_id is not distinct from t.tenant
  order by t.ord;
end
$$;
