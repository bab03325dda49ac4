import { setTimeout as sleep } from 'node:timers/promises'
import { explain } from './explain.ts'

/**
 * Signals within this time of the first one are one wish to stop: Ctrl+C in a terminal reaches npm and the service, and npm
 * passes it on. A later one ends the process at once.
 */
const ONE_WISH_MS = 2000

/** A process is closed within this time, or ends without it. */
const CLOSING_MS = 10_000

/** How long what must not stay behind may take to end when the process ends at once. */
const ABANDONING_MS = 8000

/** What was started. `abandon`: for what would stay behind if the process ended, such as PostgreSQL: ends it at once. */
export type Part = { close(): Promise<void>; abandon?(): Promise<void> }

export type Run = {
  /** Aborted when the process is to end. */
  ending: AbortSignal
  /** Adds what was started: it is closed before what was added earlier. */
  add: (part: Part) => void
  /** Does what the first signal does, or a later one. */
  stop: () => void
}

/**
 * Runs `start` and whatever it adds, until one of the signals. Then, also during `start`, everything is closed in reverse order, and
 * the process exits with 0. At a signal that comes 2 s later or more, or if closing fails or takes 10 s longer than `delay`
 * milliseconds, it says so and exits with 1 at once. If `start` fails, what it has added is closed, and the error is thrown.
 */
export async function runUntilStopped(
  signals: readonly NodeJS.Signals[],
  delay: number,
  start: (run: Run) => Promise<void>,
): Promise<void> {
  const parts: Part[] = []
  const ended = new AbortController()
  let began = 0

  async function closeAll(): Promise<void> {
    for (let part = parts.pop(); part; part = parts.pop()) {
      closing.push(part)
      await part.close()
    }
  }
  /** What is closed at present or was: it may have to be abandoned as well. */
  const closing: Part[] = []

  let abandoned = false
  async function abandon(reason: string): Promise<void> {
    if (abandoned) return
    abandoned = true
    console.error(`\nTollgate ends without closing everything, and what was committed is safe.\n\n${reason}\n`)
    const all = Promise.allSettled([...parts, ...closing].map(async (part) => part.abandon?.()))
    await Promise.race([all, sleep(ABANDONING_MS)])
    process.exit(1)
  }

  const stop = (): void => {
    if (ended.signal.aborted) {
      if (performance.now() - began >= ONE_WISH_MS) void abandon('A second signal asked for it.')
      return
    }
    began = performance.now()
    ended.abort(new Error('the process was asked to stop'))
    const longest = delay + CLOSING_MS
    setTimeout(() => void abandon(`Closing takes longer than ${longest / 1000} s.`), longest)
    // a step of the start that is under way ends by `ending`, or fails
    void starting
      .catch(() => {})
      .then(closeAll)
      .then(
        () => process.exit(0),
        (error: unknown) => abandon(explain(error)),
      )
  }
  for (const signal of signals) process.on(signal, stop)
  const starting = start({ ending: ended.signal, add: (part) => void parts.push(part), stop })
  try {
    await starting
  } catch (error) {
    // the process is about to exit
    if (ended.signal.aborted) await new Promise(() => {})
    await closeAll()
    throw error
  }
}
