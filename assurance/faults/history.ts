import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs'

/** A request before it is sent. `op`: what it belongs to; repetitions of one operation share it. `body`: without credentials. */
export type Attempt = {
  kind: 'attempt'
  seq: number
  op: string
  purchase: string
  tenant: string
  site: string
  path: string
  body: Record<string, unknown>
}
/** What came back for the attempt `of`. `ms`: since the history began, on a clock that nothing moves. */
export type Answer = { kind: 'answer'; seq: number; of: number; ms: number; status: number; text: string }
/** No answer came back for the attempt `of`: it may have been done or not. */
export type Lost = { kind: 'lost'; seq: number; of: number; reason: string }
/** What a tenant had before its first request. */
export type Books = { kind: 'books'; seq: number; tenant: string; quota: number; balance: number }
/** No commit can be confirmed from `began`, a sequence number, until this line. */
export type Unconfirmed = { kind: 'unconfirmed'; seq: number; began: number }

export type Line = Attempt | Answer | Lost | Books | Unconfirmed
/** A line without its number. */
type Entry = Line extends infer Each ? (Each extends Line ? Omit<Each, 'seq'> : never) : never

/**
 * The checker's own record of what it sent and what came back: a file of JSON lines that only grows. Each line is on the disk
 * before the call returns, so an attempt is recorded before its request leaves, and an answer before anything follows from it.
 */
export class History {
  readonly path: string
  readonly #file: number
  #seq = 0

  constructor(path: string) {
    this.path = path
    // the file of another run would mix with this one
    this.#file = openSync(path, 'ax')
  }

  /** The number of the next line. */
  get next(): number {
    return this.#seq + 1
  }

  /** Appends a line and returns its number. */
  write(entry: Entry): number {
    this.#seq += 1
    writeSync(this.#file, `${JSON.stringify({ ...entry, seq: this.#seq })}\n`)
    fdatasyncSync(this.#file)
    return this.#seq
  }

  close(): void {
    closeSync(this.#file)
  }
}

/** The lines of a history from the number `from` on, and before `to`. */
export function readHistory(path: string, from = 1, to = Number.POSITIVE_INFINITY): Line[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
    .filter(({ seq }) => seq >= from && seq < to)
}
