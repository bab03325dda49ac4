import { Prisma } from '../../../prisma/client/client.ts'
import type { StaffAuditFilters, StaffAuditKind } from '../../contract/filters.ts'
import type { Db } from '../../kit/db/transact.ts'
import { likePattern } from '../../kit/http/escape.ts'
import { type Page, type PageInput, toPage } from '../page.ts'
import { ACTOR_COLUMNS, type ActorRow, WITH_PERSON, withStaffActor } from './actor.ts'
import type { AuditEventOf } from './around.ts'

export type StaffAuditRow = AuditEventOf & { tenant: { id: string; slug: string; name: string } | null }

type Row = Omit<StaffAuditRow, 'actor' | 'tenant'> &
  ActorRow & {
    tenant_id: string | null
    slug: string | null
    name: string | null
  }

const READS = Prisma.sql`e.action in ('note.read', 'staff.list', 'staff.search', 'tenant.read')`
const changesOf = (action: string) => Prisma.sql`not ${READS} and e.action ~ ${action}`

const KINDS = {
  changes: Prisma.sql`not ${READS}`,
  units: changesOf('units|^quota|^balance'),
  tenants: changesOf('^tenant|^view_as|^site|^note'),
  accounts: changesOf('^session|^password|^two_factor|^recovery_code|^staff|^member'),
  data: changesOf('^person|^visitor|export'),
  reads: READS,
  all: Prisma.sql`true`,
} satisfies Record<StaffAuditKind, Prisma.Sql>

/** How many rows one page scans: changes by members are skipped, and there may be many. */
const SCANNED_EVENTS = 20_000

/**
 * Changes by staff and operators in all tenants, newest first, with the sign-ins and account changes of staff, and of
 * others if `actor` is given. A page may have fewer rows than its limit,
 * or none, and not be the last, because it scans at most 20,000 rows.
 */
export async function listStaffAudit(
  { prisma }: Db,
  input: StaffAuditFilters & PageInput,
): Promise<Page<StaffAuditRow>> {
  const [actor, tenant] = [input.actor, input.tenant].map((part) => (part ? likePattern(part) : null))
  const actions = input.action ? input.action.split(',').map(likePattern) : null
  const cursor = input.cursor ?? null
  const rows = await prisma.$queryRaw<Row[]>`
    with scanned as materialized (
      select * from audit_event e
      where ${cursor}::uuid is null
        or (e.created_at, e.id) < (select c.created_at, c.id from audit_event c where c.id = ${cursor}::uuid)
      order by e.created_at desc, e.id desc limit ${SCANNED_EVENTS}
    )
    select e.id::text as id, ${ACTOR_COLUMNS}, e.action, e.target, e.before, e.after,
      floor(extract(epoch from e.created_at))::float8 as "createdAt", t.id::text as tenant_id, t.slug, t.name
    from scanned e
    ${WITH_PERSON}
    left join tenant t on t.id = e.tenant_id
    where (e.actor_type in ('staff', 'operator')
        or (e.tenant_id is null and (u.staff_level is not null or ${actor}::text is not null)))
      and (${actor}::text is null or u.name ilike ${actor} or u.email ilike ${actor}
        or (u.id is null and (e.actor_id ilike ${actor} or e.actor_type::text ilike ${actor})))
      and (${tenant}::text is null or t.slug ilike ${tenant} or t.name ilike ${tenant}
        or t.id::text = ${input.tenant ?? ''})
      and (${actions}::text[] is null or e.action ilike any (${actions}))
      and ${KINDS[input.kind ?? 'changes']}
    order by e.created_at desc, e.id desc limit ${input.limit + 1}`
  const page = toPage(
    rows.map(({ tenant_id, slug, name, ...row }) => ({
      ...withStaffActor(row),
      tenant: tenant_id === null || slug === null || name === null ? null : { id: tenant_id, slug, name },
    })),
    input.limit,
  )
  if (page.nextCursor !== null) return page
  return { ...page, nextCursor: await lastScanned({ prisma }, cursor) }
}

/** The last row that such a page scans, if there are more. */
async function lastScanned({ prisma }: Db, cursor: string | null): Promise<string | null> {
  const [last] = await prisma.$queryRaw<{ id: string }[]>`
    select e.id::text as id from audit_event e
    where ${cursor}::uuid is null
      or (e.created_at, e.id) < (select c.created_at, c.id from audit_event c where c.id = ${cursor}::uuid)
    order by e.created_at desc, e.id desc offset ${SCANNED_EVENTS - 1} limit 1`
  return last?.id ?? null
}
