/**
 * How much faster a native program hashes than the component's WebAssembly, on one thread of this machine, for both kinds of
 * challenge: what a solver outside of a browser gains. Of SHA-256 the fastest way that this processor has. Needs gcc (apt-get install gcc). In MH per second of CPU, so that
 * other work on the machine matters little.
 *
 *   npm run bench:native [-- seeds, default 5]
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileHashwx } from '../../../hashwx/compile.ts'
import { createInstance, hashNonce, programSeed } from '../../../test/support/hashwx.ts'
import { compileSearch } from '../../../widget/build/compile.ts'
import { writeTable } from '../../../widget/solver/table.ts'
import { median } from '../browser/serve.ts'
import { writeHashwx } from './native/writeHashwx.ts'
import { compileNative } from './price/native.ts'

const SECONDS = 1
const seeds = Number(process.argv[2] ?? 5)
const folder = mkdtempSync(join(tmpdir(), 'tollgate-native-'))

const instantiate = (bytes: Uint8Array): object => new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports

/** MH per second of CPU of a function that hashes so often. */
function rate(hashes: number, run: () => void): number {
  const begun = process.cpuUsage()
  let done = 0
  for (;;) {
    run()
    done += hashes
    const { user, system } = process.cpuUsage(begun)
    if (user + system > SECONDS * 1e6) return done / (user + system)
  }
}

function compileProgram(name: string, source: string): string {
  const program = join(folder, name)
  execFileSync('gcc', ['-O3', '-march=native', '-funroll-loops', '-o', program, source])
  return program
}

const nativeRate = (program: string) =>
  Number(execFileSync(program, [String(SECONDS)], { encoding: 'utf8' }).split(' ')[0])

async function hashwxRates(): Promise<[native: number, wasm: number]> {
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
  const instance = createInstance(programSeed(seed, 0))
  const source = join(folder, 'hashwx.c')
  writeFileSync(source, writeHashwx(instance))
  const program = compileProgram('hashwx', source)
  const hash = BigInt(`0x${execFileSync(program, { encoding: 'utf8' }).trim()}`)
  if (hash !== hashNonce(instance, 1n)) throw new Error('the native program computes another hash')
  rate(5000, () => search(0, 0, 5000, 0))
  return [nativeRate(program), rate(5000, () => search(0, 0, 5000, 0))]
}

async function sha256Rates(): Promise<[native: number, wasm: number]> {
  const native = compileNative()
  if (!native) throw new Error('there is no C compiler')
  const { memory, search } = instantiate(await compileSearch('simd')) as {
    memory: { buffer: ArrayBuffer }
    search: (start: number, tries: number) => number
  }
  writeTable(new Int32Array(memory.buffer, 0, 83), '00'.repeat(16), 0, 0)
  rate(65_536, () => search(0, 65_536))
  const rates = []
  for (const engine of native.engines) rates.push((await native.rate(engine, 1, SECONDS * 1000)).cpu)
  native.close()
  return [Math.max(...rates), rate(65_536, () => search(0, 65_536))]
}

try {
  console.log(`One thread, MH per second of CPU, medians of ${seeds}; Node.js ${process.version}\n`)
  console.log('              native   WebAssembly   native : WebAssembly')
  for (const [name, measure] of [
    ['SHA-256', sha256Rates],
    ['HashWX', hashwxRates],
  ] as const) {
    const pairs: [number, number][] = []
    for (let i = 0; i < seeds; i++) pairs.push(await measure())
    const [native, wasm] = [0, 1].map((i) => median(pairs.map((pair) => pair[i] ?? 0))) as [number, number]
    const ratio = median(pairs.map(([a, b]) => a / b))
    console.log(
      `${name.padEnd(12)}${native.toFixed(2).padStart(8)}${wasm.toFixed(2).padStart(14)}${ratio.toFixed(2).padStart(17)}`,
    )
  }
} finally {
  rmSync(folder, { recursive: true })
}
