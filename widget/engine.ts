/** Finds nonces for one puzzle at a time. */
export interface Engine {
  /** Makes ready for puzzle `index` of this 16-byte seed: digests whose first word is below `target` count. */
  prepare(seed: Uint8Array, index: number, target: number): void
  /** The first solving nonce among the uint32 `start … start + tries − 1` (wrapping), or −1. */
  search(start: number, tries: number): number
}
