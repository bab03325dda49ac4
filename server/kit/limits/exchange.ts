/**
 * A key's weight now, and the milliseconds since it was first counted. `once`: what it was counted for; of the same key, others
 * that name it too are not added.
 */
export type Weight = { key: string; value: number; age: number; once?: string }

/**
 * What a node counted of a key since the last exchange: `value` can be negative. `halfLife` of the key's weights in
 * milliseconds. From the weight `loud` on, the total is sent to nodes that did not count the key.
 */
export type Added = Weight & { halfLife: number; loud: number }

/**
 * What is left of a weight after so many milliseconds, where it loses half per half-life; all of it if the clock was set back. The
 * Lua script in redisExchange.ts computes the same by Redis's clock.
 */
export const decayed = (weight: number, milliseconds: number, halfLife: number): number =>
  milliseconds > 0 ? weight * 0.5 ** (milliseconds / halfLife) : weight

/** Adds up decaying weights of all nodes. Without clocks of the nodes: everything is as of now, or so many milliseconds ago. */
export interface Exchange {
  /**
   * Adds the weights and resolves to the totals of these keys, and of loud keys that changed since the node's last
   * exchange. Undefined if the others cannot be reached: the batch may have arrived nevertheless, so it is sent
   * again under the same number, which is added once.
   */
  send(batch: number, added: readonly Added[]): Promise<Weight[] | undefined>
}
