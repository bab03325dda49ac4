-- Makes the current transaction wait for the synchronous standby when it commits, as one does that has written. An answer that
-- repeats an earlier one must not confirm what only this server has: the wait of the transaction that wrote it may have been
-- cancelled. Without a synchronous standby it does nothing. Always true, so that an expression can call it.
create or replace function wait_for_standby() returns boolean
language sql volatile as $$
  select case
    when current_setting('synchronous_standby_names') <> '' then pg_logical_emit_message(true, 'tollgate', '') is not null
    else true end
$$;
