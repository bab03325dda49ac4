import { createHmac } from 'node:crypto'
import type { Keyring } from '../crypto/keyring.ts'
import type { Limiter } from './limiter.ts'

/**
 * A shared limiter with keyed hashes instead of its keys, which contain client addresses and e-mail addresses, so that
 * Redis does not hold them. All nodes have the same key and therefore count together.
 */
export function withHashedKeys(limiter: Limiter, { current }: Keyring): Limiter {
  const hashed = (key: string) =>
    createHmac('sha256', current.key).update('limit\0').update(key).digest('base64url').slice(0, 22)
  return {
    take: (rule, key) => limiter.take(rule, hashed(key)),
    giveBack: (rule, key) => limiter.giveBack(rule, hashed(key)),
    state: () => limiter.state(),
  }
}
