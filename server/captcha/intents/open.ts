import type { SiteCtx } from '../../accounts/access.ts'
import { column } from '../../kit/arrays.ts'
import { batchQueue } from '../../kit/batch.ts'
import { newId } from '../../kit/ids.ts'
import { Refusal, type RefusalCode } from '../../kit/refusal.ts'
import { backendLimits, perSubject } from '../limits/rules.ts'
import { takeAll } from '../limits/take.ts'
import { count } from '../usage/count.ts'

export type OpenInput = {
  action: string
  nonce: string
  hostname: string
  session?: string | undefined
  subject?: string | undefined
  grantId?: string | undefined
}

/** An intent as its merchant sees it; `expiresAt` in Unix seconds. */
export type OpenedIntent = { intentId: string; sitekey: string; action: string; hostname: string; expiresAt: number }

/** Why a request may not open a new intent: rate limit, paused site, exemptions off. */
type Gate = '' | 'l' | 'p' | 'G'
type Item = OpenInput & { id: string; tenantId: string; siteId: string; gate: Gate; metered: boolean }
type Row = { code: string; id: string | null; expires_at: number | null; fresh: boolean; at: number }

const OPEN = {
  name: 'open_intents',
  text: '/* open_intents */ select * from open_intents($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
}

const QUEUE = batchQueue<Item, Row>('open_intents', {
  key: (item) => `${item.siteId} ${item.nonce}`,
  run: (pool, items) =>
    pool.query<Row>(OPEN, [
      column.uuid(items.map((i) => i.id)),
      column.uuid(items.map((i) => i.tenantId)),
      column.uuid(items.map((i) => i.siteId)),
      column.text(items.map((i) => i.nonce)),
      column.text(items.map((i) => i.action)),
      column.text(items.map((i) => i.hostname)),
      column.text(items.map((i) => i.session ?? null)),
      column.text(items.map((i) => i.subject ?? null)),
      column.uuid(items.map((i) => i.grantId ?? null)),
      column.text(items.map((i) => i.gate)),
      column.bool(items.map((i) => i.metered)),
    ]),
})

const REFUSED: Record<string, RefusalCode> = {
  x: 'intent-expired',
  c: 'nonce-conflict',
  p: 'site-disabled',
  G: 'grants-disabled',
  g: 'grant-invalid',
  q: 'quota-exceeded',
}

/**
 * Opens an intent, or answers the one that this nonce opened before. Of any number of identical requests at once, one
 * makes it, and one spends the grant. A repetition counts against no limit. The door has checked that the hostname is
 * on the site's list.
 */
export async function openIntent(ctx: SiteCtx, input: OpenInput): Promise<OpenedIntent> {
  const { site } = ctx
  // counted before it is known whether this is a repetition, and given back if so: one road for both
  const taken = await takeAll(ctx, [
    ...backendLimits(ctx, 'intents'),
    ...(input.subject === undefined ? [] : [[perSubject(site), `${site.id} ${input.subject}`] as const]),
  ])
  const limited = site.test?.refuses?.at === 'intents' || taken.retryAfter > 0
  const grantsOff = !ctx.config.grants || !site.grants.enabled
  const gate: Gate = limited ? 'l' : !site.enabled ? 'p' : input.grantId !== undefined && grantsOff ? 'G' : ''
  const row = await ctx.resources.of(QUEUE).add({
    ...input,
    id: newId(),
    tenantId: site.tenantId,
    siteId: site.id,
    gate,
    metered: site.test === undefined,
  })
  ctx.clock.set(row.at * 1000)
  if ((row.code === 'o' && !row.fresh) || row.code === 'x') await taken.giveBack()
  // the subject's limit is of intents, and a refusal makes none
  else if (row.code !== 'o') await taken.giveBack('subject')
  if (row.code === 'o' && row.fresh) count(ctx, { measure: 'intents', at: row.at * 1000 })
  if (row.code === 'o' && row.id !== null && row.expires_at !== null) {
    return {
      intentId: row.id,
      sitekey: site.sitekey,
      action: input.action,
      hostname: input.hostname,
      expiresAt: row.expires_at,
    }
  }
  if (row.code === 'l') throw new Refusal('rate-limited', { retryAfter: Math.max(1, taken.retryAfter) })
  const code = REFUSED[row.code]
  throw code === undefined ? new Error(`open_intents answered ${row.code}`) : new Refusal(code)
}
