import { setTimeout as sleep } from 'node:timers/promises'

/** How a job does its parts, each at most a few statements: it is called for one after the other. */
export type Pace = <Out>(part: () => Promise<Out>) => Promise<Out>

/** One part after the other. */
export const atOnce: Pace = (part) => part()

/**
 * With a pause after each part, four times as long as it took. So a scheduled job takes at most a fifth of a core of the
 * database, and the verification path is hardly affected.
 */
export const paced: Pace = async (part) => {
  const began = performance.now()
  const out = await part()
  // a pause does not keep a process that ends
  await sleep((performance.now() - began) * 4, undefined, { ref: false })
  return out
}
