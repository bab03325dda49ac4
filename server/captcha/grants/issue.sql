-- Issues the grant of a decision, or returns the one that the same request issued before.
--   p_session    null if none was sent: the grant gets the session of the decision's intent
--   p_renewal    seconds since the session's last solved challenge within which an exempt decision renews a grant; 0 forbids it
--   p_precheck   why no new grant may be issued (`rate_limited`, `site_disabled`, `grants_disabled`), or null
--
-- The time of the session's last solved challenge is carried along: a grant keeps `solved_at` of its decision, an exempt
-- decision names the grant that it used, and a renewed grant takes over that grant's `solved_at`. That is one read by primary
-- key; a search by session would have to join a day of decisions with their intents, which alone hold the session. The time
-- is never later than the true one, so a renewal is never allowed wrongly.
create or replace function issue_grant(
  p_id uuid, p_tenant uuid, p_site uuid, p_decision uuid, p_session text, p_ttl integer, p_uses integer,
  p_max_ttl integer, p_max_uses integer, p_renewal integer, p_precheck text,
  out status grant_status, out id uuid, out expires_at float8, out uses integer
)
language plpgsql volatile
set plan_cache_mode = force_generic_plan set jit = off set lock_timeout = '800ms'
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set enable_material = off
as $$
declare
  d decision;
  g captcha_grant;
  spent captcha_grant;
  i intent;
begin
  select * into d from decision
  where decision.id = p_decision and tenant_id is not distinct from p_tenant and site_id is not distinct from p_site;
  if not found then status := 'decision_unknown'; return; end if;

  -- The second pass finds what this call inserted, or the winner of a race that its insert lost.
  for pass in 1..2 loop
    select * into g from captcha_grant where decision_id = p_decision and tenant_id is not distinct from p_tenant;
    if found then
      status := case
        when g.id = p_id then 'issued'
        when (p_session is null or p_session = g.session) and g.ttl_asked = p_ttl and g.uses_asked = p_uses then 'replayed'
        when p_precheck is not null then p_precheck
        when p_session is not null and p_session is distinct from g.session then 'grant_invalid'
        else 'grant_exists' end;
      id := g.id;
      expires_at := extract(epoch from g.expires_at)::float8;
      uses := g.uses;
      if status = 'replayed' then perform wait_for_standby(); end if;
      return;
    end if;
    if p_precheck is not null then status := p_precheck; return; end if;
    exit when pass = 2;

    select * into i from intent where intent.id = p_decision and tenant_id is not distinct from p_tenant;
    exit when not found or p_session is not null and p_session is distinct from i.session;
    if d.solved_at is null then
      exit when i.session is null;
      -- Locked, so that a revocation at the same time either stops this renewal or finds the grant that it inserted.
      select * into spent from captcha_grant
      where captcha_grant.id = d.grant_id and tenant_id is not distinct from p_tenant for share;
      exit when not found or spent.revoked_at is not null or p_renewal = 0
        or spent.solved_at is null or spent.solved_at < now() - make_interval(secs => p_renewal);
    end if;
    insert into captcha_grant (id, tenant_id, site_id, decision_id, session, uses, ttl_asked, uses_asked,
      solved_at, created_at, expires_at)
    select p_id, p_tenant, p_site, p_decision, i.session, least(p_uses, p_max_uses), p_ttl, p_uses,
      coalesce(d.solved_at, spent.solved_at), now(), date_trunc('second', now()) + make_interval(secs => least(p_ttl, p_max_ttl))
    where d.redeemed_at > now() - interval '600 s'
    on conflict do nothing;
  end loop;
  status := 'grant_invalid';
end
$$;
