import asc from 'assemblyscript/asc'
import { scalar, simd } from './dialects.ts'
import { writeSearch } from './write.ts'

const OPTIONS = '--outFile search.wasm --runtime stub --noAssert --initialMemory 1'
// Higher levels reorder the operands, which write.ts has ordered for speed: 15.1 instead of 17.8 MH/s.
const LEVEL = '-O1'

/** Compiles the search to WebAssembly, with or without vectors. The module exports `search` and its `memory`. */
export async function compileSearch(kind: 'simd' | 'scalar'): Promise<Uint8Array<ArrayBuffer>> {
  const [dialect, feature] = kind === 'simd' ? [simd, '--enable simd'] : [scalar, '--disable simd']
  let module: Uint8Array | undefined
  const stderr = asc.createMemoryStream()
  const { error } = await asc.main(`search.ts ${OPTIONS} ${LEVEL} ${feature}`.split(' '), {
    stderr,
    readFile: (name) => (name === 'search.ts' ? writeSearch(dialect) : null),
    writeFile: (_, contents) => {
      if (typeof contents !== 'string') module = contents
    },
    listFiles: () => [],
  })
  if (error || !module) throw new Error(`The search does not compile: ${error?.message ?? ''}\n${stderr.toString()}`)
  return new Uint8Array(module)
}
