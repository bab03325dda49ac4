import pg from 'pg'

/** `right`: the values that do. `why`: what happens with others. */
type Needed = { right: RegExp; why: string }

/**
 * What each connection asks for when it is opened, because roles, databases and servers have the defaults of whoever set them up.
 * Where it cannot ask, because a pooler owns the connections, those with `right` are required of the role; without it, any value does.
 */
const SENT: Record<string, { value: string } & Partial<Needed>> = {
  // how values are written and read; Prisma ignores the offset behind a time
  datestyle: { value: 'ISO,MDY', right: /^ISO/, why: 'times cannot be read' },
  timezone: {
    value: 'UTC',
    right: /^(Etc\/)?(UTC|UCT|GMT|Universal|Zulu)$/i,
    why: 'times are read as if they were UTC',
  },
  intervalstyle: { value: 'postgres' },
  bytea_output: { value: 'hex' },
  extra_float_digits: { value: '1', right: /^[123]$/, why: 'times lose their fractions' },
  array_nulls: { value: 'on', right: /^on$/, why: 'missing values become the text NULL' },
  // how SQL is read
  search_path: { value: 'public', right: /^("?\$user"?, *)?public\b/, why: 'the tables are in the schema public' },
  standard_conforming_strings: { value: 'on', right: /^on$/, why: 'backslashes in texts change them' },
  transform_null_equals: { value: 'off', right: /^off$/, why: 'comparisons with null become true' },
  quote_all_identifiers: { value: 'off', right: /^off$/, why: 'names of tables are not recognized' },
  'plpgsql.extra_errors': { value: 'none', right: /^none$/, why: 'functions fail' },
  row_security: { value: 'on', right: /^on$/, why: "the jobs' tables cannot be read" },
  // what a transaction is
  default_transaction_isolation: {
    value: 'read committed',
    right: /^read /,
    why: 'a request that waited for another fails',
  },
  default_transaction_read_only: { value: 'off', right: /^off$/, why: 'nothing can be written' },
  exit_on_error: { value: 'off', right: /^off$/, why: 'each error ends the connection' },
  // each part of the service has time-outs of its own
  statement_timeout: { value: '0' },
  lock_timeout: { value: '0' },
  idle_in_transaction_session_timeout: { value: '0' },
  idle_session_timeout: { value: '0' },
  // whether what was confirmed survives a crash and a failover
  synchronous_commit: { value: 'on', right: /^(on|remote_apply)$/, why: 'confirmed redemptions can be lost' },
  client_min_messages: {
    value: 'warning',
    right: /^(debug\d|log|notice|warning)$/,
    why: 'a commit that no standby confirmed looks confirmed',
  },
}

/** What no connection of an ordinary role can ask for. */
const FIXED: Record<string, Needed & { repair: (ofRole: string) => string }> = {
  fsync: {
    right: /^on$/,
    why: 'confirmed redemptions can be lost',
    repair: () => 'alter system set fsync = on; select pg_reload_conf();',
  },
  session_replication_role: {
    right: /^origin$/,
    why: 'references between tables are not checked',
    repair: (ofRole) => `alter ${ofRole} set session_replication_role = origin;`,
  },
  // PostgreSQL 17 or newer
  transaction_timeout: {
    right: /^0$/,
    why: 'backups and migrations are broken off',
    repair: (ofRole) => `alter ${ofRole} set transaction_timeout = 0;`,
  },
  server_encoding: {
    right: /^UTF8$/,
    why: 'names in other alphabets cannot be stored',
    repair: () => "create database NAME template template0 encoding 'UTF8';",
  },
}

const REQUIRED = Object.entries({ ...SENT, ...FIXED }).flatMap(([name, needed]) => (needed.right ? [name] : []))

/** Settings, each `name=value`, as the option of a connection's start. */
export const optionsOf = (settings: readonly string[]): string =>
  settings.map((setting) => `-c ${setting.replaceAll(/[\\ ]/g, '\\$&')}`).join(' ')

export const SESSION_SETTINGS: readonly string[] = Object.entries(SENT).map(([name, { value }]) => `${name}=${value}`)

/** Reads the settings of the session that runs it. */
export const READ_SETTINGS = {
  name: 'read_settings',
  text: `/* read_settings */ select n.name, current_setting(n.name, true) as value, current_user as role, current_database() as database
    from unnest($1::text[]) as n(name)`,
  values: [REQUIRED],
}

export type Setting = { name: string; value: string | null; role: string; database: string }

/** Those that the service cannot work with. A value of null is not known to this version of PostgreSQL, or was not used yet. */
export const wrongSettings = (settings: readonly Setting[]): Setting[] =>
  settings.filter(({ name, value }) => value !== null && (SENT[name] ?? FIXED[name])?.right?.test(value) === false)

/** What is wrong with the settings, and what to run. */
export function explainSettings(wrong: readonly Setting[]): string {
  const faults = wrong.map(({ name, value }) => `${name} = "${value}" (${(SENT[name] ?? FIXED[name])?.why})`)
  const repairs = wrong.map(({ name, role, database }) => {
    const ofRole = `role ${pg.escapeIdentifier(role)} in database ${pg.escapeIdentifier(database)}`
    return FIXED[name]?.repair(ofRole) ?? `alter ${ofRole} set ${name} = ${pg.escapeLiteral(SENT[name]?.value ?? '')};`
  })
  return `The database runs with ${faults.join(', ')}. Run: ${repairs.join(' ')}`
}
