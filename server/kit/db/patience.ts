import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { AppError, OperatorError } from '../error.ts'
import type { Log } from '../process/log.ts'
import { isLockTimeout, isPassing } from './outage.ts'

const PAUSE_MS = 500

/** The codes of a server that is not there at the moment, from the network. A host without an address is a wrong setting. */
const AWAY = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'])

/** How the driver reports a connection that fails outside of a pool: only the text tells. */
const FAILED = /^(timeout expired|Connection terminated|the database did not start)/

/** A full disk is for a person to repair, and a lock is waited for where it is taken. */
const isForPerson = (error: unknown): boolean =>
  isLockTimeout(error) || (error instanceof pg.DatabaseError && error.code === '53100')

/** Whether the error, or what caused it, is an outage of the database that ends by itself. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error) || isForPerson(error)) return false
  return (
    isPassing(error) ||
    (error instanceof AppError && error.code === 'unavailable') ||
    AWAY.has((error as NodeJS.ErrnoException).code ?? '') ||
    FAILED.test(error.message) ||
    isAway(error.cause)
  )
}

export type Patience = {
  log: Log
  /** Aborted when waiting makes no sense any more. */
  ending: AbortSignal
  /** How long to go on, in milliseconds; without it, until `ending`. */
  longest?: number
}

/**
 * Runs a step of the start, which can run again after any failure, until it succeeds or fails for another reason than an outage of the
 * database: during a failover is when nodes are restarted. An outage is one line of the log, and its end another one.
 */
export async function untilItAnswers<Out>(
  { log, ending, longest = Number.POSITIVE_INFINITY }: Patience,
  work: () => Promise<Out>,
): Promise<Out> {
  const began = performance.now()
  for (let isTold = false; ; ) {
    ending.throwIfAborted()
    try {
      const out = await work()
      if (isTold)
        log.warn(
          { seconds: Math.ceil((performance.now() - began) / 1000) },
          'the database answers; the start continues',
        )
      return out
    } catch (err) {
      if (ending.aborted || !isAway(err) || performance.now() - began > longest) throw err
      const limit = Number.isFinite(longest) ? ` for ${longest / 1000} s` : ''
      const what = `the database is unavailable; the start waits for it${limit}`
      if (!isTold)
        log.warn(
          err instanceof OperatorError ? {} : { err },
          err instanceof OperatorError ? `${what}. ${err.message}` : what,
        )
      isTold = true
    }
    await sleep(PAUSE_MS, undefined, { signal: ending }).catch(() => {})
  }
}
