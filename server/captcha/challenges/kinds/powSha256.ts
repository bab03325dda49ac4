import { hash } from 'node:crypto'

/** Puzzles in a challenge: enough to keep the variance of the total time low. */
export const COUNT = 32
const TWO_32 = 2 ** 32

/** The target at which `count` puzzles take `work` hashes on average. */
export function targetFor(work: number, count: number = COUNT): number {
  return Math.max(1, Math.min(TWO_32 - 1, Math.floor((count * TWO_32) / work)))
}

/**
 * Whether each of the 32-bit nonces solves its puzzle: the first 4 bytes of SHA-256(seed ‖ index ‖ nonce), big-endian,
 * are below the target. `solution` holds the nonces as big-endian words in the puzzles' order.
 */
export function solves(puzzle: { seed: Buffer; count: number; target: number }, solution: Buffer): boolean {
  if (solution.length !== puzzle.count * 4) return false
  const block = Buffer.allocUnsafe(24)
  puzzle.seed.copy(block, 0, 0, 16)
  for (let i = 0; i < puzzle.count; i++) {
    block.writeUInt32BE(i, 16)
    for (let byte = 0; byte < 4; byte++) block[20 + byte] = solution[i * 4 + byte] ?? 0
    // the one-shot hash as latin1 text costs a third of createHash, and less than as hex or bytes
    const digest = hash('sha256', block, 'binary')
    const top =
      digest.charCodeAt(0) * 2 ** 24 +
      ((digest.charCodeAt(1) << 16) | (digest.charCodeAt(2) << 8) | digest.charCodeAt(3))
    if (top >= puzzle.target) return false
  }
  return true
}
