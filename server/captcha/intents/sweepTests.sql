-- Deletes up to 1,000 decisions of test keys that are older than `p_hours`. They were never charged. The service itself
-- may delete no decision, so this runs with its owner's rights. Returns how many.
create or replace function sweep_test_decisions(p_tenant uuid, p_hours int) returns bigint
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  with swept as (
    delete from decision where ctid = any(array(
      select ctid from decision
      where tenant_id = p_tenant and charged_to = 'test' and redeemed_at < now() - make_interval(hours => p_hours) limit 1000
    )) returning 1
  )
  select count(*) from swept
$$;
revoke execute on function sweep_test_decisions(uuid, int) from public;
