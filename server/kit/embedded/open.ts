import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { OperatorError } from '../error.ts'
import type { Log } from '../log.ts'
import { prepareBinaries } from './binaries.ts'
import { alive, ensureCluster, passwordOf, startCluster, stopCluster, urlOf } from './cluster.ts'
import { giveDatabase } from './giveDatabase.ts'
import { findPlace, refuseMissing } from './place.ts'

/** A cluster held open: PostgreSQL runs until the last holder closes it. */
export interface Cluster {
  /** Connection string of one of its databases: for the role, or else for the superuser. */
  url(database: string, role?: string): string
  /** Creates a role that can sign in and has no other rights, if it does not exist. */
  createRole(name: string): Promise<void>
  /** Creates the database if it does not exist. With `owner`, it and everything in it belong to that role, and no other may connect. */
  createDatabase(name: string, owner?: string): Promise<void>
  close(): Promise<void>
}

/** A process that uses a cluster: one service, and any number of commands. */
export type Holder = { kind: 'service' | 'command'; label: string }

// Session-level advisory locks: they are released when their holder is killed, unlike lock files.
const SERVICE = 'pg_try_advisory_lock(84150, 1)'
const PRESENCE = { shared: 'pg_try_advisory_lock_shared(84150, 2)', alone: 'pg_try_advisory_lock(84150, 2)' }

async function connect(url: string, label: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: label.slice(0, 63),
    connectionTimeoutMillis: 10_000,
  })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function take(client: pg.Client, lock: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(`select ${lock} as taken`)
  return rows[0]?.taken === true
}

async function holderOf(client: pg.Client): Promise<string> {
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
 * A command never does, because a wrong DATA_DIR would give it an empty database and new sealing keys. Restarts it if it
 * dies while in use. Throws OperatorError, which says what to do and names the process that already uses it.
 */
export async function openCluster(dataDir: string, holder: Holder, log: Log): Promise<Cluster> {
  if (holder.kind === 'command') refuseMissing(dataDir)
  const place = findPlace(dataDir)
  const binaries = prepareBinaries(place.account, place.copies)
  await ensureCluster(place, binaries)
  let running = await startCluster(place, binaries)
  const url = (database: string, role?: string) => urlOf(place.clusterDir, running.port, database, role)

  const hold = async (): Promise<pg.Client> => {
    // the session of a killed holder ends a moment later, as does a command that is stopping PostgreSQL
    for (let attempt = 1; ; attempt++) {
      try {
        const client = await connect(url('postgres'), holder.label)
        if ((await take(client, PRESENCE.shared)) && (holder.kind === 'command' || (await take(client, SERVICE))))
          return client
        const name = await holderOf(client)
        await client.end()
        if (attempt >= 15)
          throw new OperatorError(
            `DATA_DIR ${dataDir} is in use by ${name}. Stop it first, or use other values for this one: DATA_DIR=… PORT=… SHOP_PORT=… npm start`,
          )
      } catch (error) {
        if (error instanceof OperatorError || attempt >= 15) throw error
        running = await startCluster(place, binaries)
      }
      await sleep(200)
    }
  }
  let session = await hold()
  let closed = false
  let restarting: Promise<void> | undefined

  const restart = async () => {
    log.warn({ pid: running.pid }, 'PostgreSQL died; restarting it')
    running = await startCluster(place, binaries, running.port)
    session = await hold()
    log.warn({ pid: running.pid }, 'PostgreSQL is running again')
  }
  const watch = setInterval(() => {
    if (closed || restarting || alive(running.pid)) return
    restarting = restart()
      .catch((err: unknown) => log.error({ err }, 'PostgreSQL could not be restarted'))
      .finally(() => {
        restarting = undefined
      })
  }, 500)
  watch.unref()

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
      if (!rowCount) await session.query(`create database ${pg.escapeIdentifier(name)}`).catch(unlessItExists('42P04'))
      if (owner !== undefined) await giveDatabase(url(name), name, owner)
    },
    async close() {
      closed = true
      clearInterval(watch)
      await restarting
      // the last process stops PostgreSQL: no other process uses it, and none can start to while this lock is held
      await session.query('select pg_advisory_unlock_shared(84150, 2)').catch(() => {})
      const last = await take(session, PRESENCE.alone).catch(() => false)
      if (last) await stopCluster(place, binaries)
      await session.end().catch(() => {})
    },
  }
}
