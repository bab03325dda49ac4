import { createEngine, type Engine } from './engine.ts'
import { TABLE } from './table.ts'

/** The engine in WebAssembly; `module` is the compiled search, with or without vectors. */
export async function createWasmEngine(module: WebAssembly.Module): Promise<Engine> {
  const { memory, search } = (await WebAssembly.instantiate(module)).exports
  if (!(memory instanceof WebAssembly.Memory) || typeof search !== 'function') throw new TypeError('not the search')
  const table = new Int32Array(memory.buffer, 0, TABLE.length)
  return createEngine(table, (start, tries) => Number(search(start, tries)))
}
