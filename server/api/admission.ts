import type { ServerResponse } from 'node:http'
import type { Context, Resource } from '../kit/context.ts'
import { AppError } from '../kit/error.ts'
import { afterAccepting } from '../kit/process/turn.ts'
import { wireError } from './errors.ts'

/** Served at a time, by endpoint: what two batches of a statement hold. */
const SERVED = 400
/** More than these do not wait, and no longer than this, in milliseconds: an answer is due after 4 s. */
const WAITING = 1000
const WAIT_MS = 2000
/** A refusal is sent after this time. */
const HELD_MS = 1000
/** An overload is over when nothing was refused for this long. */
const CALM_MS = 1000

type Waiting = { since: number; settle: (admitted: boolean) => void }

/**
 * Decides which requests of an endpoint are served. A number of them is served at a time, and others wait for their turn, in
 * their order. Those that are too many or would wait too long are refused, because all work for them would be for clients that have
 * gone. Each endpoint has its own, so that what is stuck at one does not refuse another.
 */
export class Admission {
  #served = 0
  #waiting: Waiting[] = []
  #scheduled = false
  #timer: NodeJS.Timeout | undefined
  #refused = 0
  #refusedAt = 0
  readonly #note: (refused: number | undefined) => void

  /** `note` is called when refusals begin, without a number, and when they have ended, with how many there were. */
  constructor(note: (refused: number | undefined) => void) {
    this.#note = note
  }

  /** Whether a further request is refused. */
  get isFull(): boolean {
    return this.#served + this.#waiting.length >= SERVED + WAITING
  }

  /** Whether the request is admitted, in the turn in which it is served. Then `leave` must be called. */
  enter(): Promise<boolean> {
    return new Promise((settle) => {
      this.#waiting.push({ since: performance.now(), settle })
      this.#schedule()
    })
  }

  /** Ends a request that was admitted. */
  leave(): void {
    this.#served -= 1
    if (this.#waiting.length > 0) this.#schedule()
  }

  /** Counts a refusal. */
  refuse(): void {
    this.#refusedAt = performance.now()
    this.#refused += 1
    if (this.#refused > 1) return
    this.#note(undefined)
    const timer = setInterval(() => {
      if (performance.now() - this.#refusedAt < CALM_MS) return
      clearInterval(timer)
      this.#note(this.#refused)
      this.#refused = 0
    }, CALM_MS).unref()
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    void afterAccepting().then(() => this.#begin())
  }

  #begin(): void {
    this.#scheduled = false
    const late = performance.now() - WAIT_MS
    const inTime = this.#waiting.findIndex(({ since }) => since > late)
    for (const { settle } of this.#waiting.splice(0, inTime < 0 ? this.#waiting.length : inTime)) {
      this.refuse()
      settle(false)
    }
    const begun = this.#waiting.splice(0, Math.max(0, SERVED - this.#served))
    this.#served += begun.length
    for (const { settle } of begun) settle(true)
    // for those that wait while none is answered
    clearTimeout(this.#timer)
    const [first] = this.#waiting
    if (first) this.#timer = setTimeout(() => this.#schedule(), first.since - late)
  }
}

const ADMISSIONS: Resource<Map<string, Admission>> = { name: 'admissions', make: () => new Map() }

/** The admission of an endpoint. A log line says when it begins to refuse requests, and when that has ended. */
export function admissionOf({ resources, log }: Pick<Context, 'resources' | 'log'>, endpoint: string): Admission {
  const all = resources.of(ADMISSIONS)
  let admission = all.get(endpoint)
  if (!admission) {
    admission = new Admission((refused) => {
      if (refused === undefined)
        log.warn({ endpoint }, 'more requests arrive than can be answered in time; the others get 503')
      else log.warn({ endpoint, refused }, 'requests are answered again')
    })
    all.set(endpoint, admission)
  }
  return admission
}

const { status, body } = wireError(new AppError('unavailable'))
const HEADERS = {
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(body)),
  'retry-after': '1',
}

/**
 * Refuses a request that is not admitted, without reading it. The refusal is sent a second later: it costs up to half as much as an
 * answer, and a client that waits for it sends nothing else meanwhile. Headers that were set on the response are kept.
 */
export function sendUnavailable(response: ServerResponse): void {
  setTimeout(() => {
    if (response.destroyed) return
    response.writeHead(status, HEADERS)
    response.end(body)
  }, HELD_MS)
}
