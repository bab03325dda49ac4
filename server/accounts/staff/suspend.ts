import type { Db } from '../../kit/db/transact.ts'
import { AppError } from '../../kit/error.ts'
import { type ActorContext, change } from '../change.ts'
import { findTenant } from '../find.ts'
import { emitEvent } from '../webhooks/emit.ts'
import { reasonOf } from './reason.ts'

type Tenant = { id: string; slug: string; name: string }

/** What a suspension would stop at the moment. */
export type SuspensionPreview = {
  /** Sites that are not paused. */
  sites: number
  /** Intents that a visitor may be solving or about to submit. */
  openIntents: number
  /** Redemptions of the last hour, from the usage counts. */
  hourly: number
  /** Members who will see the banner. */
  members: number
}

/** Returns what suspending the tenant would stop. Throws AppError. */
export async function previewSuspension(ctx: Db, input: { tenant: string }): Promise<SuspensionPreview> {
  const { id } = await findTenant(ctx, input.tenant)
  const [row] = await ctx.prisma.$queryRaw<SuspensionPreview[]>`
    select
      (select count(*)::int from site where tenant_id = ${id}::uuid and paused_at is null) as sites,
      (select count(*)::int from intent i where i.tenant_id = ${id}::uuid and i.created_at > now() - interval '301 s'
        and i.expires_at > now() and not exists (select 1 from decision d where d.id = i.id and d.tenant_id = i.tenant_id)
      ) as "openIntents",
      (select coalesce(round(sum(
        u.n * case when u.hour < now() - interval '1 h' then 1 - extract(minute from now()) / 60 else 1 end)), 0)::float8
        from usage_hour u where u.tenant_id = ${id}::uuid and u.measure = 'redeemed'
        and u.hour >= date_trunc('hour', now(), 'UTC') - interval '1 h') as hourly,
      (select count(*)::int from member where tenant_id = ${id}::uuid) as members`
  if (!row) throw new Error('a row of scalars is missing')
  return row
}

/**
 * Stops the tenant's verification: immediately on this node, on all nodes within 10 seconds. `confirm`: its slug, typed by
 * the person. Its members can still sign in and see the reason. Throws AppError.
 */
export async function suspendTenant(
  ctx: ActorContext,
  input: { tenant: string; reason: string; confirm: string },
): Promise<Tenant & { suspended: true }> {
  const tenant = await findTenant(ctx, input.tenant)
  if (input.confirm !== tenant.slug) throw new AppError('confirmation-wrong', { word: tenant.slug, verb: 'suspend' })
  await turn(ctx, tenant, 'suspend', input.reason)
  return { ...seen(tenant), suspended: true }
}

/** Ends a tenant's suspension: on all nodes within 10 seconds. Throws AppError. */
export async function restoreTenant(
  ctx: ActorContext,
  input: { tenant: string; reason: string },
): Promise<Tenant & { suspended: false }> {
  const tenant = await findTenant(ctx, input.tenant)
  await turn(ctx, tenant, 'restore', input.reason)
  return { ...seen(tenant), suspended: false }
}

const seen = ({ id, slug, name }: Tenant): Tenant => ({ id, slug, name })

async function turn(ctx: ActorContext, tenant: Tenant, verb: 'suspend' | 'restore', why: string): Promise<void> {
  const reason = reasonOf(why)
  const suspending = verb === 'suspend'
  await change(ctx, async (ctx) => {
    const { count } = await ctx.prisma.tenant.updateMany({
      where: { id: tenant.id, deletedAt: null, suspendedAt: suspending ? null : { not: null } },
      data: { suspendedAt: suspending ? new Date() : null, suspendedFor: suspending ? reason : null },
    })
    if (count === 0) throw new AppError(suspending ? 'already-suspended' : 'not-suspended', { name: tenant.name })
    await emitEvent(ctx, tenant.id, suspending ? 'tenant.suspended' : 'tenant.restored', {})
    return {
      out: undefined,
      change: {
        tenantId: tenant.id,
        action: `tenant.${verb}`,
        target: tenant.id,
        invalidates: true,
        before: { suspended: !suspending },
        after: { suspended: suspending, reason },
      },
    }
  })
}
