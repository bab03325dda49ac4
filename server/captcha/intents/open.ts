import type { SiteCtx } from '../../accounts/access.ts'
import { column } from '../../kit/arrays.ts'
import { createBatch, perRoad } from '../../kit/batch.ts'
import { newId } from '../../kit/ids.ts'
import { Refusal } from '../../kit/refusal.ts'

export type OpenInput = {
  action: string
  nonce: string
  hostname: string
  session?: string | undefined
  subject?: string | undefined
}

/** A permit as its merchant sees it; `expiresAt` in Unix seconds. */
export type OpenedIntent = { intentId: string; sitekey: string; action: string; hostname: string; expiresAt: number }

type Item = OpenInput & { id: string; tenantId: string; siteId: string; gate: '' | 'p' }
type Row = { code: string; id: string | null; expires_at: number | null; fresh: boolean | null; at: number }

const OPEN = {
  name: 'open_intents',
  text: '/* open_intents */ select * from open_intents($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
}

const openBatch = perRoad<Item, Row>((road) =>
  createBatch({
    key: (item) => `${item.siteId} ${item.nonce}`,
    run: (items) =>
      road.query<Row>(OPEN, [
        column.uuid(items.map((i) => i.id)),
        column.uuid(items.map((i) => i.tenantId)),
        column.uuid(items.map((i) => i.siteId)),
        column.text(items.map((i) => i.nonce)),
        column.text(items.map((i) => i.action)),
        column.text(items.map((i) => i.hostname)),
        column.text(items.map((i) => i.session ?? null)),
        column.text(items.map((i) => i.subject ?? null)),
        column.text(items.map((i) => i.gate)),
        column.bool(items.map(() => true)),
      ]),
  }),
)

/**
 * Opens a permit, or answers the one that this nonce opened before. Of any number of identical requests at once, one
 * makes it. Refuses another use of the nonce, a paused site, and a tenant without a unit left. The door has checked
 * that the hostname is on the site's list.
 */
export async function openIntent(ctx: SiteCtx, input: OpenInput): Promise<OpenedIntent> {
  const { site } = ctx
  const row = await openBatch(ctx.road, {
    ...input,
    id: newId(),
    tenantId: site.tenantId,
    siteId: site.id,
    gate: site.enabled ? '' : 'p',
  })
  ctx.clock.set(row.at * 1000)
  switch (row.code) {
    case 'o':
      if (row.id === null || row.expires_at === null) break
      return {
        intentId: row.id,
        sitekey: site.sitekey,
        action: input.action,
        hostname: input.hostname,
        expiresAt: row.expires_at,
      }
    case 'x':
      throw new Refusal('intent-expired')
    case 'c':
      throw new Refusal('nonce-conflict')
    case 'p':
      throw new Refusal('site-disabled')
    case 'q':
      throw new Refusal('quota-exceeded')
    default:
  }
  throw new Error(`open_intents answered ${row.code}`)
}
