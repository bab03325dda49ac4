import { createEngine, type Engine, type Search } from './engine.ts'
import { createHashwxEngine, type Emitter } from './hashwx.ts'
import { TABLE } from './table.ts'

/** The exports of the module that build/compile.ts compiles. */
interface SearchExports extends WebAssembly.Exports {
  readonly memory: WebAssembly.Memory
  readonly search: Search
}

/** The engine in WebAssembly; `module` is the compiled search, with or without vectors, or the emitter of HashWX. */
export async function createWasmEngine(module: WebAssembly.Module): Promise<Engine> {
  const exports = (await WebAssembly.instantiate(module)).exports as SearchExports | Emitter
  return 'emit' in exports
    ? createHashwxEngine(exports as Emitter)
    : createEngine(new Int32Array(exports.memory.buffer, 0, TABLE.length), exports.search)
}
