import { hash } from 'node:crypto'
import type { RedeemStatus } from '../../../prisma/client/enums.ts'
import type { SiteCtx } from '../../accounts/access.ts'
import { decisionId } from '../../contract/ids.ts'
import type { ErrorCode } from '../../contract/mistakes/errors.ts'
import { batchStatement } from '../../kit/db/arrays.ts'
import { batchQueue } from '../../kit/db/batch.ts'
import { AppError } from '../../kit/error.ts'
import { isExempt } from '../grants/enabled.ts'
import { findIntent } from '../intents/find.ts'
import { takeBackend } from '../limits/rules.ts'
import { openToken, type Solve } from '../tokens/token.ts'
import { countRedemption } from '../usage/count.ts'

export type RedeemInput = { response: string; intentId: string; action: string; hostname: string; key: string }

export type Redemption = { intentId: string; action: string; hostname: string; decisionId: string }

type Item = {
  input: RedeemInput
  tenantId: string
  siteId: string
  token: Buffer
  key: Buffer
  /** Why the request may not redeem; null if it may. */
  precheck: Extract<RedeemStatus, 'rate_limited' | 'site_disabled'> | null
  metered: boolean
  sealed: boolean
  allowed: boolean
  solve: Solve | null
}
type Result = { status: RedeemStatus; at: number }

const REDEEM = batchStatement<Item>(
  'redeem',
  {
    intent: ['uuid', (i) => i.input.intentId],
    tenant: ['uuid', (i) => i.tenantId],
    site: ['uuid', (i) => i.siteId],
    action: ['text', (i) => i.input.action],
    hostname: ['text', (i) => i.input.hostname],
    token: ['bytea', (i) => i.token],
    key: ['bytea', (i) => i.key],
    precheck: ['text', (i) => i.precheck],
    sealed: ['bool', (i) => i.sealed],
    allowed: ['bool', (i) => i.allowed],
    metered: ['bool', (i) => i.metered],
    challenged: ['float8', (i) => (i.solve ? i.solve.challengedAt / 1000 : null)],
    solved: ['float8', (i) => (i.solve ? i.solve.solvedAt / 1000 : null)],
    work: ['int8', (i) => i.solve?.work ?? null],
    reasons: ['int4', (i) => i.solve?.reasons ?? 0],
    network: ['bytea', (i) => i.solve?.network ?? null],
    area: ['bytea', (i) => i.solve?.area ?? null],
    mobile: ['bool', (i) => i.solve?.mobile ?? null],
  },
  // as one text, which is faster to read than an array
  ({ call }) => `select array_to_string(statuses, ' ') as statuses, at from redeem(${call})`,
)

const QUEUE = batchQueue<Item, Result>('redeem', {
  key: (item) => item.input.intentId,
  tenant: (item) => item.tenantId,
  async run(pool, items) {
    const [row] = await pool.query<{ statuses: string; at: number }>(REDEEM, REDEEM.values(items))
    const { statuses: text, at } = row ?? { statuses: '', at: 0 }
    const statuses = text.split(' ') as RedeemStatus[]
    if (statuses.length !== items.length)
      throw new Error(`redeem answered ${statuses.length} requests instead of ${items.length}`)
    return statuses.map((status) => ({ status, at }))
  },
})

/** 128 bits are more than enough to distinguish a repetition from another request. A digest as text takes half the time of one as bytes. */
const fingerprint = (text: string): Buffer => Buffer.from(hash('sha256', text, 'binary').slice(0, 16), 'latin1')

/** What each status means to the caller: the answer of the redemption, or the refusal. */
const OUTCOMES = {
  redeemed_from_quota: 'redeemed',
  redeemed_from_balance: 'redeemed',
  redeemed_as_test: 'redeemed',
  replayed: 'redeemed',
  rate_limited: 'rate-limited',
  site_disabled: 'site-disabled',
  idempotency_conflict: 'idempotency-conflict',
  already_redeemed: 'already-redeemed',
  response_invalid: 'response-invalid',
  binding_mismatch: 'binding-mismatch',
  hostname_not_allowed: 'bad-field',
  intent_expired: 'intent-expired',
  quota_exceeded: 'quota-exceeded',
} as const satisfies Record<RedeemStatus, ErrorCode | 'redeemed'>

/**
 * Whether the exemption of a token without a solved challenge has ended. It is checked before the redemption and not in its
 * statement: only exempt tokens pay for the extra read, and a revocation during the redemption counts as one just after it.
 */
async function exemptionEnded(ctx: SiteCtx, intentId: string): Promise<boolean> {
  const intent = await findIntent(ctx, intentId)
  return intent !== undefined && !isExempt(ctx, intent)
}

/**
 * Redeems a token: one decision and one unit charged, in one transaction, however often and wherever it is repeated.
 * A repetition within 600 s gives the same answer without charge or limit; a refusal consumes nothing.
 */
export async function redeem(ctx: SiteCtx, input: RedeemInput): Promise<Redemption> {
  const { site } = ctx
  if (site.test?.refuses?.at === 'siteverify') throw new AppError(site.test.refuses.code)
  const taken = await takeBackend(ctx, 'siteverify')
  const token = openToken(ctx.keyring, input.response, { intentId: input.intentId, siteId: site.id })
  // what no seal opens repeats no redemption, so past the limit there is nothing to look up
  if (taken.retryAfter > 0 && token === undefined) throw new AppError('rate-limited', { retryAfter: taken.retryAfter })
  const ended = token !== undefined && token.solve === null && (await exemptionEnded(ctx, input.intentId))
  const { status, at } = await ctx.resources.of(QUEUE).add({
    input,
    tenantId: site.tenantId,
    siteId: site.id,
    token: fingerprint(input.response),
    key: fingerprint(input.key),
    precheck: taken.retryAfter > 0 ? 'rate_limited' : site.enabled ? null : 'site_disabled',
    metered: site.test === undefined,
    sealed: token !== undefined && !ended,
    allowed: site.allows(input.hostname),
    solve: token?.solve ?? null,
  })
  ctx.clock.set(at * 1000)
  if (status === 'replayed') await taken.giveBack()
  if (status === 'redeemed_from_quota') countRedemption(ctx, 'quota', token?.solve ?? null, at * 1000)
  if (status === 'redeemed_from_balance') countRedemption(ctx, 'balance', token?.solve ?? null, at * 1000)

  const outcome = OUTCOMES[status]
  if (outcome === 'rate-limited') throw new AppError(outcome, { retryAfter: taken.retryAfter })
  if (outcome === 'response-invalid' && ended) throw new AppError('intent-expired')
  if (outcome === 'bad-field') throw new AppError(outcome, { field: 'hostname' })
  if (outcome !== 'redeemed') throw new AppError(outcome)
  const { intentId, action, hostname } = input
  return { intentId, action, hostname, decisionId: decisionId(intentId) }
}
