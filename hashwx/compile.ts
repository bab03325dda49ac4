import { readFileSync } from 'node:fs'
import asc from 'assemblyscript/asc'

/** The modules: the emitter runs in browsers and is optimised for size, the verifier on the server for speed. */
const LEVELS = { emitter: '-Oz', verifier: '-O3' } as const

export type HashwxModule = keyof typeof LEVELS

/** The compiler's data begins behind the addresses of assembly/layout.ts. */
const OPTIONS = '--outFile out.wasm --runtime stub --noAssert --initialMemory 1 --memoryBase 32768'

/** Compiles a module of hashwx/assembly to WebAssembly. */
export async function compileHashwx(module: HashwxModule): Promise<Uint8Array<ArrayBuffer>> {
  let compiled: Uint8Array | undefined
  const stderr = asc.createMemoryStream()
  const { error } = await asc.main(`${module}.ts ${OPTIONS} ${LEVELS[module]}`.split(' '), {
    stderr,
    readFile: (name) => (name.includes('/') || !name.endsWith('.ts') ? null : readAssembly(name)),
    writeFile: (_, contents) => {
      if (typeof contents !== 'string') compiled = contents
    },
    listFiles: () => [],
  })
  if (error || !compiled) throw new Error(`${module} does not compile: ${error?.message ?? ''}\n${stderr.toString()}`)
  return new Uint8Array(compiled)
}

function readAssembly(name: string): string | null {
  try {
    return readFileSync(new URL(`assembly/${name}`, import.meta.url), 'utf8')
  } catch {
    return null
  }
}
