import type { Engine } from './engine.ts'
import { seedWords } from './table.ts'

/** The exports of hashwx/assembly/emitter.ts. */
export interface Emitter extends WebAssembly.Exports {
  readonly memory: WebAssembly.Memory
  /** Emits the module for a puzzle and returns the address of its end; 0 if the previous module is for it too. */
  readonly emit: (index: number, target: number, span: number) => number
}

/** The exports of an emitted module. */
interface Emitted extends WebAssembly.Exports {
  /** The first solving nonce, or −1. */
  readonly search: (index: number, start: number, tries: number, target: number) => number
}

/** Where the emitted module begins: OUTPUT of hashwx/assembly/layout.ts. */
const MODULE = 8192

/** The engine for HashWX: each program is a module of its own. Serves the puzzles of one challenge. */
export function createHashwxEngine({ memory, emit }: Emitter): Engine {
  let emitted: Emitted
  let search: Engine['search']
  return {
    prepare: async (seed, index, target, span = 0) => {
      new Uint32Array(memory.buffer).set(seedWords(seed))
      const end = emit(index, target, span)
      if (end) emitted = (await WebAssembly.instantiate(memory.buffer.slice(MODULE, end))).instance.exports as Emitted
      search = (start, tries) => emitted.search(index, start, tries, target)
    },
    search: (start, tries) => search(start, tries),
  }
}
