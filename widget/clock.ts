/** The time by the clock that runs on when the other one is set. */
const START = Date.now() - performance.now()

/**
 * Milliseconds since 1970 on this browser's clock. The wall clock can be set back, and the other one stops while some devices
 * sleep, so the later one counts.
 */
export const now = (): number => Math.max(Date.now(), START + performance.now())
