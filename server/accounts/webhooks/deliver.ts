import { PERMISSIONS } from '../../contract/permissions.ts'
import type { Context } from '../../kit/context.ts'
import { seconds } from '../../kit/db/clock.ts'
import { type Db, transact } from '../../kit/db/transact.ts'
import { postOnce, type Reply, type Resolve } from '../../kit/http/outbound.ts'
import { type EmailCtx, enqueueEmails } from '../../kit/queue/email.ts'
import { composeEmail } from '../email.ts'
import { recipientsOf } from '../members/recipients.ts'
import { enqueueDelivery } from './emit.ts'
import { signatures } from './secret.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
/** Seconds from each failed attempt to the next one. After the last, the delivery has failed. */
const PAUSES = [5, 5 * MINUTE, HOUR / 2, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]
/** A pause is longer by at most this share, so that the retries of many deliveries spread. */
const JITTER = 0.1
/** An endpoint without a successful attempt for so long is disabled. */
const DISABLED_AFTER = '5 days'

type Due = {
  tenant: string
  slug: string
  endpoint: string
  url: string
  event: string
  body: string
  attempts: number
  secrets: string[]
}

export type DeliverCtx = EmailCtx & Pick<Context, 'config'>

/**
 * Makes one attempt of a delivery and stores its result; a failed one enqueues the next. Nothing if none is due, as in a
 * repetition of a job whose process ended after it had stored the result.
 */
export async function deliverWebhook(
  ctx: DeliverCtx,
  { delivery, resolve }: { delivery: string; resolve?: Resolve | undefined },
): Promise<void> {
  const due = await findDue(ctx, delivery)
  if (!due) return
  const { endpoint, event, body } = due
  const at = new Date()
  const signature = signatures(ctx.keyring, { endpoint, event, body, at }, due.secrets)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Tollgate-Webhooks',
    'webhook-id': event,
    'webhook-timestamp': String(seconds(at.getTime())),
    'webhook-signature': signature,
  }
  const reply = await postOnce(new URL(due.url), headers, body, { allowed: ctx.config.webhooksAllow, resolve })
  await transact(ctx, (ctx) => storeAttempt(ctx, delivery, due, { ...reply, signature }))
}

async function findDue({ prisma }: Db, delivery: string): Promise<Due | undefined> {
  const [due] = await prisma.$queryRaw<Due[]>`
    select t.id::text as tenant, t.slug, p.id::text as endpoint, p.url, e.id::text as event, e.body, d.attempts,
      case when p.former_until > now() then array[p.secret, p.former_secret] else array[p.secret] end as secrets
    from webhook_delivery d
    join webhook_event e on e.id = d.event_id
    join webhook_endpoint p on p.id = d.endpoint_id and p.disabled_at is null
    join tenant t on t.id = p.tenant_id and t.deleted_at is null
    where d.id = ${delivery}::uuid and d.next_at is not null`
  return due
}

async function storeAttempt(
  ctx: DeliverCtx,
  delivery: string,
  { tenant, slug, endpoint, attempts }: Due,
  { status, text, milliseconds, signature }: Reply & { signature: string },
): Promise<void> {
  // locked first, as a change of the endpoint does, which then locks its deliveries
  const [locked] = await ctx.prisma.$queryRaw<object[]>`
    select 1 from webhook_endpoint where id = ${endpoint}::uuid for no key update`
  if (!locked) return
  const isDelivered = status !== null && status >= 200 && status < 300
  const pause = isDelivered ? undefined : PAUSES[attempts]
  const wait = pause === undefined ? null : pause * (1 + JITTER * Math.random())
  const [row] = await ctx.prisma.$queryRaw<{ next_at: Date | null }[]>`
    update webhook_delivery set attempts = attempts + 1, attempted_at = now(), signature = ${signature},
      status = ${status}::int, reply = ${text}, milliseconds = ${milliseconds}::int,
      delivered_at = case when ${isDelivered} then now() end, next_at = now() + make_interval(secs => ${wait}::float8)
    where id = ${delivery}::uuid returning next_at`
  if (isDelivered) {
    await ctx.prisma.$executeRaw`
      update webhook_endpoint set failing_since = null where id = ${endpoint}::uuid and failing_since is not null`
    return
  }
  const disabled = await ctx.prisma.$executeRaw`
    update webhook_endpoint set disabled_at = now(), disabled_by_failures = true
    where id = ${endpoint}::uuid and disabled_at is null and failing_since < now() - ${DISABLED_AFTER}::interval`
  if (disabled > 0) {
    await stopDeliveries(ctx, endpoint)
    await enqueueDisabledEmails(ctx, { tenant, slug, endpoint })
    return
  }
  await ctx.prisma.$executeRaw`
    update webhook_endpoint set failing_since = coalesce(failing_since, now()) where id = ${endpoint}::uuid`
  if (row?.next_at) await enqueueDelivery(ctx, tenant, { id: delivery, endpoint }, row.next_at)
}

/** No further attempt is made of the endpoint's deliveries. */
export const stopDeliveries = ({ prisma }: Db, endpoint: string): Promise<number> =>
  prisma.$executeRaw`
    update webhook_delivery set next_at = null where endpoint_id = ${endpoint}::uuid and next_at is not null`

async function enqueueDisabledEmails(
  ctx: DeliverCtx,
  { tenant, slug, endpoint }: Pick<Due, 'tenant' | 'slug' | 'endpoint'>,
): Promise<void> {
  const recipients = await recipientsOf(ctx, [tenant], PERMISSIONS['webhook.write'])
  const emails = recipients.map(({ email }) => ({
    ...composeEmail({
      to: email,
      subject: `A webhook of ${slug} was disabled`,
      paragraphs: [
        'All its deliveries have failed for five days, so no more are sent. The console shows how the server replied.',
        'When the server works again, enable the webhook and send again what was missed.',
      ],
      link: { label: 'See the deliveries', url: `${ctx.config.publicUrl}/o/${slug}/settings/webhooks/${endpoint}` },
      ending: 'You are receiving this e-mail as an owner or admin of this tenant.',
    }),
    tenant,
  }))
  await enqueueEmails(ctx, emails)
}
