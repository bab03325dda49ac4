/** The state is judged once per interval. Milliseconds, like all times here. */
const INTERVAL = 50
/** So much longer than at its best may an answer take: the wait of an accepted request. */
const WAIT = 200
/** Accepted before anything is known about the machine, and while nothing is answered. */
const AT_FIRST = 1000
const STALLED = 64
/** Nothing is answered: no answer for so long. */
const SILENT = 500
/** An overload is over when nothing was refused for this long. */
const CALM = 1000
/** The highest rate and the shortest time are forgotten by half in about ten minutes: the machine may become slower. */
const FORGET = 0.5 ** (INTERVAL / (10 * 60_000))

/**
 * Decides whether a request is worth beginning. In a queue that is longer than its callers wait, all work is for
 * clients that have gone. So no more requests are accepted than are answered within about 200 ms, by the rate of the answers
 * (Little's law), and the others are refused at once. For one endpoint: what is stuck at one does not refuse another.
 */
export class Admission {
  #pending = 0
  /** Answers in this interval, and the shortest time of one. */
  #answers = 0
  #shortest = Number.POSITIVE_INFINITY
  /** The shortest time of the interval before, if it was too long. */
  #before = Number.POSITIVE_INFINITY
  #judgedAt: number
  /** Answers per second recently, and the highest that this was. */
  #rate = 0
  #highest = 0
  /** The shortest time of an answer in the last minutes: what the database's commit takes without any wait. */
  #best = Number.POSITIVE_INFINITY
  #refusedAt = Number.NEGATIVE_INFINITY
  #overloaded = false
  #refused = 0
  readonly #onRefusals: (refused: number | undefined) => void
  readonly #now: () => number

  /** `onRefusals` is called when refusals begin, without a number, and when they have ended, with how many there were. */
  constructor(onRefusals: (refused: number | undefined) => void, now: () => number = () => performance.now()) {
    this.#onRefusals = onRefusals
    this.#now = now
    this.#judgedAt = now()
  }

  /** The time, if the request is accepted; then `leave` must be called with it. Otherwise undefined. */
  enter(): number | undefined {
    const now = this.#now()
    this.#judge(now)
    if (this.#pending >= this.#most()) {
      this.#refusedAt = now
      this.#refused += 1
      if (this.#refused === 1) this.#onRefusals(undefined)
      return undefined
    }
    this.#pending += 1
    return now
  }

  /** Ends a request that was accepted at `entered`. `answered`: with 200; a refusal may need no work at all. */
  leave(entered: number, answered: boolean): void {
    const now = this.#now()
    this.#pending -= 1
    if (answered) {
      this.#answers += 1
      this.#shortest = Math.min(this.#shortest, now - entered)
    }
    this.#judge(now)
  }

  get pending(): number {
    return this.#pending
  }

  /** Answers per second, recently. */
  get rate(): number {
    return this.#rate
  }

  #most(): number {
    const time = (WAIT + (this.#best === Number.POSITIVE_INFINITY ? 0 : this.#best)) / 1000
    return this.#overloaded ? Math.max(STALLED, this.#rate * time) : Math.max(AT_FIRST, this.#highest * time)
  }

  #judge(now: number): void {
    const passed = now - this.#judgedAt
    // without an answer, the interval goes on until it means something
    if (passed < (this.#answers === 0 && this.#pending > 0 ? SILENT : INTERVAL)) return
    // over about half a second
    this.#rate += ((this.#answers / passed) * 1000 - this.#rate) * (1 - Math.exp(-passed / 500))
    const forget = FORGET ** (passed / INTERVAL)
    this.#highest = Math.max(this.#rate, this.#highest * forget)
    const isLate = this.#answers > 0 && this.#shortest > this.#best + WAIT
    // After a pause, of the database for example, the answers are late as well, but less so from one interval to the next
    const slow = this.#answers > 0 ? isLate && this.#shortest >= this.#before : this.#pending >= STALLED
    this.#before = isLate ? this.#shortest : Number.POSITIVE_INFINITY
    this.#best = Math.min(this.#shortest, this.#best / forget)
    if (slow) this.#overloaded = true
    else if (now - this.#refusedAt > CALM) {
      this.#overloaded = false
      if (this.#refused > 0) this.#onRefusals(this.#refused)
      this.#refused = 0
    }
    this.#judgedAt = now
    this.#answers = 0
    this.#shortest = Number.POSITIVE_INFINITY
  }
}
