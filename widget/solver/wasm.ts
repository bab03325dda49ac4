import { createEngine, type Engine, type Search } from './engine.ts'
import { TABLE } from './table.ts'

/** The exports of the module that build/compile.ts compiles. */
interface SearchExports extends WebAssembly.Exports {
  readonly memory: WebAssembly.Memory
  readonly search: Search
}

/** The engine in WebAssembly; `module` is the compiled search, with or without vectors. */
export async function createWasmEngine(module: WebAssembly.Module): Promise<Engine> {
  const { memory, search } = (await WebAssembly.instantiate(module)).exports as SearchExports
  return createEngine(new Int32Array(memory.buffer, 0, TABLE.length), search)
}
