-- Makes the current transaction wait for the synchronous standby when it commits, as one does that has written. An answer that
-- repeats an earlier one must not confirm what only this server has: the wait of the transaction that wrote it may have been
-- cancelled. Without a synchronous standby it does nothing. On a server that is a standby itself it fails as a write does:
-- what it has may be behind, and connections to a former primary last until they are closed. Otherwise true, so that an
-- expression can call it.
create or replace function wait_for_standby() returns boolean
language plpgsql volatile as $$
begin
  if pg_is_in_recovery() then
    raise exception 'this server is a standby' using errcode = 'read_only_sql_transaction';
  end if;
  if current_setting('synchronous_standby_names') <> '' then
    perform pg_logical_emit_message(true, 'tollgate', '');
  end if;
  return true;
end
$$;
