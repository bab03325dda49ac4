import { setTimeout } from 'node:timers/promises'

/** Clock and timer for the waits between tries. An object, so that tests can replace them. */
export const time = {
  /** Milliseconds of a monotonic clock. */
  now: (): number => performance.now(),
  sleep: (ms: number, signal: AbortSignal | undefined): Promise<void> =>
    setTimeout(ms, undefined, signal && { signal }),
  /** At least 0, below 1. */
  random: (): number => Math.random(),
}
