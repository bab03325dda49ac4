import type { Db } from '../../kit/db/transact.ts'

/** Of each endpoint. */
const DELIVERIES = 200
const DAYS = 30
/** Longer than a month, because an event's key keeps it from being written twice in one. */
const KEY_DAYS = 60

/**
 * Deletes deliveries that are over and older than 30 days or than the last 200 of their endpoint, and events that have no
 * delivery any more. Returns how many deliveries.
 */
export async function sweepWebhooks({ prisma }: Db): Promise<number> {
  const swept = await prisma.$executeRaw`
    delete from webhook_delivery d using (
      select id, row_number() over (partition by endpoint_id order by id desc) as n from webhook_delivery) ranked
    where ranked.id = d.id and d.next_at is null
      and (ranked.n > ${DELIVERIES} or d.created_at < now() - make_interval(days => ${DAYS}))`
  await prisma.$executeRaw`
    delete from webhook_event e
    where created_at < now() - make_interval(days => case when key is null then 1 else ${KEY_DAYS} end)
      and not exists (select from webhook_delivery d where d.event_id = e.id)`
  return swept
}
