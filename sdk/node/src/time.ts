import { setTimeout } from 'node:timers/promises'

/** What the waits between tries are measured and made with. In an object, so that tests need not wait. */
export const time = {
  /** Milliseconds of a monotonic clock. */
  now: (): number => performance.now(),
  sleep: (ms: number, signal: AbortSignal | undefined): Promise<void> =>
    setTimeout(ms, undefined, signal && { signal }),
  /** At least 0, below 1. */
  random: (): number => Math.random(),
}
