-- Records that the decisions of a UTC day were written to a file, unless they were before. Only days are accepted that ended at
-- least 62 days ago, so that the service cannot delete what may still be replayed, reported or billed. The counts of the day's
-- redemptions, from which statements are made, are corrected from the rows while these are there.
create or replace function record_archive(p_day date, p_file text, p_rows bigint, p_sha256 text) returns void
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_from timestamptz := p_day::timestamp at time zone 'utc';
  v_rows bigint;
begin
  if p_day >= (now() at time zone 'utc')::date - 62 then
    raise exception 'record_archive: % is too recent', p_day using errcode = '22023';
  end if;
  if exists (select from decision_archive where day = p_day) then return; end if;
  with counted as materialized (
    select d.tenant_id, d.site_id, d.charged_to, count(*) as n
    from tenant t
    cross join lateral (
      select * from decision x
      where x.tenant_id = t.id and x.redeemed_at >= v_from and x.redeemed_at < v_from + interval '1 day'
    ) d
    group by 1, 2, 3
  ), corrected as (
    insert into usage_day as u (tenant_id, site_id, day, measure, label, n)
    select tenant_id, site_id, p_day, 'redeemed', charged_to::text, n from counted where charged_to <> 'test'
    on conflict (tenant_id, measure, day, site_id, label) do update set n = excluded.n where u.n <> excluded.n
  )
  select coalesce(sum(n), 0) into v_rows from counted;
  if v_rows <> p_rows then
    raise exception 'record_archive: the file of % has % decisions, but there are %', p_day, p_rows, v_rows using errcode = '40001';
  end if;
  insert into decision_archive (day, file, rows, sha256) values (p_day, p_file, p_rows, p_sha256);
end
$$;
revoke execute on function record_archive(date, text, bigint, text) from public;

-- Deletes up to `p_limit` decisions of a tenant and of a day that was recorded, with their reports, marks and grants, and adds
-- them to the tenant's sums in the same transaction. Returns how many, and the time of the last. Never deletes more than the day's
-- file has. `p_from`: the time of the last of the call before, so that its deleted rows are not passed again; null at first.
create or replace function delete_archived_decisions(
  p_day date, p_tenant uuid, p_from timestamptz, p_limit int, out deleted bigint, out last timestamptz
)
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_from timestamptz := p_day::timestamp at time zone 'utc';
  v_left bigint;
begin
  select a.rows - a.deleted into v_left from decision_archive a where a.day = p_day for update;
  if v_left is null then
    raise exception 'delete_archived_decisions: % was not archived', p_day using errcode = '22023';
  end if;
  with page as (
    select id, tenant_id from decision
    where tenant_id = p_tenant and redeemed_at >= greatest(v_from, p_from) and redeemed_at < v_from + interval '1 day'
    order by redeemed_at limit p_limit
  ), reports as (
    delete from feedback_event f using page where f.decision_id = page.id and f.tenant_id = page.tenant_id
  ), marks as (
    delete from feedback_mark m using page where m.decision_id = page.id and m.tenant_id = page.tenant_id
  ), grants as (
    delete from captcha_grant g using page where g.decision_id = page.id and g.tenant_id = page.tenant_id
  ), gone as (
    delete from decision d using page where d.id = page.id and d.tenant_id = page.tenant_id returning d.charged_to, d.redeemed_at
  ), sums as (
    insert into archived_decisions as a (tenant_id, month, charged_to, n)
    select p_tenant, date_trunc('month', p_day)::date, charged_to, count(*) from gone group by charged_to
    on conflict (tenant_id, month, charged_to) do update set n = a.n + excluded.n
  )
  select count(*), max(redeemed_at) into deleted, last from gone;
  if deleted > v_left then
    raise exception 'delete_archived_decisions: % has more decisions than its file', p_day using errcode = '40001';
  end if;
  update decision_archive a
  set deleted = a.deleted + delete_archived_decisions.deleted,
    deleted_at = case when delete_archived_decisions.deleted = v_left then now() end
  where a.day = p_day;
end
$$;
revoke execute on function delete_archived_decisions(date, uuid, timestamptz, int) from public;
