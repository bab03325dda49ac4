import { writeTable } from './table.ts'

/** Finds nonces for one puzzle at a time. */
export interface Engine {
  /** Makes ready for puzzle `index` of a seed of 32 hex digits: digests whose first word is below `target` count. */
  prepare(seed: string, index: number, target: number): void
  /** The first solving nonce among the uint32 `start … start + tries − 1` (wrapping), or −1; `tries` in fours. */
  search(start: number, tries: number): number
}

/** How far after `start` the first nonce is that solves the table's puzzle, or −1. */
export type Search = (start: number, tries: number) => number

/** The engine around a search, whichever language that is in, and the table that it reads. */
export function createEngine(table: Int32Array, search: Search): Engine {
  return {
    prepare: (seed, index, target) => writeTable(table, seed, index, target),
    search: (start, tries) => {
      const distance = search(start, tries)
      return distance < 0 ? -1 : (start + distance) >>> 0
    },
  }
}
