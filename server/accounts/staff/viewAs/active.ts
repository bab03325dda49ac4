import type { Db } from '../../../kit/db/transact.ts'

/** A tenant as the console shows it, whoever looks. */
export type ShownTenant = {
  id: string
  slug: string
  name: string
  require2fa: boolean
  /** Why it is suspended; null if it is not. */
  suspended: { reason: string } | null
  /** Whether its traffic is made up, for an evaluation. */
  demo: boolean
  /** Unix seconds. */
  createdAt: number
}

export type ActiveView = {
  id: string
  /** Unix seconds. */
  endsAt: number
  tenant: ShownTenant
}

/**
 * The tenants that the person currently views as, by the database's clock; with `slug` only that one.
 * Ignores people who are no longer staff.
 */
export async function activeViews({ prisma }: Db, userId: string, slug?: string): Promise<ActiveView[]> {
  const rows = await prisma.$queryRaw<(ActiveView['tenant'] & { view: string; ends_at: number })[]>`
    select distinct on (t.id) t.id::text as id, t.slug, t.name, t.require_2fa as "require2fa",
      case when t.suspended_at is not null then jsonb_build_object('reason', coalesce(t.suspended_for, '')) end as suspended,
      t.demo, floor(extract(epoch from t.created_at))::float8 as "createdAt",
      v.id::text as view, floor(extract(epoch from v.ends_at))::float8 as ends_at
    from view_as v
    join tenant t on t.id = v.tenant_id and t.deleted_at is null
    join "user" u on u.id = v.user_id and u.staff_level is not null
    where v.user_id = ${userId}::uuid and v.ended_at is null and v.ends_at > now()
      and (${slug ?? null}::text is null or t.slug = ${slug ?? null})
    order by t.id, v.ends_at desc`
  return rows.map(({ view, ends_at, ...tenant }) => ({ id: view, endsAt: ends_at, tenant }))
}
