import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from '../error.ts'
import { Client } from './driver.ts'
import { isLockTimeout } from './outage.ts'

/**
 * How long a statement of a migration waits for a lock, in milliseconds. Every other statement on that table waits behind it
 * meanwhile, so it is well below what the verification path waits for a lock.
 */
const LOCK_MS = 250
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 5000
const LOOK_MS = 40

/** The name of the connections that migrate. One process at a time does, so it also finds what they wait for. */
export const MIGRATING = 'tollgate migrate'

export type LockOptions = {
  /** Gets a sentence for the operator each time that a lock was not to be had. */
  report?: (message: string) => void
  /** How long to go on trying, in milliseconds. */
  patience?: number
}

/** The SQL that bounds the waits of a session, or with `local` of a transaction. */
export const boundLocks = (scope: 'session' | 'local'): string => `set ${scope} lock_timeout = ${LOCK_MS}`

/**
 * Runs `work`, which changes nothing if it fails, again and again while it fails because a lock is taken, with pauses in which
 * others go on. A migration that simply waited behind a dump or a report would stop the verification path until that has
 * ended. Throws OperatorError, which names the lock and its holders, when `patience` is over.
 */
export async function withShortLocks<Out>(
  url: string,
  what: string,
  work: () => Promise<Out>,
  { report = () => {}, patience = 600_000 }: LockOptions,
): Promise<Out> {
  const began = performance.now()
  let pause = FIRST_PAUSE_MS
  for (let tries = 1; ; tries++) {
    // the first attempt nearly always succeeds and needs no second connection
    const watch = tries > 1 ? await watchWaits(url) : undefined
    try {
      return await work()
    } catch (cause) {
      if (!isLockTimeout(cause)) throw cause
      const lock = watch?.seen() ?? 'a lock'
      if (tries > 1 && performance.now() - began > patience)
        throw new OperatorError(
          `${what} was not applied: it waited for ${lock}, and tried ${tries} times. The database is unchanged by it; end that transaction, or wait until it has ended, and start again.`,
          { cause },
        )
      if (tries > 1) report(`${what} waits for ${lock}; tried ${tries} times, again in ${pause / 1000} s`)
    } finally {
      await watch?.close()
    }
    await sleep(pause)
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
  }
}

// States and queries of other users are hidden from an ordinary user, names are not.
const WAITS = `
  select coalesce('table ' || l.relation::regclass::text, 'a lock of type ' || l.locktype) as lock,
    string_agg(distinct format('process %s (user %s, application "%s")', b.pid, a.usename, a.application_name), ', ') as holders
  from pg_stat_activity m
  join pg_locks l on l.pid = m.pid and not l.granted and l.locktype <> 'advisory'
  cross join unnest(pg_blocking_pids(m.pid)) as b(pid)
  left join pg_stat_activity a on a.pid = b.pid
  where m.application_name = '${MIGRATING}' and m.datname = current_database()
  group by 1`

/** Looks from a second connection what the migration waits for, until it is closed. */
async function watchWaits(url: string): Promise<{ seen(): string | undefined; close(): Promise<void> }> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  const closing = new AbortController()
  let seen: string | undefined
  const looking = (async () => {
    while (!closing.signal.aborted && seen === undefined) {
      const { rows } = await client.query<{ lock: string; holders: string }>(WAITS)
      if (rows[0]) seen = `${rows[0].lock}, held by ${rows[0].holders}`
      else await sleep(LOOK_MS)
    }
    // only the message needs it
  })().catch(() => {})
  return {
    seen: () => seen,
    async close() {
      closing.abort()
      await looking
      await client.end().catch(() => {})
    },
  }
}
