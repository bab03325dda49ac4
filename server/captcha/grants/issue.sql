-- Gives the exemption of a decision, or the one that it gave before. `code`:
--   'o' given or given before · 'e' given before with other fields · 'n' no such decision · 'i' the decision gives none
--   else the gate
create or replace function issue_grant(
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
