-- Gives the role of the running service what it needs, and no more: it reads and writes rows, and cannot change history or
-- the schema. The migration runner calls this at each run, so that new tables are included.
create or replace function grant_service_rights(p_role text) returns void
language plpgsql volatile as $$
declare
  v_policy text;
begin
  execute format('grant connect on database %I to %I', current_database(), p_role);
  execute format('grant usage on schema public, graphile_worker to %I', p_role);
  execute format('grant select, insert, update, delete on all tables in schema public, graphile_worker to %I', p_role);

  -- History is only appended to. What identifies clients is deleted after some days; what else has to go is deleted by
  -- functions that run with their owner's rights.
  execute format('revoke update, delete on audit_event, balance_entry, decision, quota_change from %I', p_role);
  execute format('grant update (network, area, subject) on decision to %I', p_role);
  execute format('revoke insert, update, delete on decision_archive, archived_decisions from %I', p_role);
  execute format(
    'grant execute on function erase_audit_person(text, text, timestamptz), sweep_test_decisions(uuid, int),
      record_archive(date, text, bigint, text), delete_archived_decisions(date, uuid, timestamptz, int) to %I', p_role);
  -- the keys of later starts are compared with them
  execute format('revoke delete on sealing_key from %I', p_role);
  execute format('revoke insert, update, delete on _prisma_migrations, _sql_file from %I', p_role);

  -- graphile-worker's tables have row level security, which hides all rows from everyone but their owner
  for v_policy in
    select format('create policy %I on %s to %I using (true)', p_role, c.oid::regclass, p_role) from pg_class c
    where c.relnamespace = 'graphile_worker'::regnamespace and c.relrowsecurity
      and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = p_role)
  loop
    execute v_policy;
  end loop;
end
$$;
revoke execute on function grant_service_rights(text) from public;
