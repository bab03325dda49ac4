import pg from 'pg'
import type { Log } from '../process/log.ts'
import { ConnectionError } from './driver.ts'

/** Disk full. */
const DISK_FULL = '53100'

/** Whether the error is about the server or the connection, and not about one statement that waited for too long. */
const isOutage = (error: unknown): error is Error =>
  error instanceof ConnectionError || (error instanceof pg.DatabaseError && /^(08|53|57P|25006)/.test(error.code ?? ''))

/**
 * Which statements the database refuses at present. One line is logged when the first one is refused and one when the last
 * of them has succeeded again: a statement that reads says nothing about one that writes to a full disk.
 */
export class Outages {
  readonly #log: Log
  readonly #refused = new Map<string, Error>()
  #since = 0
  #endedAt = Number.NEGATIVE_INFINITY

  constructor(log: Log) {
    this.#log = log
  }

  /** `sentAt`: of the statement, by `performance.now()`. */
  failed(statement: string, error: unknown, sentAt: number): void {
    if (!isOutage(error)) return
    if (this.#refused.size === 0) {
      // sent during the outage that has ended since: its failure is no news
      if (sentAt < this.#endedAt) return
      this.#since = performance.now()
      this.#log.warn({ err: error, statement }, 'the database is unavailable; calls that need it are answered 503')
    }
    this.#refused.set(statement, error)
  }

  succeeded(statement: string): void {
    if (this.#refused.size === 0 || !this.#refused.delete(statement) || this.#refused.size > 0) return
    this.#endedAt = performance.now()
    const seconds = Math.ceil((this.#endedAt - this.#since) / 1000)
    this.#log.warn({ seconds }, 'the database is available again')
  }

  /** Whether a statement was refused because the disk is full, and not accepted since. */
  get diskFull(): boolean {
    return [...this.#refused.values()].some((error) => error instanceof pg.DatabaseError && error.code === DISK_FULL)
  }

  /** Ends the outage of a full disk: a probe has found room. Statements that are refused again begin the next one. */
  diskHasRoom(): void {
    for (const statement of this.#refused.keys()) this.succeeded(statement)
  }
}
