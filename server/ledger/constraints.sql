-- Bounds of units and counts, which Prisma's models cannot express. A condition that changes gets
-- a new name. Counts in usage_hour and usage_day are not bounded, because a correction can arrive before what it corrects.
do $$
declare
  rule record;
begin
  for rule in select * from (values
    ('tenant', 'tenant_monthly_quota_not_negative', 'monthly_quota >= 0'),
    ('quota_period', 'quota_period_not_negative', 'included >= 0 and used >= 0'),
    ('balance', 'balance_not_negative', 'units >= 0'),
    ('quota_change', 'quota_change_not_negative', 'units_before >= 0 and units_after >= 0'),
    ('quota_request', 'quota_request_positive', 'units > 0 and granted >= 0'),
    ('decision', 'decision_work_not_negative', 'work >= 0 and work_reasons >= 0'),
    ('feedback_event', 'feedback_event_revision_positive', 'revision >= 1'),
    ('captcha_grant', 'captcha_grant_used_in_bounds', 'uses >= 1 and used between 0 and uses'),
    ('reconciliation_run', 'reconciliation_run_not_negative', 'tenants >= 0 and decisions >= 0 and differing >= 0'),
    ('usage_alert', 'usage_alert_percent_in_bounds', 'percent between 1 and 100'),
    ('site', 'site_policy_positive', 'base_work > 0 and grant_max_ttl > 0 and grant_max_uses > 0 and grant_renewal >= 0
      and rate_per_second > 0 and rate_burst > 0 and subject_limit > 0 and network_limit > 0'),
    ('network_rule', 'network_rule_of_site_or_deployment', 'num_nulls(tenant_id, site_id) in (0, 2)'),
    -- the cast fails for what is not a network
    ('network_rule', 'network_rule_is_network', 'network::cidr is not null')
  ) as t(name, title, condition)
  loop
    if not exists (select from pg_constraint where conname = rule.title and conrelid = to_regclass(rule.name)) then
      execute format('alter table %I add constraint %I check (%s)', rule.name, rule.title, rule.condition);
    end if;
  end loop;
end
$$;
create unique index if not exists network_rule_of_deployment on network_rule (network) where site_id is null;
create unique index if not exists quota_request_waiting on quota_request (tenant_id) where state = 'waiting';
create unique index if not exists incident_open on incident (site_id, kind) where ended_at is null;
-- those whose session is still to be deleted, of all that were ever issued
create index if not exists captcha_grant_with_session on captcha_grant (expires_at) where session is not null;
