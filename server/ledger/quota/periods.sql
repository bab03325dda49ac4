create or replace function utc_month() returns date
language sql stable as $$
  select date_trunc('month', now() at time zone 'utc')::date;
$$;

-- Creates the month's quota rows of tenants that have none yet.
create or replace function ensure_quota_periods(p_tenants uuid[], p_month date) returns void
language plpgsql volatile as $$
begin
  -- Asked first, because an insert costs its start-up in every batch, also if there is nothing to insert.
  if exists (
    select 1 from unnest(p_tenants) as t(id)
    where not exists (select 1 from quota_period q where q.tenant_id = t.id and q.month = p_month)
  ) then
    insert into quota_period (tenant_id, month, included)
    select t.id, p_month, t.monthly_quota from tenant t
    where t.id = any(p_tenants)
      and not exists (select 1 from quota_period q where q.tenant_id = t.id and q.month = p_month)
    order by t.id
    on conflict do nothing;
  end if;
end
$$;
