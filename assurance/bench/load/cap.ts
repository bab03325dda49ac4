import { createHash } from 'node:crypto'
import Cap from '@cap.js/server'
import Fastify, { type FastifyInstance } from 'fastify'
import { post } from './connection.ts'

/**
 * Cap's server in its cheapest form: everything in memory, nothing is written. Its default number of puzzles; each is easy,
 * which only clients notice.
 */
export function capServer(): FastifyInstance {
  const cap = new Cap({ noFSState: true })
  const app = Fastify({ logger: false })
  app.post('/challenge', () => cap.createChallenge({ challengeDifficulty: 1 }))
  app.post('/redeem', (request) => cap.redeemChallenge(request.body as never))
  return app
}

/** Cap's derivation of salts and targets from a token. */
function derived(seed: string, length: number): string {
  let state = 2_166_136_261
  for (let i = 0; i < seed.length; i++) {
    state ^= seed.charCodeAt(i)
    state += (state << 1) + (state << 4) + (state << 7) + (state << 8) + (state << 24)
  }
  state >>>= 0
  let text = ''
  while (text.length < length) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    text += (state >>> 0).toString(16).padStart(8, '0')
  }
  return text.slice(0, length)
}

export const capChallenge = (): string => post('/challenge', {})

/** The request with the solution of a challenge. */
export function capSolution(reply: Record<string, unknown>): string {
  const { challenge, token } = reply as { challenge: { c: number; s: number; d: number }; token: string }
  const solutions = Array.from({ length: challenge.c }, (_, i) => {
    const salt = derived(`${token}${i + 1}`, challenge.s)
    const target = derived(`${token}${i + 1}d`, challenge.d)
    let nonce = 0
    while (!createHash('sha256').update(`${salt}${nonce}`).digest('hex').startsWith(target)) nonce += 1
    return nonce
  })
  return post('/redeem', { token, solutions })
}
