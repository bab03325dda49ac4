import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileHashwx } from '../../../../hashwx/compile.ts'
import { createInstance, hashNonce, programSeed } from '../../../../test/support/hashwx.ts'
import { compileSearch } from '../../../../widget/build/compile.ts'
import { TABLE, writeTable } from '../../../../widget/solver/table.ts'
import { writeHashwx } from '../native/writeHashwx.ts'
import type { Rate } from './cost.ts'
import { compileNative } from './native.ts'

/** The names of the native program's engines (native/search.c) in the table of rates. */
const ENGINES: Record<string, string> = {
  scalar: 'scalar',
  avx2: 'AVX2',
  'sha-ni': 'SHA instructions',
  avx512: 'AVX-512',
}

type Measured = Pick<Rate, 'kind' | 'way' | 'megahashes'>

/** Node.js has it; its types come with those of browsers only. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    Module: new (bytes: Uint8Array) => object
    Instance: new (module: object) => { exports: object }
  }
}
const instantiate = (bytes: Uint8Array): object => new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports

/** Million hashes per CPU second of a function that hashes so often, once the compiler is done with it. */
function rate(hashes: number, milliseconds: number, run: () => void): number {
  const during = (duration: number) => {
    const begun = process.cpuUsage()
    for (let done = hashes; ; done += hashes) {
      run()
      const { user, system } = process.cpuUsage(begun)
      if (user + system >= duration * 1000) return done / (user + system)
    }
  }
  during(milliseconds / 2)
  return during(milliseconds)
}

/** The component's search for SHA-256, and the native program's engines if there is a C compiler. */
async function sha256Rates(milliseconds: number): Promise<Measured[]> {
  const { memory, search } = instantiate(await compileSearch('simd')) as {
    memory: { buffer: ArrayBuffer }
    search: (start: number, tries: number) => number
  }
  // nothing is below 0: the search never ends early
  writeTable(new Int32Array(memory.buffer, 0, TABLE.length), '00'.repeat(16), 0, 0)
  const rates = [{ way: 'browser', megahashes: rate(1 << 18, milliseconds, () => search(0, 1 << 18)) }]
  const native = compileNative()
  for (const engine of native?.engines ?? [])
    rates.push({
      way: `native, ${ENGINES[engine] ?? engine}`,
      megahashes: (await native?.rate(engine, 1, milliseconds))?.cpu ?? Number.NaN,
    })
  native?.close()
  return rates.map((each) => ({ kind: 'sha256', ...each }))
}

/** The program of one HashWX instance, as the component compiles it and as a C compiler does. */
async function hashwxRates(milliseconds: number): Promise<Measured[]> {
  const seed = randomBytes(32)
  const emitter = instantiate(await compileHashwx('emitter')) as {
    memory: { buffer: ArrayBuffer }
    emit: (index: number, target: number, span: number) => number
  }
  new Uint8Array(emitter.memory.buffer).set(Buffer.from(seed).swap32())
  const end = emitter.emit(0, 2 ** 31, 2 ** 18)
  const { search } = instantiate(new Uint8Array(emitter.memory.buffer.slice(8192, end))) as {
    search: (index: number, start: number, tries: number, target: number) => number
  }
  const browser = { way: 'browser', megahashes: rate(5000, milliseconds, () => search(0, 0, 5000, 0)) }
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-native-'))
  try {
    const instance = createInstance(programSeed(seed, 0))
    const [source, program] = [join(folder, 'hashwx.c'), join(folder, 'hashwx')]
    writeFileSync(source, writeHashwx(instance))
    execFileSync('gcc', ['-O3', '-march=native', '-funroll-loops', '-o', program, source])
    const run = (...args: string[]) => execFileSync(program, args, { encoding: 'utf8' }).trim()
    if (BigInt(`0x${run()}`) !== hashNonce(instance, 1n)) throw new Error('the native program computes another hash')
    const native = {
      way: 'native, compiled programs',
      megahashes: Number(run(String(milliseconds / 1000)).split(' ')[0]),
    }
    return [browser, native].map((each) => ({ kind: 'hashwx', ...each }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * What one thread of this machine hashes, natively and in the component's WebAssembly in Node.js, whose engine is Chromium's. Per
 * second of CPU time, which other load on the machine does not change. Without a C compiler only SHA-256 in WebAssembly.
 */
export async function measureRates(milliseconds: number): Promise<Measured[]> {
  const sha256 = await sha256Rates(milliseconds)
  return sha256.length === 1 ? sha256 : [...sha256, ...(await hashwxRates(milliseconds))]
}
