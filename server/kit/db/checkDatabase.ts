import { OperatorError } from '../error.ts'
import type { Log } from '../process/log.ts'
import { explainSettings, READ_SETTINGS, type Setting, wrongSettings } from './databaseSettings.ts'
import { Client } from './driver.ts'

/** On a server that only reads, fails as a write does. */
const REFUSE_STANDBY = `do $$ begin
  if pg_is_in_recovery() then
    raise exception 'this server is a standby' using errcode = 'read_only_sql_transaction';
  end if;
end $$`

/** A setting that no server has. */
const MARK = 'tollgate.asked=yes'

/** What contains a connection string. */
export type UrlSetting = 'DATABASE_URL' | 'DIRECT_URL' | 'OWNER_DATABASE_URL'

export const leadsToPooler = (setting: UrlSetting): string =>
  setting === 'DATABASE_URL'
    ? 'DATABASE_URL leads to a pooler, such as PgBouncer. Set DIRECT_URL to the same database without the pooler.'
    : `${setting} leads to a pooler, such as PgBouncer. It must lead to PostgreSQL itself.`

/**
 * Throws OperatorError if the service cannot work with the database or its settings, and says what to run. `setting`: where `url`
 * is from. `isPooled`: it leads to a pooler, so the settings are those of its connections. Errors of the database are thrown as they are.
 */
export async function checkDatabase(
  url: string,
  { setting, isPooled = false, log }: { setting: UrlSetting; isPooled?: boolean; log: Log },
): Promise<void> {
  const open = () =>
    new Client({
      connectionString: url,
      connectionTimeoutMillis: 10_000,
      application_name: 'tollgate',
      settings: [MARK],
      isPooled,
    }).on('error', () => {})
  const [one, other] = [open(), open()]
  try {
    await Promise.all([one.connect(), other.connect()])
    if (!isPooled && (await leadsElsewhere(one, other))) throw new OperatorError(leadsToPooler(setting))
    await one.query(REFUSE_STANDBY)
    const { rows } = await one.query<Setting>(READ_SETTINGS.text, READ_SETTINGS.values)
    const wrong = wrongSettings(rows)
    if (wrong.length > 0) throw new OperatorError(explainSettings(wrong))
    const { rows: pages } = await one.query<{ full_page_writes: string }>('show full_page_writes')
    if (pages[0]?.full_page_writes !== 'on' && setting === 'DATABASE_URL')
      log.warn('full_page_writes is off: unless the storage writes whole pages, a power cut can damage the database')
  } finally {
    await Promise.all([one, other].map((client) => client.end().catch(() => {})))
  }
}

/**
 * Whether a pooler drops the settings of connections, or gives each transaction another connection. One that is idle gives both
 * clients the same one; one that is busy gives each another one at every turn.
 */
async function leadsElsewhere(one: Client, other: Client): Promise<boolean> {
  const { rows: asked } = await one.query<{ mark: string | null }>(
    "select current_setting('tollgate.asked', true) as mark",
  )
  if (asked[0]?.mark !== 'yes') return true
  const seen = { one: new Set<number>(), other: new Set<number>() }
  // no regular order, so that a pooler that takes its connections in turn does not look like none
  for (const turn of ['one', 'other', 'one', 'one', 'other', 'other', 'one', 'other'] as const) {
    const { rows } = await { one, other }[turn].query<{ pid: number }>('select pg_backend_pid() as pid')
    seen[turn].add(rows[0]?.pid ?? 0)
  }
  return new Set([...seen.one, ...seen.other]).size !== 2
}
