import { setTimeout as sleep } from 'node:timers/promises'

/** How a job does its parts, such as the statements of a sweep or the tenants of a comparison: it is called for each in turn. */
export type Pace = <Out>(part: () => Promise<Out>) => Promise<Out>

/** One part after the other. */
export const atOnce: Pace = (part) => part()

/** With a pause after each part, four times as long as it took: a job is busy for a fifth of its time, so verifications are hardly slower. */
export const paced: Pace = async (part) => {
  const began = performance.now()
  const out = await part()
  // a pause does not keep a process that ends
  await sleep((performance.now() - began) * 4, undefined, { ref: false })
  return out
}
