import { search } from 'search:javascript'
import { createEngine, type Engine } from './engine.ts'
import { TABLE } from './table.ts'

/** The engine in plain JavaScript, for pages that forbid WebAssembly: a third of the speed. */
export function createScriptEngine(): Engine {
  const table = new Int32Array(TABLE.length)
  return createEngine(table, (start, tries) => search(table, start, tries))
}
