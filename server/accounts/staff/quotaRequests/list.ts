import type { QuotaRequestState } from '../../../../prisma/client/enums.ts'
import type { Db } from '../../../kit/db/transact.ts'

/** A tenant's request for units a month. Times are Unix seconds. */
export type StaffQuotaRequest = {
  id: string
  tenant: { id: string; slug: string; name: string }
  units: number
  /** The quota now. */
  now: number
  reason: string
  asker: string
  createdAt: number
  state: QuotaRequestState
  /** Its approval waits for another lead. */
  needsLead: boolean
  granted: number | null
  /** Null while it waits. */
  answer: { text: string; by: string; at: number } | null
}

const MOST = 100

/** Requests of tenants: those that wait, oldest first, then the latest answered ones; at most 100. `tenant`: only those of it. */
export function listQuotaRequests({ prisma }: Db, tenant?: { id: string }): Promise<StaffQuotaRequest[]> {
  return prisma.$queryRaw<StaffQuotaRequest[]>`
    select r.id::text as id, json_build_object('id', t.id, 'slug', t.slug, 'name', t.name) as tenant,
      r.units::float8 as units, t.monthly_quota::float8 as now, r.reason, coalesce(a.name, 'Former member') as asker,
      floor(extract(epoch from r.created_at))::float8 as "createdAt", r.state::text as state,
      r.state = 'waiting' and r.second_lead is not null as "needsLead", r.granted::float8 as granted,
      case when r.answered_at is not null then json_build_object('text', r.answer, 'by', coalesce(s.name, 'Former staff'),
        'at', floor(extract(epoch from r.answered_at))) end as answer
    from quota_request r
    join tenant t on t.id = r.tenant_id and t.deleted_at is null
    left join "user" a on a.id = r.asked_by
    left join "user" s on s.id = r.answered_by
    where ${tenant?.id ?? null}::uuid is null or r.tenant_id = ${tenant?.id ?? null}::uuid
    order by r.state <> 'waiting', case when r.state = 'waiting' then r.created_at end, r.answered_at desc
    limit ${MOST}`
}
