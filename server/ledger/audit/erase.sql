-- Replaces e-mail addresses, and texts that people typed (`reason`, `query`) and that contain one, by the digests that the
-- chain's hashes cover (chain.ts), so that the chain stays valid. `p_email`: only this address; null: all. `p_name`: also
-- texts that contain this name as whole words. `p_until`: only in rows older than this.
-- A row's salt is deleted with its last address and text: the digests reveal nothing then. Returns how many rows changed.
-- The service may not change audit rows, so this runs with its owner's rights, and has no other effect.
create or replace function erase_audit_person(p_email text, p_name text, p_until timestamptz) returns bigint
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  c_address constant text := '^[^\s@]+@[^\s@]+$';
  v_name constant text := '\m' || regexp_replace(p_name, '([^[:alnum:][:space:]])', '\\\1', 'g')
    || case when p_name ~ '[[:alnum:]]$' then '\M' else '' end;
  v_row record;
  v_value record;
  v_digest text;
  v_before text;
  v_after text;
  v_left bigint;
  v_matches boolean;
  v_rows bigint := 0;
begin
  for v_row in
    select id, before, after, salt from audit_event
    where salt is not null and created_at < p_until
      and (strpos(lower(concat(before::text, after::text)), lower(coalesce(p_email, '@'))) > 0
        or concat(before::text, after::text) ~* v_name)
    order by id for update
  loop
    v_before := v_row.before::text;
    v_after := v_row.after::text;
    v_left := 0;
    for v_value in
      select distinct key, value #>> '{}' as text
      from unnest(array[null, 'reason', 'query']) key
      cross join lateral jsonb_path_query(
        jsonb_build_array(v_row.before, v_row.after),
        (case when key is null then 'strict $.**' else 'lax $.**.' || key end)::jsonpath) as value
      where jsonb_typeof(value) = 'string' and value #>> '{}' !~ '^erased-[0-9a-f]{32}$'
        and (value #>> '{}' ~ c_address) = (key is null)
    loop
      v_matches := case
        when v_value.key is null then p_email is null or v_value.text = p_email
        when p_email is null then v_value.text ~ '[^\s@]+@[^\s@]+'
        else strpos(lower(v_value.text), lower(p_email)) > 0 or coalesce(v_value.text ~* v_name, false)
      end;
      if not v_matches then
        v_left := v_left + 1;
        continue;
      end if;
      v_digest := to_jsonb('erased-' || left(encode(sha256(v_row.salt || convert_to(v_value.text, 'UTF8')), 'hex'), 32))::text;
      -- a text is replaced under its own name only: elsewhere the chain covers it as it is
      v_before := replace(v_before, coalesce('"' || v_value.key || '": ', '') || to_jsonb(v_value.text)::text,
        coalesce('"' || v_value.key || '": ', '') || v_digest);
      v_after := replace(v_after, coalesce('"' || v_value.key || '": ', '') || to_jsonb(v_value.text)::text,
        coalesce('"' || v_value.key || '": ', '') || v_digest);
    end loop;
    update audit_event set before = v_before::jsonb, after = v_after::jsonb, salt = case when v_left > 0 then salt end
    where id = v_row.id and (before is distinct from v_before::jsonb or after is distinct from v_after::jsonb);
    if found then
      v_rows := v_rows + 1;
    end if;
  end loop;
  return v_rows;
end
$$;
revoke execute on function erase_audit_person(text, text, timestamptz) from public;
