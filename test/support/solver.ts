import { createHash } from 'node:crypto'

/** Solves a challenge as the contract describes it, with Node's SHA-256. Shares no code with the server. */
export function solvePuzzles(challenge: { seed: string; count: number; target: number }): string {
  const solution = Buffer.alloc(challenge.count * 4)
  for (let i = 0; i < challenge.count; i++) {
    const index = Buffer.alloc(4)
    index.writeUInt32BE(i)
    const nonce = Buffer.alloc(4)
    for (let n = 0; ; n++) {
      nonce.writeUInt32BE(n)
      const digest = createHash('sha256')
        .update(Buffer.from(challenge.seed, 'hex'))
        .update(index)
        .update(nonce)
        .digest()
      if (digest.readUInt32BE(0) < challenge.target) break
    }
    nonce.copy(solution, i * 4)
  }
  return solution.toString('base64url')
}
