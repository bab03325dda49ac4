-- The names of all sites that there are or were: what was counted of a deleted site is shown with its last name.
create or replace view site_name as
  select id, tenant_id, name, false as deleted from site
  union all
  select id, tenant_id, name || ' (deleted)', true from deleted_site;
