import type { EventType } from '../../contract/webhooks.ts'
import { AppError } from '../../kit/error.ts'
import { type Page, type PageInput, toPage } from '../../ledger/page.ts'
import type { MemberCtx } from '../access.ts'
import { change } from '../change.ts'
import { emitEvent, enqueueDelivery } from './emit.ts'
import { viewWebhook } from './endpoints.ts'

/** Times in Unix seconds. */
export type DeliveryRow = {
  id: string
  /** The `webhook-id`, the same in every attempt. */
  event: string
  type: EventType
  state: 'waiting' | 'retrying' | 'delivered' | 'failed'
  createdAt: number
  attempts: number
  /** When the next attempt is due; null if there is none. */
  nextAt: number | null
  /** What was sent: the body, and the headers of the last attempt. */
  request: { body: string; timestamp: number | null; signature: string | null }
  /** Of the last attempt; null before the first. `status`: null without a reply, `body` then says why; else its first kilobyte. */
  reply: { status: number | null; body: string; milliseconds: number } | null
}

/** The deliveries of a webhook, newest first: the last 200 of 30 days are kept. Throws AppError. */
export async function listDeliveries(
  ctx: MemberCtx,
  { id, cursor, limit }: PageInput & { id: string },
): Promise<Page<DeliveryRow>> {
  await viewWebhook(ctx, id)
  const rows = await ctx.prisma.$queryRaw<DeliveryRow[]>`
    select d.id::text as id, e.id::text as event, e.type, d.attempts,
      case when d.delivered_at is not null then 'delivered' when d.next_at is null then 'failed'
        when d.attempts > 0 then 'retrying' else 'waiting' end as state,
      floor(extract(epoch from d.created_at))::float8 as "createdAt",
      floor(extract(epoch from d.next_at))::float8 as "nextAt",
      jsonb_build_object('body', e.body, 'timestamp', floor(extract(epoch from d.attempted_at)), 'signature', d.signature)
        as request,
      case when d.attempted_at is not null then
        jsonb_build_object('status', d.status, 'body', d.reply, 'milliseconds', d.milliseconds) end as reply
    from webhook_delivery d join webhook_event e on e.id = d.event_id
    where d.endpoint_id = ${id}::uuid and d.tenant_id = ${ctx.tenant.id}::uuid
      and (${cursor ?? null}::uuid is null or d.id < ${cursor ?? null}::uuid)
    order by d.id desc limit ${limit + 1}`
  return toPage(rows, limit)
}

/** Sends a `webhook.test` to a webhook, whatever types it has chosen. Throws AppError. */
export async function testWebhook(ctx: MemberCtx, id: string): Promise<{ id: string }> {
  return change(ctx, async (ctx) => {
    await requireEnabled(ctx, id)
    await emitEvent(ctx, ctx.tenant.id, 'webhook.test', { webhook: id }, { endpoint: id })
    return { out: { id }, change: { tenantId: ctx.tenant.id, action: 'webhook.test', target: id } }
  })
}

/** Sends a delivery again now, with the retries of a new one. Throws AppError. */
export async function resendDelivery(
  ctx: MemberCtx,
  { id, delivery }: { id: string; delivery: string },
): Promise<{ id: string }> {
  return change(ctx, async (ctx) => {
    await requireEnabled(ctx, id)
    const count = await ctx.prisma.$executeRaw`
      update webhook_delivery set attempts = 0, delivered_at = null, next_at = now()
      where id = ${delivery}::uuid and endpoint_id = ${id}::uuid and tenant_id = ${ctx.tenant.id}::uuid`
    if (count === 0) throw new AppError('delivery-not-found')
    await enqueueDelivery(ctx, ctx.tenant.id, { id: delivery, endpoint: id })
    return {
      out: { id: delivery },
      change: { tenantId: ctx.tenant.id, action: 'webhook.resend', target: id, after: { delivery } },
    }
  })
}

async function requireEnabled(ctx: MemberCtx, id: string): Promise<void> {
  if (!(await viewWebhook(ctx, id)).enabled) throw new AppError('webhook-disabled')
}
