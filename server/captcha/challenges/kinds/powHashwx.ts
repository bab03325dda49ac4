import { createHash, createHmac } from 'node:crypto'
import { HASHWX_MODULE } from './hashwxModule.ts'

/**
 * The kind `pow-hashwx`. docs/hashwx.md describes the function and the puzzles.
 *
 * Verifying all puzzles would cost the service about 200 µs per solution, so it verifies CHECKED of them. Which ones, only
 * the service knows, and they are fixed when the challenge is issued. Leaving out work therefore never pays:
 *
 * - A solution with a share f of its puzzles unsolved passes with probability at most (1 − f)^CHECKED. It has cost (1 − f) of
 *   the honest work, so a pass costs (1 − f)^(1 − CHECKED) times the honest work on average: 1.8 times for a quarter left
 *   out, 4 times for half. Drawing without replacement makes it more.
 * - A wrong solution ends its challenge, so an attempt cannot be repaired by solving more puzzles afterwards.
 * - The choice depends on the challenge and not on the solution. Otherwise solutions that differ only in unsolved puzzles
 *   and arrive together, before the first is found wrong, would each get a choice of their own for the same work.
 * - Puzzles that happen to take long cannot be left out for a gain: each try of any puzzle succeeds with the same
 *   probability, so m solved puzzles of a challenge take m times the work of one, whichever they are.
 */

/** Puzzles in a challenge: enough to keep the variance of the total time low. */
export const COUNT = 16
/** Puzzles verified per solution. */
export const CHECKED = 3
/** Expected hashes per program. */
export const SPAN = 2 ** 18
/** One hash takes a browser as long as so many of pow-sha256: the unit of difficulty is that of pow-sha256. */
export const SHA256_PER_HASH = 16

const TWO_32 = 2 ** 32

/** The target at which a challenge takes as long as `work` hashes of pow-sha256. */
export function targetFor(work: number): number {
  const hashes = work / SHA256_PER_HASH
  return Math.max(1, Math.min(TWO_32 - 1, Math.floor((COUNT * TWO_32) / hashes)))
}

/** `seed` of 32 bytes; `span` in expected hashes. */
type Puzzles = { seed: Buffer; count: number; target: number; span: number }

/** The program of a puzzle: the number of spans that the puzzles before it are expected to fill. */
const programOf = (index: number, { target, span }: Puzzles): number =>
  Math.floor(Math.floor((index * TWO_32) / target) / span)

/** hashwx/assembly/verifier.ts: `prepare` makes the programs of the seed in the memory. */
type Verifier = {
  memory: { buffer: ArrayBuffer }
  prepare(): void
  /** The first word of the hash of high · 2^32 + low, as a signed number. */
  hashWord(high: number, low: number): number
}

const { exports }: { exports: object } = new WebAssembly.Instance(
  new WebAssembly.Module(Buffer.from(HASHWX_MODULE, 'base64')),
)
const verifier = exports as Verifier
/** SEED of hashwx/assembly/layout.ts. */
const seedOfPrograms = new Uint8Array(verifier.memory.buffer, 40, 32)

/**
 * Whether the verified puzzles are solved: HashWX with the puzzle's program of index · 2^32 + nonce has an upper half below the
 * target. `solution` holds the nonces as big-endian words in the puzzles' order; `key` is secret. Deterministic.
 */
export function solves(puzzles: Puzzles, solution: Buffer, key: Buffer): boolean {
  if (solution.length !== puzzles.count * 4) return false
  let prepared = -1
  return chooseChecked(puzzles, key).every((index) => {
    const program = programOf(index, puzzles)
    if (program !== prepared) prepare(puzzles.seed, program)
    prepared = program
    return verifier.hashWord(index, solution.readUInt32BE(index * 4)) >>> 0 < puzzles.target
  })
}

/** The indices of the puzzles that are verified, ascending. They cannot be predicted without the key. */
export function chooseChecked({ seed, count }: Pick<Puzzles, 'seed' | 'count'>, key: Buffer): number[] {
  const random = createHmac('sha256', key).update('hashwx-checked\0').update(seed).digest()
  const indices = Array.from({ length: count }, (_, index) => index)
  const chosen = Array.from({ length: Math.min(CHECKED, count) }, (_, i) =>
    indices.splice(random.readUInt32BE(i * 4) % indices.length, 1),
  )
  return chosen.flat().toSorted((a, b) => a - b)
}

function prepare(seed: Buffer, program: number): void {
  const index = Buffer.allocUnsafe(4)
  index.writeUInt32BE(program)
  seedOfPrograms.set(createHash('sha256').update(seed).update(index).digest())
  verifier.prepare()
}
