-- Records what a merchant found out about a decision. `counts`: of a new record, what usage is to count it by. `code`:
--   'o' recorded or recorded before · 'n' no such decision · 't' occurred before the redemption or after now
--   'e' the event was used with other fields · 'c' later than 7 days, or the 21st revision · 's' supersedes missing · 'S' not the latest
--   else the gate
create or replace function report_feedback(
  p_tenant uuid, p_site uuid, p_decision uuid, p_event uuid, p_outcome feedback_outcome, p_type text, p_occurred float8,
  p_supersedes uuid, p_gate text,
  out code text, out revision integer, out expires_at float8, out counts jsonb
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
    if last.revision >= 20 then code := 'c'; return; end if;
    if last.event_id is not null and p_supersedes is null then code := 's'; return; end if;
    if p_supersedes is distinct from last.event_id then code := 'S'; return; end if;
    revision := coalesce(last.revision, 0) + 1;
    insert into feedback_event (site_id, event_id, tenant_id, decision_id, revision, outcome, business_type, occurred_at, supersedes)
    values (p_site, p_event, p_tenant, p_decision, revision, p_outcome, p_type, to_timestamp(p_occurred), p_supersedes)
    on conflict do nothing;
    if found then
      code := 'o';
      counts := jsonb_build_object('at', extract(epoch from d.redeemed_at) * 1000, 'action', d.action,
        'solve', usage_bucket(extract(epoch from d.solved_at - d.challenged_at) * 1000), 'work', usage_bucket(d.work),
        'was', case when last.event_id is not null then jsonb_build_object('outcome', last.outcome, 'type', last.business_type) end);
      return;
    end if;
  end loop;
end
$$;
