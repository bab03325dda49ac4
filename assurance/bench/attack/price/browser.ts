import { readdirSync, readFileSync } from 'node:fs'
import { TABLE, writeTable } from '../../../../widget/solver/table.ts'

const ASSETS = 'dist/widget/assets'
const CHUNK = 1 << 18

/** The exports of the component's search (widget/solver/wasm.ts). */
type Exports = { memory: { buffer: ArrayBuffer }; search: (start: number, tries: number) => number }

/** Node.js has it; its types come with those of browsers only. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { instantiate(source: Buffer): Promise<{ instance: { exports: Exports } }> }
}

/**
 * Million hashes per CPU second of the component's WebAssembly, in Node.js: the engine is Chromium's, and CPU time can be
 * measured, which other load on the machine does not change. Needs a build. `npm run bench:solver` measures in Chromium.
 */
export async function browserRate(milliseconds: number): Promise<number> {
  const folder = readdirSync(ASSETS).find((name) => name.startsWith('solver-'))
  if (!folder) throw new Error('No solver in dist/widget: run `npm run build` first.')
  const { instance } = await WebAssembly.instantiate(readFileSync(`${ASSETS}/${folder}/simd.wasm`))
  const { memory, search } = instance.exports
  // nothing is below 0: the search never ends early
  writeTable(new Int32Array(memory.buffer, 0, TABLE.length), '00'.repeat(16), 0, 0)
  const measure = (duration: number): number => {
    const begun = process.cpuUsage()
    let hashes = 0
    for (;;) {
      if (search(hashes | 0, CHUNK) >= 0) throw new Error('found a nonce for an impossible target')
      hashes += CHUNK
      const used = process.cpuUsage(begun)
      const microseconds = used.user + used.system
      if (microseconds >= duration * 1000) return hashes / microseconds
    }
  }
  // the compiler's second pass
  measure(milliseconds / 2)
  return measure(milliseconds)
}
