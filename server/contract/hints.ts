/**
 * What a request says about its client, one bit each. Each raises the difficulty by a bounded factor and none refuses a
 * visitor, because each can be wrong. Appended only: decisions keep their bits (captcha/challenges/difficulty/reasons.ts).
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

/** The header in which the component sends what it noticed, as names with commas between them. Absent: nothing. */
export const FACTS_HEADER = 'svc-captcha-facts'
