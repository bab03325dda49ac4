/**
 * What a request says about its client, one bit each. Each raises the difficulty by a bounded factor and none refuses a
 * visitor, because each can be wrong. Appended only: decisions keep their bits (reasons.ts).
 */
export const HINTS = [
  /** The User-Agent or its client hints name an automation tool. */
  'automation',
  /** The browser says that a program drives it (navigator.webdriver). */
  'webdriver',
  /** A header that this browser always sends is missing. */
  'headers',
  /** An earlier solution of the network was faster than any browser computes. */
  'speed',
  /** The page was not visible, or nobody had touched or typed anything where one would have. */
  'idle',
  /** A field that people do not see was filled in. */
  'honeypot',
] as const
export type Hint = (typeof HINTS)[number]

/** Those that can be noticed as late as with the solution, when the challenge has its price. Appended only, as above. */
export const LATE_HINTS = ['webdriver', 'speed', 'idle', 'honeypot'] as const satisfies readonly Hint[]

const DOUBLINGS = {
  automation: 2,
  webdriver: 2,
  headers: 1,
  speed: 1,
  idle: 1,
  honeypot: 2,
} as const satisfies Record<Hint, number>

/** All hints together double the difficulty at most so often. */
const MOST = 3

/** How often the hints together double the difficulty. */
export const doublingsOf = (hints: readonly Hint[]): number =>
  Math.min(
    MOST,
    hints.reduce((sum, hint) => sum + DOUBLINGS[hint], 0),
  )
