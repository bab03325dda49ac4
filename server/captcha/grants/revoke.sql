-- Revokes all grants of a session at a site and returns how many were not revoked before; `p_allowed` false only counts them.
-- The first statement waits for renewals that are being made from one of them; the second sees what they inserted. Grants that
-- were revoked a moment ago are revoked again: the console can undo its own revocation for 5 minutes, and must not undo a
-- log-out with it.
create or replace function revoke_session_grants(p_tenant uuid, p_site uuid, p_session text, p_allowed boolean) returns integer
language plpgsql volatile
set plan_cache_mode = force_generic_plan set jit = off set lock_timeout = '800ms'
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set enable_material = off
as $$
declare
  v_revoked integer;
begin
  perform 1 from captcha_grant g
  where g.site_id = p_site and g.session = p_session and g.tenant_id is not distinct from p_tenant
  order by g.id for update;

  with mine as (
    select g.id, g.tenant_id, g.revoked_at from captcha_grant g
    where g.site_id = p_site and g.session = p_session and g.tenant_id is not distinct from p_tenant
      and coalesce(g.revoked_at, 'infinity') > now() - interval '5 minutes'
    order by g.id for update
  ), revoked as (
    update captcha_grant g set revoked_at = now() from mine
    where p_allowed and g.id = mine.id and g.tenant_id is not distinct from mine.tenant_id
  )
  select count(*) filter (where revoked_at is null) into v_revoked from mine;
  return v_revoked;
end
$$;
