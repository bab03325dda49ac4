import type { GrantStatus } from '../../../prisma/client/enums.ts'
import type { SiteCtx } from '../../accounts/access.ts'
import type { SiteFacts } from '../../accounts/sites/facts.ts'
import { intentOfDecision } from '../../contract/ids.ts'
import type { ErrorCode } from '../../contract/mistakes/errors.ts'
import type { SitePolicy } from '../../contract/sitePolicy.ts'
import type { Context } from '../../kit/context.ts'
import { newId } from '../../kit/crypto/ids.ts'
import type { HotPool } from '../../kit/db/db.ts'
import { tenantPool } from '../../kit/db/tenantPool.ts'
import { AppError } from '../../kit/error.ts'
import { boundMisses, takeBackend } from '../limits/rules.ts'
import { grantsEnabled } from './enabled.ts'

/** `session`: absent means the decision's. `ttl` in seconds. */
export type GrantInput = { decisionId: string; session?: string | undefined; ttl: number; uses: number }

/** What a request gets that does not say it. */
export const GRANT_DEFAULTS = { ttl: 900, uses: 1 } as const

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
  const taken = await takeBackend(ctx, 'grants')
  const { grant, replayed } = await boundMisses(ctx, taken, () =>
    recordGrant(tenantPool(ctx, ctx.site.tenantId), ctx, { ...input, decision }, taken.retryAfter),
  )
  // a repetition does not count towards limits
  if (replayed) await taken.giveBack()
  return grant
}

/** The site for which a grant is issued, and the deployment's settings. */
export type GrantingCtx = Pick<Context, 'config'> & {
  readonly site: Pick<SiteFacts, 'id' | 'tenantId' | 'enabled' | keyof SitePolicy>
}

/**
 * Like `issueGrant`, in the connection or transaction of `runs`. `decision`: its intent's UUID. `retryAfter`: seconds to
 * wait if the caller has reached its limit, otherwise 0. `replayed`: the grant was issued by an earlier request.
 */
export async function recordGrant(
  runs: Pick<HotPool, 'query'>,
  ctx: GrantingCtx,
  { decision, session, ttl, uses }: Omit<GrantInput, 'decisionId'> & { decision: string },
  retryAfter = 0,
): Promise<{ grant: IssuedGrant; replayed: boolean }> {
  const { site } = ctx
  const precheck =
    retryAfter > 0 ? 'rate_limited' : !site.enabled ? 'site_disabled' : grantsEnabled(ctx) ? null : 'grants_disabled'
  const [row] = await runs.query<Row>(ISSUE, [
    newId(),
    site.tenantId,
    site.id,
    decision,
    session ?? null,
    ttl,
    uses,
    site.grantMaxTtl,
    site.grantMaxUses,
    site.grantRenewal,
    precheck,
  ])
  if (!row) throw new Error('issue_grant answered no row')
  const outcome = OUTCOMES[row.status]
  if (outcome === 'rate-limited') throw new AppError(outcome, { retryAfter })
  if (outcome === 'bad-field') throw new AppError(outcome, { field: 'decision_id' })
  if (outcome !== 'issued') throw new AppError(outcome)
  return {
    grant: { grantId: row.id, expiresAt: row.expires_at, uses: row.uses },
    replayed: row.status === 'replayed',
  }
}
