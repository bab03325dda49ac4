/**
 * The database's clock, extrapolated between answers by this process's monotonic clock.
 *
 * The verification path uses the database's time. Statements use `now()`; what happens without a statement (sealing and
 * opening challenges and tokens) reads this clock, which is set by the answer of every statement.
 */
export interface Clock {
  /** Milliseconds since the epoch, by the database's clock. */
  now(): number
  /** Sets the clock from a reading of the database's clock, in milliseconds since the epoch. */
  set(databaseNow: number): void
}

export function createClock(databaseNow: number): Clock {
  let offset = databaseNow - performance.now()
  return {
    now: () => offset + performance.now(),
    set(reading) {
      offset = reading - performance.now()
    },
  }
}

/** Milliseconds as whole Unix seconds. */
export const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)
