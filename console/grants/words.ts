import type { GrantState as State } from '../../server/contract/filters.ts'
import type { Tone } from '../ui/text/Pill.tsx'

export const STATES = {
  active: 'Active',
  used: 'Used up',
  expired: 'Expired',
  revoked: 'Revoked',
} as const satisfies Record<State, string>

export const STATE_TONES = {
  active: 'pass',
  used: 'neutral',
  expired: 'neutral',
  revoked: 'neutral',
} as const satisfies Record<State, Tone>

/** The first eight digits of a session. */
export const shortSession = (session: string): string => session.slice(0, 8)

type Dated = { revokedAt: number | null; uses: number; used: number; expiresAt: number }

/** The state of a grant, as the list of grants has it. `now`: Unix seconds. */
export function stateOf({ revokedAt, uses, used, expiresAt }: Dated, now: number): State {
  if (revokedAt !== null) return 'revoked'
  if (used >= uses) return 'used'
  return expiresAt <= now ? 'expired' : 'active'
}
