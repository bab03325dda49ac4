import type { OpenStatus } from '../../../prisma/client/enums.ts'
import type { SiteCtx } from '../../accounts/access.ts'
import type { ErrorCode } from '../../contract/mistakes/errors.ts'
import type { IntentFields } from '../../contract/wire.ts'
import { batchStatement } from '../../kit/db/arrays.ts'
import { batchQueue } from '../../kit/db/batch.ts'
import { AppError } from '../../kit/error.ts'
import { grantsEnabled } from '../grants/enabled.ts'
import { perSubject, takeBackend } from '../limits/rules.ts'
import { count } from '../usage/count.ts'
import { newIntentId } from './id.ts'

/** An intent as its merchant sees it; `expiresAt` in Unix seconds. */
export type OpenedIntent = { intentId: string; sitekey: string; action: string; hostname: string; expiresAt: number }

type Item = {
  input: IntentFields
  id: string
  tenantId: string
  siteId: string
  /** Why the request may not open a new intent; null if it may. */
  precheck: Extract<OpenStatus, 'rate_limited' | 'site_disabled' | 'grants_disabled'> | null
  metered: boolean
}
/** `id` and `expiresAt` are null if the request neither opened an intent nor repeats one. Times in Unix seconds. */
type Result = { status: OpenStatus; id: string | null; expiresAt: number | null; at: number }
/** The answer of the function: its comment says what null means. */
type Row = {
  statuses: OpenStatus[] | null
  ids: (string | null)[]
  expiries: (number | null)[]
  expires_at: number
  at: number
}

const OPEN = batchStatement<Item>(
  'open_intents',
  {
    id: ['uuid', (i) => i.id],
    tenant: ['uuid', (i) => i.tenantId],
    site: ['uuid', (i) => i.siteId],
    nonce: ['text', (i) => i.input.nonce],
    action: ['text', (i) => i.input.action],
    hostname: ['text', (i) => i.input.hostname],
    session: ['text', (i) => i.input.session ?? null],
    subject: ['text', (i) => i.input.subject ?? null],
    grant: ['uuid', (i) => i.input.trusted_grant_id ?? null],
    precheck: ['text', (i) => i.precheck],
    metered: ['bool', (i) => i.metered],
  },
  ({ call }) => `select statuses::text[] as statuses, ids, expiries, expires_at, at from open_intents(${call})`,
)

const QUEUE = batchQueue<Item, Result>('open_intents', {
  key: (item) => `${item.siteId} ${item.input.nonce}`,
  tenant: (item) => item.tenantId,
  async run(pool, items) {
    const [row] = await pool.query<Row>(OPEN, OPEN.values(items))
    if (!row) throw new Error('open_intents gave no answer')
    const { statuses, ids, expiries, expires_at, at } = row
    if (statuses === null) return items.map(({ id }) => ({ status: 'opened', id, expiresAt: expires_at, at }))
    if (statuses.length !== items.length)
      throw new Error(`open_intents answered ${statuses.length} requests instead of ${items.length}`)
    return statuses.map((status, i) => ({ status, id: ids[i] ?? null, expiresAt: expiries[i] ?? null, at }))
  },
})

/** What each status means to the caller: an intent, or the refusal. */
const OUTCOMES = {
  opened: 'opened',
  replayed: 'opened',
  intent_expired: 'intent-expired',
  nonce_conflict: 'nonce-conflict',
  grant_invalid: 'grant-invalid',
  quota_exceeded: 'quota-exceeded',
  rate_limited: 'rate-limited',
  site_disabled: 'site-disabled',
  grants_disabled: 'grants-disabled',
} as const satisfies Record<OpenStatus, ErrorCode | 'opened'>

/**
 * Opens an intent, or returns the one that this nonce opened before. Of any number of concurrent identical requests, one
 * creates it, and one uses the grant. A repetition does not count towards limits. The caller has checked that the hostname is
 * on the site's list.
 */
export async function openIntent(ctx: SiteCtx, input: IntentFields): Promise<OpenedIntent> {
  const { site } = ctx
  // counted before it is known whether this is a repetition, and uncounted if it is
  const taken = await takeBackend(
    ctx,
    'intents',
    input.subject === undefined ? [] : [[perSubject(site), `${site.id} ${input.subject}`]],
  )
  const limited = site.test?.refuses?.at === 'intents' || taken.retryAfter > 0
  const grantsOff = input.trusted_grant_id !== undefined && !grantsEnabled(ctx)
  const precheck = limited ? 'rate_limited' : !site.enabled ? 'site_disabled' : grantsOff ? 'grants_disabled' : null
  const { status, id, expiresAt, at } = await ctx.resources.of(QUEUE).add({
    input,
    id: newIntentId(ctx, site.sitekey),
    tenantId: site.tenantId,
    siteId: site.id,
    precheck,
    metered: site.test === undefined,
  })
  ctx.clock.set(at * 1000)
  if (status === 'replayed' || status === 'intent_expired') await taken.giveBack()
  // these limits count opened intents only
  else if (status !== 'opened') await Promise.all([taken.giveBack('subject'), taken.giveBack('tenant-intents-hour')])
  if (status === 'opened') count(ctx, { measure: 'intents', at: at * 1000 })

  const outcome = OUTCOMES[status]
  if (outcome === 'rate-limited') throw new AppError(outcome, { retryAfter: Math.max(1, taken.retryAfter) })
  if (outcome !== 'opened') throw new AppError(outcome)
  if (id === null || expiresAt === null) throw new Error(`open_intents answered ${status} without an intent`)
  const { action, hostname } = input
  return { intentId: id, sitekey: site.sitekey, action, hostname, expiresAt }
}
