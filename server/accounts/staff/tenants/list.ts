import type { TenantFilters } from '../../../contract/filters.ts'
import { wordPatterns } from '../../../kit/http/escape.ts'
import type { Page, PageInput } from '../../../ledger/page.ts'
import { type Anomaly, anomaliesOf } from '../../../ledger/usage/anomalies.ts'
import { type Health, healthOf } from '../../../ledger/usage/health.ts'
import type { StaffCtx } from '../../access.ts'
import { recordStaffRead } from '../recordRead.ts'

export type StaffTenantRow = {
  id: string
  slug: string
  name: string
  sites: number
  suspended: boolean
  /** Unix seconds. */
  createdAt: number
  health: Health
  anomalies: Anomaly[]
}

type Row = Omit<StaffTenantRow, 'health' | 'anomalies'>

/** Maximum tenants for which a page computes the health, however few it shows. */
const SCANNED_TENANTS = 200

/**
 * All tenants with their health, newest first. With `attention` a page may have fewer rows than its limit, or none,
 * and not be the last.
 */
export async function listAllTenants(
  ctx: StaffCtx,
  { text, attention = false, cursor, limit }: TenantFilters & PageInput,
): Promise<Page<StaffTenantRow>> {
  await recordStaffRead(ctx, { action: 'staff.list', target: 'tenants', ...(text && { after: { query: text } }) })
  const patterns = wordPatterns(text ?? '')
  const scan = attention ? SCANNED_TENANTS : limit
  const read = await ctx.prisma.$queryRaw<Row[]>`
    select t.id::text as id, t.slug, t.name, t.suspended_at is not null as suspended,
      floor(extract(epoch from t.created_at))::float8 as "createdAt",
      (select count(*)::int from site s where s.tenant_id = t.id) as sites
    from tenant t
    where t.deleted_at is null and t.slug <> 'test-keys' and (${cursor ?? null}::uuid is null or t.id < ${cursor ?? null}::uuid)
      and t.name || ' ' || t.slug ilike all(${patterns})
    order by t.id desc limit ${scan + 1}`
  const looked = read.slice(0, scan)
  const health = await healthOf(
    ctx,
    looked.map(({ id }) => id),
  )
  const rows: StaffTenantRow[] = []
  for (const tenant of looked) {
    const known = health.get(tenant.id)
    if (!known) continue
    const anomalies = anomaliesOf(known)
    if (!attention || tenant.suspended || anomalies.length > 0) rows.push({ ...tenant, health: known, anomalies })
    if (rows.length === limit) return { rows, nextCursor: tenant === read.at(-1) ? null : tenant.id }
  }
  return { rows, nextCursor: read.length > scan ? (looked.at(-1)?.id ?? null) : null }
}
