import type { Keyring } from '../../kit/crypto/keyring.ts'
import { uint, uuidBytes } from './fields.ts'
import { open, seal } from './seal.ts'

/** The solved challenge of a verification. It is carried in the token and stored with the decision. */
export type Solve = {
  /** Milliseconds since the epoch. */
  challengedAt: number
  solvedAt: number
  /** Expected hashes. */
  work: number
  /** Bits of challenges/difficulty/reasons. */
  reasons: number
  /** Keyed hash of the client's network at /solve, 8 bytes. */
  network: Buffer
  /** The same of the area around it. */
  area: Buffer
  mobile: boolean
}

/** The content of a token: its intent, and the solved challenge (`null`: skipped because of a grant). */
export type Token = { intentId: string; siteId: string; solve: Solve | null }

const PREFIX = 'tgr_'

/** The response token of an intent. It expires with the intent, so it contains no expiry. */
export function sealToken(keyring: Keyring, token: Token): string {
  const { solve } = token
  const earned = solve
    ? [
        uint(solve.challengedAt, 6),
        uint(solve.solvedAt, 6),
        uint(solve.work, 6),
        uint(solve.reasons, 4),
        solve.network,
        uint(solve.mobile ? 1 : 0, 1),
        solve.area,
      ]
    : []
  return PREFIX + seal(keyring, 'token', [uuidBytes(token.intentId), uuidBytes(token.siteId), ...earned])
}

/** The solved challenge of the token, if this service sealed it for this intent of this site; otherwise undefined. */
export function openToken(
  keyring: Keyring,
  text: string,
  intent: { intentId: string; siteId: string },
): { solve: Solve | null } | undefined {
  if (!text.startsWith(PREFIX)) return undefined
  const fields = open(keyring, 'token', text.slice(PREFIX.length))
  if (!fields?.isUuid(0, intent.intentId) || !fields.isUuid(1, intent.siteId)) return undefined
  if (fields.count === 2) return { solve: null }
  return {
    solve: {
      challengedAt: fields.uint(2),
      solvedAt: fields.uint(3),
      work: fields.uint(4),
      reasons: fields.uint(5),
      network: fields.bytes(6),
      area: fields.bytes(8),
      mobile: fields.uint(7) === 1,
    },
  }
}
