-- Records what a merchant reports about a decision, as a new revision. The same event with the same fields is answered again.
--   p_precheck   why no new event may be recorded (`rate_limited`, `site_disabled`), or null
-- Abuse marks the decision's network and subject in `feedback_mark`, anything that supersedes it withdraws the mark, and the
-- nodes are notified. A correction from abuse to abuse, of the type for example, leaves the mark as it is.
-- `counts` is set for a new event only: what the usage counts need to know of the decision and of the event it supersedes.
create or replace function report_feedback(
  p_tenant uuid, p_site uuid, p_decision uuid, p_event uuid, p_outcome feedback_outcome, p_type text, p_occurred float8,
  p_supersedes uuid, p_precheck text,
  out status feedback_status, out revision integer, out expires_at float8, out counts jsonb
)
language plpgsql volatile
set plan_cache_mode = force_generic_plan set jit = off set lock_timeout = '800ms'
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set enable_material = off
as $$
declare
  d decision;
  e feedback_event;
  latest feedback_event;
begin
  select * into d from decision
  where decision.id = p_decision and tenant_id is not distinct from p_tenant and site_id is not distinct from p_site;
  if not found then status := 'decision_unknown'; return; end if;
  if p_occurred < floor(extract(epoch from d.redeemed_at)) or p_occurred > floor(extract(epoch from now())) then
    status := 'occurred_at_invalid';
    return;
  end if;
  expires_at := floor(extract(epoch from d.redeemed_at)) + 604800;

  -- A call that lost a race, for the event or for the revision, starts again and finds what the winner wrote. The latest event
  -- is read before the event itself, because each statement sees what was committed before it: in the other order, a call whose
  -- twin commits in between would be compared with its own event.
  loop
    select * into latest from feedback_event f
    where f.decision_id = p_decision and f.tenant_id is not distinct from p_tenant order by f.revision desc limit 1;
    select * into e from feedback_event f
    where f.site_id = p_site and f.event_id = p_event and f.tenant_id is not distinct from p_tenant;
    if found then
      revision := e.revision;
      status := case
        when e.decision_id = p_decision and e.outcome = p_outcome and e.business_type = p_type
          and e.occurred_at = to_timestamp(p_occurred) and e.supersedes is not distinct from p_supersedes then 'replayed'
        else coalesce(p_precheck, 'event_conflict') end;
      if status = 'replayed' then perform wait_for_standby(); end if;
      return;
    end if;
    if p_precheck is not null then status := p_precheck; return; end if;
    if extract(epoch from now()) >= expires_at then status := 'feedback_closed'; return; end if;
    if latest.revision >= 20 then status := 'feedback_closed'; return; end if;
    if latest.event_id is not null and p_supersedes is null then status := 'supersede_required'; return; end if;
    if p_supersedes is distinct from latest.event_id then status := 'supersede_stale'; return; end if;

    revision := coalesce(latest.revision, 0) + 1;
    insert into feedback_event
      (site_id, event_id, tenant_id, decision_id, revision, outcome, business_type, occurred_at, supersedes)
    values (p_site, p_event, p_tenant, p_decision, revision, p_outcome, p_type, to_timestamp(p_occurred), p_supersedes)
    on conflict do nothing;
    if found then
      status := 'recorded';
      if p_outcome = 'confirmed_abuse' and latest.outcome is distinct from p_outcome and d.charged_to <> 'test'
        and coalesce(d.network, d.area, d.subject) is not null
      then
        insert into feedback_mark (decision_id, tenant_id, network, area, subject)
        values (p_decision, p_tenant, d.network, d.area, d.subject)
        on conflict (decision_id, tenant_id) do update
          set network = d.network, area = d.area, subject = d.subject, marked_at = now(), withdrawn_at = null, changed_at = now();
        perform pg_notify('tollgate_changed', 'feedback_mark');
      elsif p_outcome <> 'confirmed_abuse' and latest.outcome = 'confirmed_abuse' then
        update feedback_mark m set withdrawn_at = now(), changed_at = now()
        where m.decision_id = p_decision and m.tenant_id is not distinct from p_tenant;
        perform pg_notify('tollgate_changed', 'feedback_mark');
      end if;
      counts := jsonb_build_object(
        'at', extract(epoch from d.redeemed_at) * 1000,
        'action', d.action,
        'solve', usage_bucket(extract(epoch from d.solved_at - d.challenged_at) * 1000),
        'work', usage_bucket(d.work),
        'was', case when latest.event_id is not null
          then jsonb_build_object('outcome', latest.outcome, 'type', latest.business_type) end
      );
      return;
    end if;
  end loop;
end
$$;
