import type { Prisma } from '../../../prisma/client/client.ts'
import { requestId } from '../../contract/ids.ts'
import { incidentTitle } from '../../contract/incidentTitle.ts'
import { seconds } from '../../kit/db/clock.ts'
import { AppError } from '../../kit/error.ts'
import { type AuditEventOf, auditAround } from '../../ledger/audit/around.ts'
import { type Trace, type TracedRefusal, traceDecision } from '../../ledger/decisions/trace.ts'
import { refusedKind } from '../../ledger/usage/series.ts'
import type { StaffCtx } from '../access.ts'
import { readQuery } from './read.ts'
import { recordRead } from './recordRead.ts'

/** A stored row and its table. */
export type RawRow = { table: string; fields: Record<string, Prisma.JsonValue> }

export type StaffTrace = {
  /** The kind of object that the id belongs to. */
  kind: 'intent' | 'grant' | 'feedback' | 'refusal'
  /** The subject of notes: the intent, or the request if it named none. */
  subject: string
  tenant: { id: string; slug: string; name: string; suspended: boolean; deleted: boolean } | null
  /** Null for a refused request that named no intent or a deleted one. */
  trace: Trace | null
  /** The requested refusal. */
  refusal: (TracedRefusal & { intentId: string | null; keyHint: string | null }) | null
  raw: RawRow[]
  /** Changes of the site or the tenant in the week before. */
  audit: AuditEventOf[]
  /** The site's incidents at that time, Unix seconds. */
  incidents: { id: string; title: string; startedAt: number; endedAt: number | null }[]
}

/** How long before an intent changes are listed, in seconds. */
const BEFORE = 7 * 86_400

/**
 * Everything about an intent, in any tenant, by its id, its decision's, that of a grant, of a feedback event or of a refused
 * request. Throws AppError if there is none.
 */
export async function traceAnything(ctx: StaffCtx, typed: string): Promise<StaffTrace> {
  const read = readQuery(typed)
  const id = read && 'id' in read ? read.id : undefined
  const named = id === undefined ? undefined : await resolve(ctx, id)
  if (id === undefined || !named) throw new AppError('trace-not-found')
  const { kind, intent, tenantId } = named
  await recordRead(ctx, tenantId)
  const [trace, refusal] = await Promise.all([
    intent === null ? undefined : traceDecision(ctx, { id: intent }),
    kind === 'refusal' ? ctx.prisma.refusal.findFirst({ where: { id } }) : null,
  ])
  const at = trace?.intent.createdAt ?? (refusal ? refusal.at.getTime() / 1000 : 0)
  const until = trace?.decision?.redeemedAt ?? at
  const site = trace?.site.id ?? refusal?.siteId ?? null
  const targets = [tenantId, site ?? '']
  const [tenant, raw, audit, incidents] = await Promise.all([
    ctx.prisma.tenant.findUnique({ where: { id: tenantId } }),
    rawRows(ctx, intent ?? id),
    auditAround(ctx, { tenantId, targets, from: at - BEFORE, to: until }),
    incidentsAt(ctx, { tenantId, site, from: at, to: until }),
  ])
  return {
    kind,
    subject: intent ?? id,
    tenant: tenant && {
      id: tenant.id,
      slug: tenant.slug,
      name: tenant.name,
      suspended: tenant.suspendedAt !== null,
      deleted: tenant.deletedAt !== null,
    },
    trace: trace ?? null,
    refusal: refusal && {
      requestId: requestId(refusal.id),
      at: refusal.at.getTime() / 1000,
      endpoint: refusal.endpoint,
      code: refusal.code,
      field: refusal.field,
      hostname: refusal.hostname,
      intentId: refusal.intentId,
      keyHint: refusal.keyHint,
    },
    raw,
    audit,
    incidents,
  }
}

/** The incidents of a site that were open in a time (Unix seconds), the newest first. */
async function incidentsAt(
  { prisma }: StaffCtx,
  { tenantId, site, from, to }: { tenantId: string; site: string | null; from: number; to: number },
): Promise<StaffTrace['incidents']> {
  if (site === null) return []
  const ended = [{ endedAt: null }, { endedAt: { gte: new Date(from * 1000) } }]
  const [rows, named] = await Promise.all([
    prisma.incident.findMany({
      where: { tenantId, siteId: site, startedAt: { lte: new Date((to + 1) * 1000) }, OR: ended },
      orderBy: { id: 'desc' },
    }),
    prisma.site.findUnique({ where: { id: site }, select: { name: true } }),
  ])
  return rows.map(({ id, startedAt, endedAt, kind, cause, hostname, action }) => ({
    id,
    title: incidentTitle({
      kind,
      cause: cause === null ? null : refusedKind(cause),
      site: named?.name ?? 'a deleted site',
      hostname,
      action,
    }),
    startedAt: seconds(startedAt.getTime()),
    endedAt: endedAt && seconds(endedAt.getTime()),
  }))
}

type Named = { kind: StaffTrace['kind']; intent: string | null; tenantId: string }

/** The intent that an id belongs to, from the first table that contains it. */
async function resolve({ prisma }: StaffCtx, id: string): Promise<Named | undefined> {
  const [row] = await prisma.$queryRaw<Named[]>`
    select f.kind, f.intent::text as intent, f.tenant_id::text as "tenantId" from (
      select 1 as rank, 'intent' as kind, id as intent, tenant_id from decision where id = ${id}::uuid
      union all select 1, 'intent', id, tenant_id from intent where id = ${id}::uuid
      union all select 2, 'grant', decision_id, tenant_id from captcha_grant where id = ${id}::uuid
      union all select 3, 'feedback', decision_id, tenant_id from feedback_event where event_id = ${id}::uuid
      union all select 4, 'refusal', intent_id, tenant_id from refusal where id = ${id}::uuid
    ) f order by f.rank limit 1`
  return row
}

/** All rows stored for the id of an intent or of a refused request. None of these tables contains secrets. */
function rawRows({ prisma }: StaffCtx, id: string): Promise<RawRow[]> {
  return prisma.$queryRaw<RawRow[]>`
    select 'intent' as table, to_jsonb(t) as fields from intent t where id = ${id}::uuid
    union all select 'decision', to_jsonb(t) from decision t where id = ${id}::uuid
    union all select 'captcha_grant', to_jsonb(t) from captcha_grant t where decision_id = ${id}::uuid
    union all (select 'feedback_event', to_jsonb(t) from feedback_event t where decision_id = ${id}::uuid order by revision)
    union all (select 'refusal', to_jsonb(t) from refusal t where intent_id = ${id}::uuid order by at limit 100)
    union all select 'refusal', to_jsonb(t) from refusal t where id = ${id}::uuid`
}
