import pg from 'pg'
import { Prisma } from '../../../prisma/client/client.ts'
import type { Log } from '../process/log.ts'
import { ConnectionError } from './driver.ts'

/** Codes of Prisma: not reached (P1001, P1002), too slow (P1008), closed (P1017), no connection or transaction in time, too many connections. */
const PASSING_OF_PRISMA = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037'])

/** Kinds of the same in errors of Prisma's driver adapter, which raw statements pass on. */
const PASSING_OF_ADAPTER = new Set(['DatabaseNotReachable', 'SocketTimeout', 'ConnectionClosed', 'TooManyConnections'])

/**
 * Whether a database error is transient and not about the statement: the server is unavailable, starting, full, failing
 * over, or too slow. The same statement may succeed a moment later, and may even have committed. Decided by class and code:
 * a message can quote what a client sent.
 */
export function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError) return true
  if (error instanceof pg.DatabaseError) return isPassingState(error.code)
  if (error instanceof Prisma.PrismaClientInitializationError) return PASSING_OF_PRISMA.has(error.errorCode ?? '')
  if (error instanceof Prisma.PrismaClientKnownRequestError)
    return PASSING_OF_PRISMA.has(error.code) || isPassing(error.meta?.['driverAdapterError'])
  if (!isAdapterError(error)) return false
  const { kind, originalCode } = error.cause
  return PASSING_OF_ADAPTER.has(String(kind)) || isPassingState(originalCode)
}

/**
 * Logs that a call was answered `unavailable` because the database did not answer it in time. Not in the words with which an outage
 * begins and ends in the log (outages.ts), each once.
 */
export const logOutage = (log: Log, err: unknown, requestId: string): void =>
  log.warn({ err, requestId }, 'a call was answered 503, because the database did not answer it')

/** 08 connection, 53 resources (disk full too), 57 intervention (cancelled, shutdown), 55P03 lock, 25006 read-only standby. */
const isPassingState = (state: unknown): boolean =>
  typeof state === 'string' && (/^(08|53|57)/.test(state) || state === '55P03' || state === '25006')

/** Whether a statement waited too long for a lock that another transaction holds: nothing was written. */
export const isLockTimeout = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '55P03'

/** An error of Prisma's driver adapter. Its class is in a package of Prisma's own. */
const isAdapterError = (error: unknown): error is Error & { cause: { kind?: unknown; originalCode?: unknown } } =>
  error instanceof Error &&
  error.name === 'DriverAdapterError' &&
  typeof error.cause === 'object' &&
  error.cause !== null

/** Whether two transactions conflicted (serialization failure, deadlock): nothing was written, and a retry helps. */
export function isConflict(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return error.code?.startsWith('40') === true
  if (error instanceof Prisma.PrismaClientKnownRequestError)
    return error.code === 'P2034' || isConflict(error.meta?.['driverAdapterError'])
  if (!isAdapterError(error)) return false
  const { kind, originalCode } = error.cause
  return kind === 'TransactionWriteConflict' || String(originalCode).startsWith('40')
}

/** Whether a write of Prisma's failed because a unique value is taken. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'

/** Whether a statement found that a row, or what it refers to, was deleted since it was looked up. */
export function isGone(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return error.code === '23503'
  if (error instanceof Prisma.PrismaClientKnownRequestError)
    return error.code === 'P2025' || error.code === 'P2003' || isGone(error.meta?.['driverAdapterError'])
  return isAdapterError(error) && error.cause.originalCode === '23503'
}
