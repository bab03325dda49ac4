import { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'
import { PrismaClient } from '../../../prisma/client/client.ts'
import { AppError } from '../error.ts'
import type { Log } from '../process/log.ts'
import { Pool, type PoolOptions } from './driver.ts'
import { isPassing } from './outage.ts'
import { Outages } from './outages.ts'

/** A statement of the verification path: one per file, set-based. `name`: of its prepared form. */
export type Statement = { name: string; text: string }

export interface HotPool {
  /**
   * Runs a statement within its bounds: 1.5 s for a connection, 2.4 s for the answer.
   * After that, or if the database is unavailable or its synchronous standby did not confirm the commit, throws the refusal
   * `unavailable` and drops the connection; the statement may have committed nevertheless.
   */
  query<Row extends pg.QueryResultRow>(statement: Statement, values: unknown[]): Promise<Row[]>
}

/** `idle`: open connections that no statement uses. `waiting`: statements that wait for one. */
export type PoolState = { name: string; open: number; idle: number; waiting: number; limit: number }

/** `directUrl`: without a pooler, where `url` leads to one. */
export type DatabaseAddress = { url: string; directUrl?: string | undefined }

export interface Database extends DatabaseAddress {
  prisma: PrismaClient
  /** Connections for everything else, such as jobs and checks: never through a pooler. */
  pool: pg.Pool
  hotPool: HotPool
  /** Of the hot pool. */
  outages: Outages
  /** The connections of this process now. */
  pools(): PoolState[]
  close(): Promise<void>
}

const CONNECT_MS = 1500
const ANSWER_MS = 2000

/** A connection that takes longer than this is one to a server that is away, also on a machine under load. */
const UNBOUNDED: PoolOptions = { connectionTimeoutMillis: 60_000 }

/**
 * The statements of the verification path always read a few rows by key, so one generic plan is right. By default
 * the planner plans again for every call (2.08 → 1.38 CPU-seconds per 1,000 flows, measured one request at a time).
 */
const PLANNER_SETTINGS = [
  'plan_cache_mode=force_generic_plan',
  'jit=off',
  'enable_seqscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'enable_bitmapscan=off',
  'enable_material=off',
]

/** What each function of the verification path sets for itself, so that a pooler, which drops settings, keeps them. */
// a request whose tenant has to be tried alone waits for a lock twice
export const FUNCTION_SETTINGS = [...PLANNER_SETTINGS, 'lock_timeout=800ms']

const CONNECTION_SETTINGS = [...FUNCTION_SETTINGS, 'statement_timeout=1900', 'idle_in_transaction_session_timeout=5000']

function createPool(url: string, log: Log, options: PoolOptions): pg.Pool {
  const pool = new Pool({ connectionString: url, connectionTimeoutMillis: CONNECT_MS, ...options })
  // without a listener, a lost connection would end the process
  pool.on('error', (err) => log.debug({ err }, 'an idle database connection ended'))
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** `isPooled`: a statement prepared on one connection may not exist on that of the next call. */
export function createHotPool(pool: pg.Pool, outages: Outages, isPooled = false): HotPool {
  return {
    async query<Row extends pg.QueryResultRow>({ name, text }: Statement, values: unknown[]): Promise<Row[]> {
      const sentAt = performance.now()
      try {
        // after a failure, the connection is in an unknown state: the pool closes it
        const { rows } = await pool.query<Row>(isPooled ? { text, values } : { name, text, values })
        outages.succeeded(name)
        return rows
      } catch (cause) {
        outages.failed(name, cause, sentAt)
        throw isPassing(cause) ? new AppError('unavailable', { cause }) : cause
      }
    },
  }
}

/** Connections of one of `processes` that share a database: fewer each, but enough for the statements that it runs at once. */
const connections = (alone: number, least: number, processes: number): number =>
  Math.max(least, Math.ceil((2 * alone) / (processes + 1)))

export type DatabaseOptions = {
  /** Those on this machine that share the database. */
  processes?: number
  /** Statements outside of the verification path may take as long as they need: no person waits for them. */
  isUnbounded?: boolean
}

/**
 * The connections of this process. `directUrl`: of the same database without the pooler that
 * `url` leads to. In transaction mode, a pooler gives each transaction another connection, so nothing may be kept in one: no
 * settings, no prepared statements, no listening.
 */
export function createDatabase(
  { url, directUrl }: DatabaseAddress,
  log: Log,
  { processes = 1, isUnbounded = false }: DatabaseOptions = {},
): Database {
  const isPooled = directUrl !== undefined
  const pool = createPool(directUrl ?? url, log, {
    max: connections(10, 2, processes),
    ...(isUnbounded ? UNBOUNDED : { answerMillis: 30_000 }),
    application_name: 'tollgate',
  })
  const hotConnections = createPool(url, log, {
    max: connections(12, 5, processes),
    answerMillis: ANSWER_MS,
    // connecting costs more than keeping idle connections, and many connections at once after a quiet time must be avoided
    idleTimeoutMillis: 0,
    application_name: 'tollgate hot path',
    settings: CONNECTION_SETTINGS,
    isPooled,
  })
  const ofPrisma = createPool(url, log, {
    max: connections(10, 3, processes),
    // a person waits longer than a merchant's backend
    ...(isUnbounded ? UNBOUNDED : { connectionTimeoutMillis: 5000, answerMillis: 10_000 }),
    // a chart groups some ten thousand counts: within the default 4 MB they are sorted on disk
    settings: ['work_mem=16MB', 'idle_in_transaction_session_timeout=60000'],
    isPooled,
  })
  const outages = new Outages(log)
  const prisma = new PrismaClient({ adapter: new PrismaPg(ofPrisma) })
  return {
    url,
    directUrl,
    prisma,
    pool,
    hotPool: createHotPool(hotConnections, outages, isPooled),
    pools: () =>
      Object.entries({ verification: hotConnections, console: ofPrisma, jobs: pool }).map(([name, each]) => ({
        name,
        open: each.totalCount,
        idle: each.idleCount,
        waiting: each.waitingCount,
        limit: each.options.max,
      })),
    outages,
    async close() {
      await prisma.$disconnect()
      await Promise.all([ofPrisma.end(), pool.end(), hotConnections.end()])
    },
  }
}
