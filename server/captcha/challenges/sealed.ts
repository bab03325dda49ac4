import type { Keyring } from '../../kit/keyring.ts'
import { readUint, uint, uuidBytes } from '../tokens/fields.ts'
import { open, seal } from '../tokens/seal.ts'

/** Everything needed to verify a solution; the client sends it back sealed. Times in milliseconds since the epoch. */
export type Challenge = {
  intentId: string
  siteId: string
  /** The intent's hostname. */
  hostname: string
  seed: Buffer
  count: number
  target: number
  /** Expected hashes, and the bits of challenges/work that say why. */
  work: number
  reasons: number
  issuedAt: number
  expiresAt: number
  intentExpiresAt: number
  /** The intent's number of wrong solutions when the challenge was issued (kit/attempts). */
  round: number
}

export function sealChallenge(keyring: Keyring, c: Challenge): string {
  return seal(keyring, 'challenge', [
    uuidBytes(c.intentId),
    uuidBytes(c.siteId),
    Buffer.from(c.hostname, 'latin1'),
    c.seed,
    uint(c.count, 2),
    uint(c.target, 4),
    uint(c.work, 6),
    uint(c.reasons, 4),
    uint(c.issuedAt, 6),
    uint(c.expiresAt, 6),
    uint(c.intentExpiresAt, 6),
    uint(c.round, 2),
  ])
}

/** The challenge, if this service sealed it for this intent of this site; otherwise undefined. */
export function openChallenge(
  keyring: Keyring,
  text: string,
  intent: { intentId: string; siteId: string },
): Challenge | undefined {
  const fields = open(keyring, 'challenge', text)
  if (!fields?.[0]?.equals(uuidBytes(intent.intentId)) || !fields[1]?.equals(uuidBytes(intent.siteId))) return undefined
  const [, , hostname, seed, count, target, work, reasons, issuedAt, expiresAt, intentExpiresAt, round] = fields
  if (!hostname || !seed) return undefined
  return {
    ...intent,
    hostname: hostname.toString('latin1'),
    seed,
    count: readUint(count),
    target: readUint(target),
    work: readUint(work),
    reasons: readUint(reasons),
    issuedAt: readUint(issuedAt),
    expiresAt: readUint(expiresAt),
    intentExpiresAt: readUint(intentExpiresAt),
    // a node of the version before this field was added may have sealed it
    round: round === undefined ? 0 : readUint(round),
  }
}
