import type { SiteCtx } from '../../accounts/access.ts'
import { intentOfDecision, newId } from '../../kit/ids.ts'
import { Refusal, type RefusalCode } from '../../kit/refusal.ts'
import { backendLimits } from '../limits/rules.ts'
import { takeAll } from '../limits/take.ts'

/** `ttl` in seconds. */
export type GrantInput = { decisionId: string; session: string; ttl: number; uses: number }

/** `expiresAt` in Unix seconds. */
export type IssuedGrant = { grantId: string; expiresAt: number; uses: number }

const ISSUE = {
  name: 'issue_grant',
  text: '/* issue_grant */ select * from issue_grant($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
}

const REFUSED: Record<string, RefusalCode> = {
  p: 'site-disabled',
  G: 'grants-disabled',
  e: 'grant-exists',
  i: 'grant-invalid',
}

/**
 * Gives the exemption of a decision: one, however often it is asked for. Only for a decision of the last 10 minutes
 * whose challenge was really solved, and for the session of its intent: an exemption never leads to another.
 */
export async function issueGrant(ctx: SiteCtx, input: GrantInput): Promise<IssuedGrant> {
  const decision = intentOfDecision(input.decisionId)
  if (decision === undefined) throw new Refusal('bad-field', { field: 'decision_id' })
  const { site } = ctx
  const taken = await takeAll(ctx, backendLimits(ctx, 'grants'))
  const id = newId()
  const gate = taken.retryAfter > 0 ? 'l' : !site.enabled ? 'p' : ctx.config.grants && site.grants.enabled ? '' : 'G'
  const [row] = await ctx.hotPool.query<{ code: string; id: string; expires_at: number; uses: number }>(ISSUE, [
    id,
    site.tenantId,
    site.id,
    decision,
    input.session,
    input.ttl,
    input.uses,
    site.grants.maxTtl,
    site.grants.maxUses,
    gate,
  ])
  // the same request again counts against no limit
  if (row?.code === 'o' && row.id !== id) await taken.giveBack()
  if (row?.code === 'o') return { grantId: row.id, expiresAt: row.expires_at, uses: row.uses }
  if (row?.code === 'n') throw new Refusal('bad-field', { field: 'decision_id' })
  if (row?.code === 'l') throw new Refusal('rate-limited', { retryAfter: taken.retryAfter })
  const refused = REFUSED[row?.code ?? '']
  throw refused === undefined ? new Error(`issue_grant answered ${row?.code}`) : new Refusal(refused)
}
