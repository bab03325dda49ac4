import { writeTable } from './table.ts'

/** Finds nonces for one puzzle at a time. */
export interface Engine {
  /**
   * Prepares puzzle `index` of a seed in hex, which hashes with a first word below `target` solve. `span`: see solve.ts.
   * Rejects if the browser cannot run the program of the puzzle.
   */
  prepare(seed: string, index: number, target: number, span?: number): unknown
  /** The first solving nonce among the uint32 `start … start + tries − 1` (wrapping), or −1; `tries` in fours. */
  search(start: number, tries: number): number
}

/** The distance from `start` to the first nonce that solves the table's puzzle, or −1. */
export type Search = (start: number, tries: number) => number

/** The engine for a search in any language and the table that it reads. */
export function createEngine(table: Int32Array, search: Search): Engine {
  return {
    prepare: (seed, index, target) => writeTable(table, seed, index, target),
    search: (start, tries) => {
      const distance = search(start, tries)
      return distance < 0 ? -1 : (start + distance) >>> 0
    },
  }
}
