import { createHash } from 'node:crypto'
import { createInstance, hashNonce, type Instance, programSeed } from './hashwx.ts'

/** What a client needs of a challenge; `span` is present for pow-hashwx. */
export type Puzzles = { seed: string; count: number; target: number; span?: number }

/** Solves a challenge as the contract describes it. Shares no code with the server. */
export function solvePuzzles(challenge: Puzzles): string {
  return challenge.span === undefined ? solveSha256(challenge) : solveHashwx({ ...challenge, span: challenge.span })
}

function solveSha256(challenge: Puzzles): string {
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

/** In BigInt arithmetic: for challenges of minimal difficulty. */
function solveHashwx({ seed, count, target, span }: Required<Puzzles>): string {
  const solution = Buffer.alloc(count * 4)
  const instances = new Map<bigint, Instance>()
  for (let i = 0n; i < count; i++) {
    const program = (i * 2n ** 32n) / (BigInt(target) * BigInt(span))
    const instance = instances.get(program) ?? createInstance(programSeed(Buffer.from(seed, 'hex'), Number(program)))
    instances.set(program, instance)
    let nonce = 0n
    while (hashNonce(instance, i * 2n ** 32n + nonce) >> 32n >= target) nonce++
    solution.writeUInt32BE(Number(nonce), Number(i) * 4)
  }
  return solution.toString('base64url')
}
