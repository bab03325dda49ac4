import { setTimeout } from 'node:timers/promises'

/** What the waits between tries are measured and made with. In an object, so that tests need not wait. */
export const time = {
  /** Milliseconds on a clock that nobody sets. */
  now: (): number => performance.now(),
  sleep: (ms: number, signal: AbortSignal | undefined): Promise<void> =>
    setTimeout(ms, undefined, signal && { signal }),
  /** At least 0, below 1. */
  random: (): number => Math.random(),
}
