import type { TenantFilters } from '../../../contract/filters.ts'
import { UUID } from '../../../contract/ids.ts'
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

/** The number of tenants that are sorted by what needs attention; older ones follow, sorted in the same way. */
const SORTED_TENANTS = 200

const ID = UUID.source.slice(1, -1)

/** The tenant before the sorted ones, or `-`, and the last row that was shown with whether it needs attention. */
export const TENANT_CURSOR = new RegExp(`^(-|${ID})~(?:(attention|calm)~(${ID}))?$`)

/**
 * All tenants with their health: those that need attention first, then the newest first, among the newest 200, then among the
 * next 200. A page may have fewer rows than its limit, or none, and not be the last.
 */
export async function listAllTenants(
  ctx: StaffCtx,
  { text, attention = false, cursor, limit }: TenantFilters & PageInput,
): Promise<Page<StaffTenantRow>> {
  await recordStaffRead(ctx, { action: 'staff.list', target: 'tenants', ...(text && { after: { query: text } }) })
  const patterns = wordPatterns(text ?? '')
  const [, after = '-', shownGroup, shownId] = TENANT_CURSOR.exec(cursor ?? '') ?? []
  const start = after === '-' ? null : after
  const read = await ctx.prisma.$queryRaw<Row[]>`
    select t.id::text as id, t.slug, t.name, t.suspended_at is not null as suspended,
      floor(extract(epoch from t.created_at))::float8 as "createdAt",
      (select count(*)::int from site s where s.tenant_id = t.id) as sites
    from tenant t
    where t.deleted_at is null and t.slug <> 'test-keys' and (${start}::uuid is null or t.id < ${start}::uuid)
      and t.name || ' ' || t.slug ilike all(${patterns})
    order by t.id desc limit ${SORTED_TENANTS + 1}`
  const looked = read.slice(0, SORTED_TENANTS)
  const health = await healthOf(
    ctx,
    looked.map(({ id }) => id),
  )
  const known = looked.flatMap((tenant): StaffTenantRow[] => {
    const its = health.get(tenant.id)
    return its ? [{ ...tenant, health: its, anomalies: anomaliesOf(its) }] : []
  })
  const isFirst = ({ suspended, anomalies }: StaffTenantRow) => suspended || anomalies.length > 0
  const groups = { attention: known.filter(isFirst), calm: attention ? [] : known.filter((row) => !isFirst(row)) }
  const rest = [
    ...(shownGroup === 'calm'
      ? []
      : groups.attention.filter(({ id }) => shownGroup === undefined || id < (shownId ?? ''))),
    ...groups.calm.filter(({ id }) => shownGroup !== 'calm' || id < (shownId ?? '')),
  ]
  const rows = rest.slice(0, limit)
  const last = rows.at(-1)
  if (rest.length > limit && last)
    return { rows, nextCursor: `${after}~${isFirst(last) ? 'attention' : 'calm'}~${last.id}` }
  return { rows, nextCursor: read.length > SORTED_TENANTS ? `${looked.at(-1)?.id}~` : null }
}
