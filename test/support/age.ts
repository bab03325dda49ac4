import type pg from 'pg'
import { openChallenge, sealChallenge } from '../../server/captcha/challenges/sealed.ts'
import type { Keyring } from '../../server/kit/crypto/keyring.ts'

const TABLES = {
  intent: ['created_at', 'expires_at'],
  decision: ['redeemed_at', 'challenged_at', 'solved_at'],
  captcha_grant: ['solved_at', 'created_at', 'expires_at', 'revoked_at'],
  feedback_event: ['created_at', 'occurred_at'],
} as const

/** Moves all rows of the tenants `seconds` into the past. */
export async function age(sql: pg.Pool, tenantIds: readonly string[], seconds: number): Promise<void> {
  const updates = Object.entries(TABLES).map(
    ([table, columns]) =>
      `update ${table} set ${columns.map((column) => `${column} = ${column} - interval '${seconds} s'`).join(', ')}
        where tenant_id in (${tenantIds.map((id) => `'${id}'`).join(', ')})`,
  )
  await sql.query(updates.join('; '))
}

/** The same for a sealed challenge: opens it, changes its times and seals it again with the server's key. */
export function ageChallenge(
  keyring: Keyring,
  text: string,
  intent: { intentId: string; siteId: string },
  seconds: number,
): string {
  const challenge = openChallenge(keyring, text, intent)
  if (!challenge) throw new Error('not a challenge of this intent')
  return sealChallenge(keyring, {
    ...challenge,
    issuedAt: challenge.issuedAt - seconds * 1000,
    expiresAt: challenge.expiresAt - seconds * 1000,
    intentExpiresAt: challenge.intentExpiresAt - seconds * 1000,
  })
}
