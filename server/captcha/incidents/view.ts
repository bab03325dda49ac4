import type { IncidentKind } from '../../../prisma/client/enums.ts'
import { withActions } from '../../accounts/sites/policy.ts'
import { type Clock, seconds } from '../../kit/db/clock.ts'
import type { Db } from '../../kit/db/transact.ts'
import { AppError } from '../../kit/error.ts'
import { type Page, type PageInput, toPage } from '../../ledger/page.ts'
import type { TenantSites } from '../../ledger/tenantSites.ts'
import { type RefusedKind, refusedKind } from '../../ledger/usage/series.ts'
import { MAX_WORK, policyOf } from '../challenges/difficulty/work.ts'

/** Times in Unix seconds, works in expected hashes. */
export type IncidentView = {
  id: string
  kind: IncidentKind
  /** `name`: null if the site was deleted. */
  site: { id: string; name: string | null }
  startedAt: number
  endedAt: number | null
  /** In ten minutes: of `work` the share of raised challenges (0–1), of `refusals` their number. */
  peak: number
  usual: number
  action: string | null
  hostname: string | null
  cause: RefusedKind | null
  /** Networks whose challenges were raised, and from what to what; equal if nothing was. */
  networks: number
  workFrom: number
  workTo: number
  /** What visitors without any sign of their own are asked now, or were asked at the end. */
  honestWork: number
}

/** What is going on at the tenant's sites: open incidents, and sites in attack mode for a time. */
export type Ongoing = { incidents: IncidentView[]; attacks: { site: string; name: string; until: number }[] }

/** Of a member, or of anyone else who may see the tenant's incidents. */
export type IncidentCtx = Db & { clock: Clock; tenant: TenantSites }
type Row = Awaited<ReturnType<typeof readRows>>[number]
type SiteRow = Awaited<ReturnType<typeof sitesOf>>[number]

const readRows = (
  { prisma, tenant }: IncidentCtx,
  where: { id?: string; endedAt?: null; after?: string | undefined },
  take?: number,
) =>
  prisma.incident.findMany({
    where: {
      tenantId: tenant.id,
      ...(where.id !== undefined && { id: where.id }),
      ...(where.endedAt === null && { endedAt: null }),
      ...(where.after !== undefined && { id: { lt: where.after } }),
      ...(tenant.sites && { siteId: { in: [...tenant.sites] } }),
    },
    orderBy: { id: 'desc' },
    ...(take !== undefined && { take }),
  })

async function sitesOf({ prisma, tenant }: IncidentCtx, ids: readonly string[]) {
  const rows = await prisma.site.findMany({
    where: { tenantId: tenant.id, id: { in: [...ids] } },
    select: { id: true, name: true, attackUntil: true, baseWork: true, workMode: true, actions: true },
  })
  return rows.map(withActions)
}

function toView(row: Row, sites: readonly SiteRow[], now: number): IncidentView {
  const site = sites.find(({ id }) => id === row.siteId)
  return {
    id: row.id,
    kind: row.kind,
    site: { id: row.siteId, name: site?.name ?? null },
    startedAt: seconds(row.startedAt.getTime()),
    endedAt: row.endedAt && seconds(row.endedAt.getTime()),
    peak: row.peak,
    usual: row.usual,
    action: row.action,
    hostname: row.hostname,
    cause: row.cause === null ? null : refusedKind(row.cause),
    networks: row.networks,
    ...worksOf(row, site, now),
  }
}

/** The works of an incident. Those of an open one follow the site's policy, which may have changed since the last challenges. */
function worksOf(
  { endedAt, action, workFrom, workTo, honestWork }: Row,
  site: SiteRow | undefined,
  now: number,
): Pick<IncidentView, 'workFrom' | 'workTo' | 'honestWork'> {
  if (endedAt !== null || site === undefined) return { workFrom, workTo, honestWork }
  if ((site.attackUntil?.getTime() ?? 0) > now) return { workFrom, workTo, honestWork: MAX_WORK }
  const { baseWork } = policyOf({ ...site, test: undefined }, action ?? '')
  // a traffic spike raises the work of all
  if (honestWork > workFrom) return { workFrom, workTo, honestWork: Math.max(honestWork, baseWork) }
  return { workFrom: baseWork, workTo: Math.max(workTo, baseWork), honestWork: baseWork }
}

/** The tenant's incidents, the newest first. */
export async function listIncidents(ctx: IncidentCtx, { cursor, limit }: PageInput): Promise<Page<IncidentView>> {
  const rows = await readRows(ctx, { after: cursor }, limit + 1)
  const sites = await sitesOf(
    ctx,
    rows.map(({ siteId }) => siteId),
  )
  return toPage(
    rows.map((row) => toView(row, sites, ctx.clock.now())),
    limit,
  )
}

/** One incident of the tenant. Throws AppError. */
export async function viewIncident(
  ctx: IncidentCtx,
  id: string,
): Promise<IncidentView & { shareToken: string | null }> {
  const [row] = await readRows(ctx, { id })
  if (!row) throw new AppError('incident-not-found')
  return { ...(await viewIncidentOf(ctx, row)), shareToken: row.shareToken }
}

/** The same of a row of the tenant that was read already. */
export const viewIncidentOf = async (ctx: IncidentCtx, row: Row): Promise<IncidentView> =>
  toView(row, await sitesOf(ctx, [row.siteId]), ctx.clock.now())

/** What is going on at the tenant's sites now. */
export async function viewOngoing(ctx: IncidentCtx): Promise<Ongoing> {
  const now = ctx.clock.now()
  const [rows, attacked] = await Promise.all([
    readRows(ctx, { endedAt: null }),
    ctx.prisma.site.findMany({
      where: { tenantId: ctx.tenant.id, attackUntil: { gt: new Date(now) } },
      select: { id: true, name: true, attackUntil: true },
    }),
  ])
  const sites =
    rows.length === 0
      ? []
      : await sitesOf(
          ctx,
          rows.map(({ siteId }) => siteId),
        )
  return {
    incidents: rows.map((row) => toView(row, sites, now)),
    attacks: attacked.map(({ id, name, attackUntil }) => ({
      site: id,
      name,
      until: seconds(attackUntil?.getTime() ?? 0),
    })),
  }
}
