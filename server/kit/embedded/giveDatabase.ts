import pg from 'pg'
import { Client } from '../db/driver.ts'

/**
 * Everything in a database that belongs to the current user, as `alter … owner` names it. What belongs to a table follows it.
 * `reassign owned` refuses the superuser of initdb.
 */
const BELONGINGS = `
  with own as (
    select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'
  ), me as (
    select current_user::regrole::oid as oid
  )
  select format('schema %I', nspname) as name from pg_namespace
    where nspowner = (table me) and oid in (table own)
  union all
  select format('%s %s', case relkind when 'S' then 'sequence' else 'table' end, oid::regclass) from pg_class c
    where relowner = (table me) and relnamespace in (table own) and (relkind in ('r', 'p', 'v', 'm') or relkind = 'S' and not exists
      (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype in ('a', 'i')))
  union all
  select format('routine %s', oid::regprocedure) from pg_proc
    where proowner = (table me) and pronamespace in (table own)
  union all
  select format('type %s', oid::regtype) from pg_type
    where typowner = (table me) and typnamespace in (table own) and (typtype in ('e', 'd') or typtype = 'c'
      and exists (select from pg_class c where c.oid = typrelid and c.relkind = 'c'))`

/**
 * Gives a database, and everything in it that belongs to the superuser, to the role, and lets no other role connect. Versions
 * before the roles, and dumps of them, use the superuser for everything. `url`: of the database, for the superuser.
 */
export async function giveDatabase(url: string, name: string, owner: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  const to = pg.escapeIdentifier(owner)
  const database = pg.escapeIdentifier(name)
  try {
    await client.query('begin')
    // a service and a command can start at the same moment
    await client.query('select pg_advisory_xact_lock(84150, 3)')
    const { rows } = await client.query<{ name: string }>(BELONGINGS)
    for (const belonging of rows) await client.query(`alter ${belonging.name} owner to ${to}`)
    const { rowCount: given } = await client.query(
      'select 1 from pg_database where datname = $1 and datdba = $2::regrole',
      [name, to],
    )
    if (!given) {
      await client.query(`alter database ${database} owner to ${to}`)
      await client.query(`revoke connect, temporary on database ${database} from public`)
    }
    await client.query('commit')
  } finally {
    await client.end()
  }
}
