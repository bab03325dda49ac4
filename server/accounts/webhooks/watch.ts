import type { EventType } from '../../contract/webhooks.ts'
import type { Context } from '../../kit/context.ts'
import type { Db } from '../../kit/db/transact.ts'
import { atOnce, type Pace } from '../../kit/process/pace.ts'
import { examine } from '../sites/doctor/diagnose.ts'
import { emitEvent } from './emit.ts'

/** Tenants with an endpoint for the type. */
const wanting = ({ prisma }: Db, type: EventType): Promise<{ id: string }[]> =>
  prisma.$queryRaw`
    select id::text as id from tenant t where deleted_at is null and exists (
      select from webhook_endpoint p where p.tenant_id = t.id and p.disabled_at is null and ${type} = any (p.types))`

/**
 * Writes the events that no change reports: each has a key, so that it is written once however often this runs. And frees the
 * attempts of processes that ended in them, which the queue would keep for four hours: an attempt takes 5 seconds. `firstDays` of a month, in which statements are announced.
 */
export async function watchWebhooks(ctx: Db, { firstDays = 3 }: { firstDays?: number } = {}): Promise<void> {
  await ctx.prisma.$executeRaw`
    select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker.jobs
    where task_identifier = 'send_webhook' and locked_at < now() - interval '1 minute' having count(*) > 0`
  await watchQuotas(ctx)
  await watchSecrets(ctx)
  await watchStatements(ctx, firstDays)
}

async function watchQuotas(ctx: Db): Promise<void> {
  const tenants = (await wanting(ctx, 'quota.exceeded')).map(({ id }) => id)
  const rows = await ctx.prisma.$queryRaw<{ tenant: string; month: string; included: number; used: number }[]>`
    select q.tenant_id::text as tenant, q.month::text as month, q.included::float8 as included, q.used::float8 as used
    from quota_period q left join balance b on b.tenant_id = q.tenant_id
    where q.tenant_id = any (${tenants}::uuid[]) and q.month = utc_month() and q.used >= q.included and coalesce(b.units, 0) <= 0`
  for (const { tenant, ...data } of rows)
    await emitEvent(ctx, tenant, 'quota.exceeded', data, { key: `quota.exceeded ${data.month}` })
}

async function watchSecrets(ctx: Db): Promise<void> {
  const tenants = (await wanting(ctx, 'secret.used_after_end')).map(({ id }) => id)
  // an hour, so that a pause of the jobs misses nothing
  const rows = await ctx.prisma.$queryRaw<{ tenant: string; site: string; secret: string; day: string }[]>`
    select s.tenant_id::text as tenant, s.id::text as site, k.id::text as secret, (k.refused_at at time zone 'utc')::date::text as day
    from site s join secret k on k.site_id = s.id
    where s.tenant_id = any (${tenants}::uuid[]) and k.refused_at > now() - interval '1 hour'`
  for (const { tenant, day, ...data } of rows)
    await emitEvent(ctx, tenant, 'secret.used_after_end', data, { key: `secret.used_after_end ${data.secret} ${day}` })
}

/** In the first days of a month, so that a pause of the jobs misses none and an endpoint that is created later gets none. */
async function watchStatements(ctx: Db, firstDays: number): Promise<void> {
  const tenants = (await wanting(ctx, 'statement.ready')).map(({ id }) => id)
  const rows = await ctx.prisma.$queryRaw<{ tenant: string; month: string }[]>`
    select id::text as tenant, (utc_month() - interval '1 month')::date::text as month from tenant
    where id = any (${tenants}::uuid[]) and created_at < utc_month()::timestamp at time zone 'utc'
      and extract(day from now() at time zone 'utc') <= ${firstDays}`
  for (const { tenant, month } of rows)
    await emitEvent(ctx, tenant, 'statement.ready', { month }, { key: `statement.ready ${month}` })
}

/** Writes an event for each mistake that the doctor finds and did not report in the time for which events are kept. */
export async function watchMistakes(ctx: Pick<Context, 'prisma' | 'clock'>, pace: Pace = atOnce): Promise<void> {
  for (const { id } of await wanting(ctx, 'mistake.found')) {
    const where = { tenantId: id, pausedAt: null }
    for (const site of await ctx.prisma.site.findMany({ where, select: { id: true, sitekey: true } })) {
      const { findings } = await pace(() => examine(ctx, site))
      for (const { mistake, severity, count } of findings) {
        const data = { site: site.id, mistake, severity, count }
        await emitEvent(ctx, id, 'mistake.found', data, { key: `mistake.found ${site.id} ${mistake}` })
      }
    }
  }
}
