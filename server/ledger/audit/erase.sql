-- Replaces e-mail addresses in the values before and after by the digests that the chain's hashes cover (chain.ts), so that
-- the chain stays valid. `p_email`: only this address; null: all. `p_until`: only in rows older than this.
-- A row's salt is deleted with its last address: the digest reveals nothing then. Returns how many rows changed.
-- The service may not change audit rows, so this runs with its owner's rights, and has no other effect.
create or replace function erase_audit_addresses(p_email text, p_until timestamptz) returns bigint
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_row record;
  v_address text;
  v_digest text;
  v_before text;
  v_after text;
  v_left bigint;
  v_rows bigint := 0;
begin
  for v_row in
    select id, before, after, salt from audit_event
    where salt is not null and created_at < p_until
      and strpos(concat(before::text, after::text), coalesce(p_email, '@')) > 0
    order by id for update
  loop
    v_before := v_row.before::text;
    v_after := v_row.after::text;
    v_left := 0;
    for v_address in
      select distinct value #>> '{}' from jsonb_path_query(jsonb_build_array(v_row.before, v_row.after), 'strict $.**') as value
      where jsonb_typeof(value) = 'string' and value #>> '{}' ~ '^[^\s@]+@[^\s@]+$'
    loop
      if p_email is not null and v_address <> p_email then
        v_left := v_left + 1;
        continue;
      end if;
      v_digest := 'erased-' || left(encode(sha256(v_row.salt || convert_to(v_address, 'UTF8')), 'hex'), 32);
      v_before := replace(v_before, to_jsonb(v_address)::text, to_jsonb(v_digest)::text);
      v_after := replace(v_after, to_jsonb(v_address)::text, to_jsonb(v_digest)::text);
    end loop;
    update audit_event set before = v_before::jsonb, after = v_after::jsonb, salt = case when v_left > 0 then salt end
    where id = v_row.id;
    v_rows := v_rows + 1;
  end loop;
  return v_rows;
end
$$;
revoke execute on function erase_audit_addresses(text, timestamptz) from public;
