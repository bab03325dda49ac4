import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Client } from '../db/driver.ts'
import { OperatorError } from '../error.ts'
import type { Log } from '../process/log.ts'
import { prepareBinaries } from './binaries.ts'
import { endCluster, ensureCluster, isAlive, passwordOf, startCluster, stopCluster, urlOf } from './cluster.ts'
import { findPlace, refuseMissing } from './place.ts'
import { announce, type Holder, othersIn, type Presence } from './presence.ts'

/** A cluster held open: PostgreSQL runs until the last holder closes it. */
export interface Cluster {
  /** Connection string of one of its databases: for the role, or else for the superuser. */
  url(database: string, role?: string): string
  /** Creates a role that can sign in and has no other rights, if it does not exist. */
  createRole(name: string): Promise<void>
  /** Creates the database if it does not exist. With `owner`, it and everything in it belong to that role, and no other may connect. */
  createDatabase(name: string, owner?: string): Promise<void>
  close(): Promise<void>
  /** Ends PostgreSQL at once if no other process uses it: for a process that ends without closing. */
  abandon(): Promise<void>
}

// Session-level advisory locks decide races between processes that start and stop. They are released when their holder is
// killed, unlike lock files, but also when its session is lost: presence.ts says who is there nevertheless.
const SERVICE = 'pg_try_advisory_lock(84150, 1)'
const PRESENCE = { shared: 'pg_try_advisory_lock_shared(84150, 2)', alone: 'pg_try_advisory_lock(84150, 2)' }

/** `ended` resolves when the connection has ended, for whichever reason. */
type Session = { client: Client; ended: Promise<void> }

async function connect(url: string, label: string): Promise<Session> {
  const client = new Client({
    connectionString: url,
    application_name: label.slice(0, 63),
    connectionTimeoutMillis: 10_000,
  })
  client.on('error', () => {})
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  await client.connect()
  return { client, ended }
}

async function take(client: Client, lock: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(`select ${lock} as taken`)
  return rows[0]?.taken === true
}

async function holderOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.classid = 84150 and l.objid = 1 and l.granted`,
  )
  return rows[0]?.name ?? 'another process'
}

/** Ignores the error of a `create` that another process was faster with: `code`, or that of two at the same moment. */
const unlessItExists = (code: string) => (error: { code?: string }) => {
  if (error.code !== code && error.code !== '23505') throw error
}

/**
 * Starts DATA_DIR's PostgreSQL or takes over the running one, and holds it. A service creates the cluster if there is none.
 * A command never does, because a wrong DATA_DIR would give it an empty database and new sealing keys. While it is in use,
 * takes a lost hold again, and restarts PostgreSQL if it dies. Throws OperatorError, which says what to do and names the
 * process that already uses it. If `ending` is aborted meanwhile, throws its reason, and leaves nothing behind.
 */
export async function openCluster(dataDir: string, holder: Holder, log: Log, ending?: AbortSignal): Promise<Cluster> {
  if (holder.kind === 'command') refuseMissing(dataDir)
  const place = findPlace(dataDir)
  const binaries = prepareBinaries(place.account, place.copies)
  await ensureCluster(place, binaries, ending)
  let running = await startCluster(place, binaries, { ending })
  const url = (database: string, role?: string) => urlOf(place.clusterDir, running.port, database, role)

  /** A session with the locks of the holder; if another process has them, the name of that process. */
  const lock = async (): Promise<Session | string> => {
    const session = await connect(url('postgres'), holder.label)
    const { client } = session
    if ((await take(client, PRESENCE.shared)) && (holder.kind === 'command' || (await take(client, SERVICE))))
      return session
    const name = await holderOf(client)
    await client.end()
    return name
  }

  /** The same for a process that starts: a service has no other service beside it, even one that has lost its locks. */
  const enter = async (): Promise<{ entered: Session; presence: Presence } | string> => {
    const entered = await lock()
    if (typeof entered === 'string') return entered
    const presence = await announce(dataDir, holder, log)
    const rival = (await othersIn(dataDir, presence)).find(({ kind }) => kind === 'service')
    if (holder.kind === 'command' || !rival) return { entered, presence }
    presence.withdraw()
    await entered.client.end()
    return rival.label
  }

  const open = async () => {
    // the session of a killed holder ends a moment later, as does a command that is stopping PostgreSQL
    for (let attempt = 1; ; attempt++) {
      ending?.throwIfAborted()
      try {
        const result = await enter()
        if (typeof result !== 'string') return result
        if (attempt >= 15)
          throw new OperatorError(
            `DATA_DIR ${dataDir} is in use by ${result}. Stop it first, or use other values for this one: DATA_DIR=… PORT=… SHOP_PORT=… npm start`,
          )
      } catch (error) {
        if (error instanceof OperatorError || attempt >= 15) throw error
        running = await startCluster(place, binaries, { ending })
      }
      await sleep(200)
    }
  }
  const { entered, presence } = await open().catch(async (error: { code?: string }) => {
    if ((await othersIn(dataDir)).length === 0) await stopCluster(place, binaries)
    throw error
  })
  let session = entered.client
  const closing = new AbortController()
  let recovering: Promise<void> | undefined

  /** Starts PostgreSQL if it died, and takes the locks again, until that succeeds. */
  const recover = async () => {
    log.warn({ pid: running.pid }, isAlive(running.pid) ? 'the hold of PostgreSQL was lost' : 'PostgreSQL died')
    for (let attempt = 1; !closing.signal.aborted; attempt++) {
      try {
        running = await startCluster(place, binaries, { port: running.port, ending: closing.signal })
        const held = await lock()
        if (typeof held !== 'string') {
          void keep(held)
          log.warn({ pid: running.pid }, 'PostgreSQL is running and held again')
          return
        }
      } catch (err) {
        if (attempt === 1) log.error({ err }, 'PostgreSQL could not be started or held; trying again until it can')
      }
      await sleep(500)
    }
  }
  /** A session ends with its backend, and with PostgreSQL. */
  const keep = async ({ client, ended }: Session) => {
    session = client
    await ended
    if (!closing.signal.aborted) recovering = recover()
  }
  void keep(entered)

  /** A session for closing: without its locks if they were lost at this moment. */
  const lastSession = async (): Promise<Client | undefined> => {
    await recovering
    const isOpen = await session.query('select pg_advisory_unlock_shared(84150, 2)').then(
      () => true,
      () => false,
    )
    if (isOpen) return session
    for (let attempt = 1; isAlive(running.pid) && attempt <= 15; attempt++) {
      const fresh = await connect(url('postgres'), holder.label).catch(() => undefined)
      if (fresh) return fresh.client
      await sleep(200)
    }
    return undefined
  }

  return {
    url,
    async createRole(name) {
      const { rowCount } = await session.query('select 1 from pg_roles where rolname = $1', [name])
      const password = pg.escapeLiteral(passwordOf(place.clusterDir, name))
      if (!rowCount)
        await session
          .query(`create role ${pg.escapeIdentifier(name)} login password ${password}`)
          .catch(unlessItExists('42710'))
    },
    async createDatabase(name, owner) {
      const { rowCount } = await session.query('select 1 from pg_database where datname = $1', [name])
      if (rowCount) return
      const database = pg.escapeIdentifier(name)
      const of = owner === undefined ? '' : ` owner ${pg.escapeIdentifier(owner)}`
      // It gets its name once no other role may connect to it.
      const fresh = pg.escapeIdentifier(`${name}-${randomUUID()}`)
      await session.query(`create database ${fresh}${of}`)
      if (owner !== undefined) await session.query(`revoke connect, temporary on database ${fresh} from public`)
      await session.query(`alter database ${fresh} rename to ${database}`).catch(async (error: { code?: string }) => {
        await session.query(`drop database ${fresh}`)
        return unlessItExists('42P04')(error)
      })
    },
    async close() {
      closing.abort()
      presence.withdraw()
      const client = await lastSession()
      // the last process stops PostgreSQL: no other process uses it, and none can start to while this lock is held
      const isLast =
        client !== undefined &&
        (await take(client, PRESENCE.alone).catch(() => false)) &&
        (await othersIn(dataDir)).length === 0
      if (isLast) await stopCluster(place, binaries)
      await client?.end().catch(() => {})
    },
    async abandon() {
      closing.abort()
      presence.withdraw()
      if ((await othersIn(dataDir)).length === 0) await endCluster(place, binaries)
    },
  }
}
