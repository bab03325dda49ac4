-- The road's writes; the hot ones are each one call for a whole batch of requests. docs/decisions/0004 tells why they have this shape.
-- Rows are looked up by one index, their unique key; what else must hold of them is said with `is not distinct from`,
-- which no index can serve. Said with `=`, on a new database, where all tables look alike, the planner took the index of
-- sites or tenants, kept that plan, and read a site's every row for each request (measured: 13 ms instead of 1 for a
-- batch of 64 after 2,000 redemptions).
-- Arrays are columns of the batch, in the order of the requests; each result is a string of one letter per request.

-- Makes the month's quota rows of the tenants that have none yet.
create function ensure_quota_periods(p_tenants uuid[], p_month date) returns void
language sql volatile as $$
  insert into quota_period (tenant_id, month, included)
  select t.id, p_month, t.monthly_quota from tenant t
  where t.id = any(p_tenants)
    and not exists (select 1 from quota_period q where q.tenant_id = t.id and q.month = p_month)
  order by t.id
  on conflict do nothing;
$$;

create function utc_month() returns date
language sql stable as $$
  select date_trunc('month', now() at time zone 'utc')::date;
$$;

-- Opens permits, and spends the grants that some of them carry. `p_gate` carries why a request may not open a new one
-- ('l' limited, 'p' paused, 'G' grants are off; '' may); a replay is answered all the same, its nonce with other fields is
-- not. One row per request, in order:
--   'o' opened or replayed · 'x' replayed after expiry · 'c' nonce used with other fields · 'g' the grant does not hold
--   'q' no unit left · else the gate
-- Grants are locked before permits are inserted, each in one order, so that two batches cannot wait for each other.
create function open_intents(
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

-- Redeems permits: decision and charge in one transaction. A batch holds each permit once. `p_gate` as above;
-- `p_sealed`: the token's seal opened for this permit; `p_allowed`: the hostname is on the site's list.
-- `codes`, one letter per request:
--   'w' redeemed · 'r' replay of a redemption at most 600 s old · 'i' its key with other parameters · 'd' redeemed otherwise
--   'n' no such permit or token · 'b' other action or hostname · 'h' hostname no longer allowed · 'x' expired
--   'q' no unit left · else the gate
create function redeem(
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
  select string_agg(case when code <> 'a' then code when admitted then 'w' else 'q' end, '' order by ord),
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

-- Gives the exemption of a decision, or the one that it gave before. `code`:
--   'o' given or given before · 'e' given before with other fields · 'n' no such decision · 'i' the decision gives none
--   else the gate
create function issue_grant(
  p_id uuid, p_tenant uuid, p_site uuid, p_decision uuid, p_session text, p_ttl integer, p_uses integer,
  p_max_ttl integer, p_max_uses integer, p_gate text,
  out code text, out id uuid, out expires_at float8, out uses integer
)
language plpgsql volatile as $$
declare
  d decision; g captcha_grant;
begin
  select * into d from decision where decision.id = p_decision and tenant_id is not distinct from p_tenant and site_id is not distinct from p_site;
  if not found then code := 'n'; return; end if;
  -- a second look, because it finds what this call inserted, or the winner of a race that its insert lost
  for look in 1..2 loop
    select * into g from captcha_grant where decision_id = p_decision and tenant_id is not distinct from p_tenant;
    if found then
      code := case when g.session = p_session and g.ttl_asked = p_ttl and g.uses_asked = p_uses then 'o' when p_gate <> '' then p_gate else 'e' end;
      id := g.id; expires_at := extract(epoch from g.expires_at)::float8; uses := g.uses;
      return;
    end if;
    if p_gate <> '' then code := p_gate; return; end if;
    exit when look = 2;
    insert into captcha_grant (id, tenant_id, site_id, decision_id, session, uses, ttl_asked, uses_asked, created_at, expires_at)
    select p_id, p_tenant, p_site, p_decision, p_session, least(p_uses, p_max_uses), p_ttl, p_uses, now(),
      date_trunc('second', now()) + make_interval(secs => least(p_ttl, p_max_ttl))
    from intent i
    where i.id = p_decision and i.tenant_id is not distinct from p_tenant and i.session = p_session
      and d.solved_at is not null and d.redeemed_at > now() - interval '600 s'
    on conflict do nothing;
  end loop;
  code := 'i';
end
$$;

-- Records what a merchant found out about a decision. `code`:
--   'o' recorded or recorded before · 'n' no such decision · 't' occurred before the redemption or after now
--   'e' the event was used with other fields · 'c' later than 7 days · 's' supersedes missing · 'S' not the latest
--   else the gate
create function report_feedback(
  p_tenant uuid, p_site uuid, p_decision uuid, p_event uuid, p_outcome feedback_outcome, p_type text, p_occurred float8,
  p_supersedes uuid, p_gate text,
  out code text, out revision integer, out expires_at float8
)
language plpgsql volatile as $$
declare
  d decision; e feedback_event; last feedback_event;
begin
  select * into d from decision where decision.id = p_decision and tenant_id is not distinct from p_tenant and site_id is not distinct from p_site;
  if not found then code := 'n'; return; end if;
  if p_occurred < floor(extract(epoch from d.redeemed_at)) or p_occurred > floor(extract(epoch from now())) then code := 't'; return; end if;
  expires_at := floor(extract(epoch from d.redeemed_at)) + 604800;
  -- whoever lost a race, for the event or for the revision, looks again and finds the winner's
  loop
    select * into e from feedback_event f where f.site_id = p_site and f.event_id = p_event and f.tenant_id is not distinct from p_tenant;
    if found then
      revision := e.revision;
      code := case when e.decision_id = p_decision and e.outcome = p_outcome and e.business_type = p_type
        and e.occurred_at = to_timestamp(p_occurred) and e.supersedes is not distinct from p_supersedes then 'o'
        when p_gate <> '' then p_gate else 'e' end;
      return;
    end if;
    if p_gate <> '' then code := p_gate; return; end if;
    if extract(epoch from now()) >= expires_at then code := 'c'; return; end if;
    select * into last from feedback_event f where f.decision_id = p_decision and f.tenant_id is not distinct from p_tenant order by f.revision desc limit 1;
    if found and p_supersedes is null then code := 's'; return; end if;
    if p_supersedes is distinct from last.event_id then code := 'S'; return; end if;
    revision := coalesce(last.revision, 0) + 1;
    insert into feedback_event (site_id, event_id, tenant_id, decision_id, revision, outcome, business_type, occurred_at, supersedes)
    values (p_site, p_event, p_tenant, p_decision, revision, p_outcome, p_type, to_timestamp(p_occurred), p_supersedes)
    on conflict do nothing;
    if found then code := 'o'; return; end if;
  end loop;
end
$$;
