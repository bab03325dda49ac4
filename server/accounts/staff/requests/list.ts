import type { StaffCtx } from '../../access.ts'

export type UnitRequestRow = {
  id: string
  tenant: { id: string; slug: string; name: string }
  kind: 'quota' | 'balance'
  units: number
  /** The quota or the balance now. */
  now: number
  reason: string
  asker: string
  /** Asked for by the caller, who cannot approve it. */
  own: boolean
  /** Unix seconds. */
  createdAt: number
  decided: { by: string; at: number; approved: boolean } | null
}

type Row = Omit<UnitRequestRow, 'tenant' | 'decided'> & {
  tenantId: string
  slug: string
  name: string
  decider: string
  decidedAt: number | null
  approved: boolean | null
}

const MOST = 100

/** Requests for units: those that wait first, then the latest decided ones; at most 100. */
export async function listUnitRequests({ prisma, user }: StaffCtx): Promise<UnitRequestRow[]> {
  const rows = await prisma.$queryRaw<Row[]>`
    select r.id::text as id, t.id::text as "tenantId", t.slug, t.name, r.kind::text as kind, r.units::float8 as units,
      (case r.kind when 'quota' then t.monthly_quota else coalesce(b.units, 0) end)::float8 as now, r.reason,
      coalesce(a.name, 'Former staff') as asker, r.asked_by = ${user.id}::uuid as own,
      floor(extract(epoch from r.created_at))::float8 as "createdAt",
      coalesce(d.name, 'Former staff') as decider, floor(extract(epoch from r.decided_at))::float8 as "decidedAt", r.approved
    from unit_request r
    join tenant t on t.id = r.tenant_id
    left join balance b on b.tenant_id = r.tenant_id
    left join "user" a on a.id = r.asked_by
    left join "user" d on d.id = r.decided_by
    order by r.decided_at is not null, r.created_at desc limit ${MOST}`
  return rows.map(({ tenantId, slug, name, decider, decidedAt, approved, ...row }) => ({
    ...row,
    tenant: { id: tenantId, slug, name },
    decided: decidedAt === null ? null : { by: decider, at: decidedAt, approved: approved === true },
  }))
}
