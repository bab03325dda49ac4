/**
 * The CPU that verifying one correct solution costs the service, for each kind of challenge; and what HashWX would cost
 * with other techniques, per verified puzzle.
 *
 *   npm run bench:verify [-- rounds, default 7]
 */
import { randomBytes } from 'node:crypto'
import { compileHashwx } from '../../hashwx/compile.ts'
import * as hashwx from '../../server/captcha/challenges/kinds/powHashwx.ts'
import * as sha256 from '../../server/captcha/challenges/kinds/powSha256.ts'
import { createInstance, hashNonce } from '../../test/support/hashwx.ts'
import { solvePuzzles } from '../../test/support/solver.ts'
import { median } from './verification/report.ts'

const SOLUTIONS = 64
const rounds = Number(process.argv[2] ?? 7)
const key = randomBytes(32)

/** Solved challenges that are quick to solve: what verifying costs does not depend on the target. */
const solved = <Puzzles extends { seed: Buffer; count: number; target: number }>(make: () => Puzzles) =>
  Array.from({ length: SOLUTIONS }, () => {
    const puzzles = make()
    const text = solvePuzzles({ ...puzzles, seed: puzzles.seed.toString('hex') })
    return { puzzles, solution: Buffer.from(text, 'base64url') }
  })

const sha = solved(() => ({ seed: randomBytes(16), count: sha256.COUNT, target: 2 ** 31 }))
const one = solved(() => ({ seed: randomBytes(32), count: hashwx.COUNT, target: 2 ** 31, span: hashwx.SPAN }))
/** A program per puzzle, the most that a challenge can have. */
const many = solved(() => ({ seed: randomBytes(32), count: hashwx.COUNT, target: 2 ** 31, span: 1 }))

const emitter = new WebAssembly.Instance(new WebAssembly.Module(await compileHashwx('emitter'))).exports as {
  memory: { buffer: ArrayBuffer }
  emit: (index: number, target: number, span: number) => number
}

const CASES: Record<string, () => boolean[]> = {
  'pow-sha256, all 32 puzzles': () => sha.map(({ puzzles, solution }) => sha256.solves(puzzles, solution)),
  'pow-hashwx, 3 of 16 puzzles, one program': () =>
    one.map(({ puzzles, solution }) => hashwx.solves(puzzles, solution, key)),
  'pow-hashwx, 3 of 16 puzzles, three programs': () =>
    many.map(({ puzzles, solution }) => hashwx.solves(puzzles, solution, key)),
  'one puzzle by compiling its program': () =>
    many.map((_, i) => {
      new Uint8Array(emitter.memory.buffer).set(randomBytes(32))
      const end = emitter.emit(i + 1, 2 ** 31, 1)
      const module = new WebAssembly.Module(new Uint8Array(emitter.memory.buffer, 8192, end - 8192))
      const { hash } = new WebAssembly.Instance(module).exports as { hash: (nonce: bigint) => bigint }
      return hash(1n) !== 0n
    }),
  'one puzzle in BigInt': () => many.map(() => hashNonce(createInstance(randomBytes(32)), 1n) !== 0n),
}

const results = Object.fromEntries(Object.keys(CASES).map((name) => [name, [] as number[]]))
for (let round = -1; round < rounds; round++) {
  for (const [name, run] of Object.entries(CASES)) {
    const begun = process.cpuUsage()
    if (run().includes(false)) throw new Error(`${name}: a correct solution was refused`)
    const { user, system } = process.cpuUsage(begun)
    // the first round compiles
    if (round >= 0) results[name]?.push((user + system) / SOLUTIONS)
  }
}
console.log(`Node.js ${process.version}, µs of CPU, medians of ${rounds} rounds of ${SOLUTIONS} solutions\n`)
for (const [name, costs] of Object.entries(results))
  console.log(`${name.padEnd(46)}${median(costs).toFixed(1).padStart(9)}`)
