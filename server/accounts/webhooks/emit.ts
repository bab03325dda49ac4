import type { EventData, EventType } from '../../contract/webhooks.ts'
import { newId } from '../../kit/crypto/ids.ts'
import { type Db, transact } from '../../kit/db/transact.ts'
import { enqueue } from '../../kit/queue/enqueue.ts'

/** `key`: the event is written at most once for it. `endpoint`: the only one that gets it, whatever types it has chosen. */
type Options = { key?: string; endpoint?: string }

type Delivery = { id: string; endpoint: string }

/**
 * Writes an event of the tenant with a delivery to each of its endpoints for the type, in the transaction of `ctx`: it is sent
 * after the commit, and never if the transaction rolls back. Nothing without such an endpoint.
 */
export async function emitEvent<Type extends EventType>(
  ctx: Db,
  tenantId: string,
  type: Type,
  data: EventData[Type],
  { key, endpoint }: Options = {},
): Promise<void> {
  const body = JSON.stringify({ type, timestamp: new Date().toISOString(), tenant: tenantId, data })
  await transact(ctx, async (ctx) => {
    const endpoints = await ctx.prisma.$queryRaw<{ id: string }[]>`
      select id::text as id from webhook_endpoint
      where tenant_id = ${tenantId}::uuid and disabled_at is null
        and (id = ${endpoint ?? null}::uuid or (${endpoint ?? null}::uuid is null and ${type} = any (types)))
      for key share`
    if (endpoints.length === 0) return
    const event = newId()
    const written = await ctx.prisma.$executeRaw`
      insert into webhook_event (id, tenant_id, type, key, body)
      values (${event}::uuid, ${tenantId}::uuid, ${type}, ${key ?? null}, ${body}) on conflict (tenant_id, key) do nothing`
    if (written === 0) return
    const deliveries = endpoints.map(({ id }) => ({ id: newId(), endpoint: id }))
    await ctx.prisma.$executeRaw`
      insert into webhook_delivery (id, tenant_id, endpoint_id, event_id, next_at)
      select d.id, ${tenantId}::uuid, d.endpoint, ${event}::uuid, now()
      from unnest(${deliveries.map(({ id }) => id)}::uuid[], ${deliveries.map((each) => each.endpoint)}::uuid[]) as d (id, endpoint)`
    for (const delivery of deliveries) await enqueueDelivery(ctx, tenantId, delivery)
  })
}

/** Enqueues the next attempt of a delivery. Those of an endpoint run one after another, so that a slow one takes one worker. */
export const enqueueDelivery = (ctx: Db, tenant: string, { id, endpoint }: Delivery, at?: Date): Promise<void> =>
  enqueue(
    ctx,
    'send_webhook',
    { delivery: id, tenant },
    { key: `webhook ${id}`, queue: `webhook ${endpoint}`, ...(at && { at }) },
  )
