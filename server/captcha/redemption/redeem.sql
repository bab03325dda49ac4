-- Answers which redemptions the balance paid; all else as before.
-- Redeems permits: decision and charge in one transaction. A batch holds each permit once. `p_gate` as above;
-- `p_sealed`: the token's seal opened for this permit; `p_allowed`: the hostname is on the site's list.
-- `codes`, one letter per request:
--   'w' redeemed · 'v' redeemed, the balance paid · 'r' replay of a redemption at most 600 s old · 'i' its key with other parameters · 'd' redeemed otherwise
--   'n' no such permit or token · 'b' other action or hostname · 'h' hostname no longer allowed · 'x' expired
--   'q' no unit left · else the gate
create or replace function redeem(
  p_id uuid[], p_tenant uuid[], p_site uuid[], p_action text[], p_hostname text[], p_token bytea[], p_key bytea[],
  p_gate text[], p_sealed boolean[], p_allowed boolean[], p_metered boolean[],
  p_challenged float8[], p_solved float8[], p_work bigint[], p_reasons integer[], p_network bytea[], p_mobile boolean[],
  out codes text, out at float8
)
language plpgsql volatile as $$
declare
  v_month date := utc_month();
  v_inserted bigint; v_admitted bigint; v_quota bigint; v_balance bigint; v_want_quota bigint; v_want_balance bigint;
begin
  perform ensure_quota_periods(p_tenant, v_month);
  -- puts all redemptions of a tenant in order; tenants are locked in theirs, so that nobody waits in a circle
  perform 1 from quota_period q where q.tenant_id = any(p_tenant) and q.month = v_month order by q.tenant_id for update;

  -- a second statement: its snapshot is newer than the locks and sees whatever the last holder committed
  with judged as materialized (
    select t.*, p.grant_id, j.code, j.code = 'a' and not t.metered as free,
      greatest(coalesce(q.included - q.used, 0), 0) as included, coalesce(b.units, 0) as units
    from unnest(p_id, p_tenant, p_site, p_action, p_hostname, p_token, p_key, p_gate, p_sealed, p_allowed, p_metered,
        p_challenged, p_solved, p_work, p_reasons, p_network, p_mobile) with ordinality
      as t(id, tenant, site, action, hostname, token, key, gate, sealed, allowed, metered,
        challenged, solved, work, reasons, network, mobile, ord)
    left join intent p on p.id = t.id and p.tenant_id is not distinct from t.tenant and p.site_id is not distinct from t.site
    left join decision d on d.id = t.id and d.tenant_id is not distinct from t.tenant and d.site_id is not distinct from t.site
    left join quota_period q on q.tenant_id = t.tenant and q.month = v_month
    left join balance b on b.tenant_id = t.tenant
    cross join lateral (
      select d.redeemed_at > now() - interval '600 s' and d.key_hash = t.key as repeats,
        d.token_hash = t.token and d.action = t.action and d.hostname = t.hostname as same
    ) r
    cross join lateral (
      select case
        when r.repeats and r.same then 'r'
        when t.gate <> '' then t.gate
        when r.repeats then 'i'
        when d.id is not null then 'd'
        when p.id is null or not t.sealed then 'n'
        when p.action <> t.action or p.hostname <> t.hostname then 'b'
        when not t.allowed then 'h'
        when p.expires_at <= now() then 'x'
        else 'a' end as code
    ) j
  ), ranked as (
    select judged.*, row_number() over (partition by tenant, code, metered order by ord) as rank from judged
  ), scored as materialized (
    select ranked.*, code = 'a' and (free or rank <= included + units) as admitted,
      case when free then 'test' when rank <= included then 'quota' else 'balance' end::charged_to as charge
    from ranked
  ), inserted as (
    insert into decision (id, tenant_id, site_id, action, hostname, token_hash, key_hash, redeemed_at, charged_to,
      challenged_at, solved_at, work, work_reasons, network, mobile, grant_id)
    select id, tenant, site, action, hostname, token, key, now(), charge,
      to_timestamp(challenged), to_timestamp(solved), work, reasons, network, mobile, grant_id
    from scored where admitted order by ord on conflict do nothing returning 1
  ), due as materialized (
    select tenant, count(*) filter (where charge = 'quota') as quota, count(*) filter (where charge = 'balance') as balance
    from scored where admitted and charge <> 'test' group by tenant
  ), from_quota as (
    update quota_period u set used = u.used + due.quota from due
    where u.tenant_id = due.tenant and u.month = v_month and due.quota > 0 and u.used + due.quota <= u.included returning 1
  ), from_balance as (
    update balance u set units = u.units - due.balance from due
    where u.tenant_id = due.tenant and due.balance > 0 and u.units >= due.balance returning 1
  )
  select string_agg(case when code <> 'a' then code when not admitted then 'q' when charge = 'balance' then 'v' else 'w' end, '' order by ord),
    (select count(*) from inserted), count(*) filter (where admitted),
    (select count(*) from from_quota), (select count(*) from due where quota > 0),
    (select count(*) from from_balance), (select count(*) from due where balance > 0)
  into codes, v_inserted, v_admitted, v_quota, v_want_quota, v_balance, v_want_balance
  from scored;

  -- the locks make this impossible; should it happen all the same, nothing of the batch may stay
  if v_inserted <> v_admitted or v_quota <> v_want_quota or v_balance <> v_want_balance then
    raise exception 'redeem: a charge does not match its decision' using errcode = '40001';
  end if;
  at := extract(epoch from now())::float8;
end
$$;
