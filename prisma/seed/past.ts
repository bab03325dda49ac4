import type { Actor } from '../../server/ledger/audit/actor.ts'
import type { SeedContext } from './context.ts'

/** Two tenants, and the time since which their rows count as just seeded. */
export type Past = { tenants: string[]; since: Date }

/** Runs a function as the actor, and moves what it wrote `ago` seconds back. */
export async function past<Out>(
  ctx: SeedContext,
  { tenants, since }: Past,
  when: { actor: Actor; ago: number },
  verb: (ctx: SeedContext) => Promise<Out>,
): Promise<Out> {
  const out = await verb({ ...ctx, actor: when.actor })
  await shiftBack(ctx, { tenants, since }, when.ago)
  return out
}

/** Moves everything written for the tenants since then `ago` seconds back. */
export async function shiftBack({ prisma }: SeedContext, { tenants, since }: Past, ago: number): Promise<void> {
  await prisma.$executeRaw`
    with moved as (
      select ${tenants}::uuid[] as ids, ${since}::timestamptz as since, make_interval(secs => ${ago}::float8) as ago
    ), of_tenants as (
      update tenant t set created_at = t.created_at - ago from moved where t.id = any(ids) and t.created_at >= since
    ), of_members as (
      update member t set created_at = t.created_at - ago from moved where t.tenant_id = any(ids) and t.created_at >= since
    ), of_sites as (
      update site t set created_at = t.created_at - ago from moved where t.tenant_id = any(ids) and t.created_at >= since
    ), of_hostnames as (
      update hostname t set created_at = t.created_at - ago from moved where t.tenant_id = any(ids) and t.created_at >= since
    ), of_entries as (
      update balance_entry t set created_at = t.created_at - ago from moved where t.tenant_id = any(ids) and t.created_at >= since
    ), of_quotas as (
      update quota_change t set created_at = t.created_at - ago from moved where t.tenant_id = any(ids) and t.created_at >= since
    ), of_events as (
      update audit_event t set created_at = t.created_at - ago from moved where t.tenant_id = any(ids) and t.created_at >= since
    )
    -- the end of an overlap that began just now moves with it
    update secret t set expires_at = t.expires_at - ago,
      created_at = case when t.created_at >= since then t.created_at - ago else t.created_at end
    from moved where t.tenant_id = any(ids) and (t.created_at >= since or t.expires_at > now())`
}
