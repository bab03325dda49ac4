import type { GrantStatus } from '../../../prisma/client/enums.ts'
import type { SiteCtx } from '../../accounts/access.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { intentOfDecision } from '../../contract/ids.ts'
import { AppError } from '../../kit/error.ts'
import { newId } from '../../kit/ids.ts'
import { tenantPool } from '../../kit/tenantPool.ts'
import { boundMisses, takeBackend } from '../limits/rules.ts'
import { grantsEnabled } from './enabled.ts'

/** `session`: absent means the decision's. `ttl` in seconds. */
export type GrantInput = { decisionId: string; session?: string | undefined; ttl: number; uses: number }

/** `expiresAt` in Unix seconds. */
export type IssuedGrant = { grantId: string; expiresAt: number; uses: number }

const ISSUE = {
  name: 'issue_grant',
  text: '/* issue_grant */ select * from issue_grant($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
}

type Row = { status: GrantStatus; id: string; expires_at: number; uses: number }

/** What each status means to the caller: a grant, or the refusal. */
const OUTCOMES = {
  issued: 'issued',
  replayed: 'issued',
  grant_exists: 'grant-exists',
  grant_invalid: 'grant-invalid',
  decision_unknown: 'bad-field',
  rate_limited: 'rate-limited',
  site_disabled: 'site-disabled',
  grants_disabled: 'grants-disabled',
} as const satisfies Record<GrantStatus, ErrorCode | 'issued'>

/**
 * Issues the grant of a decision: one, however often it is requested. The decision is at most 10 minutes old. Its own
 * challenge was solved, or it was exempt and its session's last solved challenge is recent enough for a renewal. The grant
 * belongs to the session of the decision's intent, and to no session where the intent has none. Throws AppError.
 */
export async function issueGrant(ctx: SiteCtx, input: GrantInput): Promise<IssuedGrant> {
  const decision = intentOfDecision(input.decisionId)
  if (decision === undefined) throw new AppError('bad-field', { field: 'decision_id' })
  const { site } = ctx
  const taken = await takeBackend(ctx, 'grants')
  const precheck =
    taken.retryAfter > 0
      ? 'rate_limited'
      : !site.enabled
        ? 'site_disabled'
        : grantsEnabled(ctx)
          ? null
          : 'grants_disabled'
  const row = await boundMisses(ctx, taken, async () => {
    const [found] = await tenantPool(ctx, site.tenantId).query<Row>(ISSUE, [
      newId(),
      site.tenantId,
      site.id,
      decision,
      input.session ?? null,
      input.ttl,
      input.uses,
      site.grants.maxTtl,
      site.grants.maxUses,
      site.grants.renewal,
      precheck,
    ])
    if (!found) throw new Error('issue_grant answered no row')
    if (found.status === 'decision_unknown') throw new AppError('bad-field', { field: 'decision_id' })
    return found
  })
  // a repetition does not count towards limits
  if (row.status === 'replayed') await taken.giveBack()
  const outcome = OUTCOMES[row.status]
  if (outcome === 'rate-limited') throw new AppError(outcome, { retryAfter: taken.retryAfter })
  if (outcome !== 'issued') throw new AppError(outcome)
  return { grantId: row.id, expiresAt: row.expires_at, uses: row.uses }
}
