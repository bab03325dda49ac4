import type { IncidentKind } from '../../../prisma/client/enums.ts'
import type { Context } from '../../kit/context.ts'
import { newId } from '../../kit/crypto/ids.ts'
import { announceIncidents } from './announce.ts'
import { type Figures, readFigures, readUsual } from './figures.ts'
import { figureOf, judge } from './judge.ts'

const KINDS = ['work', 'refusals'] as const satisfies IncidentKind[]

/** Seconds that a site has to be calm until its incident has ended. */
const CALM = 300

type Ctx = Pick<Context, 'prisma' | 'mail' | 'keyring' | 'config' | 'log'>

/**
 * Compares the last ten minutes of every site with what is usual for it; opens, continues and ends incidents, and e-mails
 * them. Several nodes may run it at the same time: of each kind at most one incident of a site is open.
 */
export async function watchIncidents(ctx: Ctx): Promise<void> {
  const seen = await readFigures(ctx)
  // against nothing: what is no more than a small number is not compared further
  const candidates = seen.filter((figures) => KINDS.some((kind) => judge(kind, figures, 0) !== 'calm'))
  const usual = new Map((await readUsual(ctx, candidates)).map((row) => [row.site, row]))
  for (const figures of candidates) {
    for (const kind of KINDS) {
      const normal = usual.get(figures.site)?.[kind] ?? 0
      const level = judge(kind, figures, normal)
      if (level === 'calm') continue
      const isOpen = await continueIncident(ctx, kind, figures, normal)
      if (!isOpen && level === 'spike') await openIncident(ctx, kind, figures, normal)
    }
  }
  await ctx.prisma.$executeRaw`
    update incident set ended_at = seen_at where ended_at is null and seen_at < now() - make_interval(secs => ${CALM})`
  await announceIncidents(ctx)
}

const detailsOf = (kind: IncidentKind, figures: Figures) =>
  kind === 'work'
    ? { since: figures.work_since, action: figures.work_action, hostname: figures.work_hostname, cause: null }
    : {
        since: figures.refused_since,
        action: figures.refused_action,
        hostname: figures.refused_hostname,
        cause: figures.refused_cause,
      }

/** Returns whether one was open. What it was most about is taken from its highest ten minutes. */
async function continueIncident(
  { prisma }: Ctx,
  kind: IncidentKind,
  figures: Figures,
  usual: number,
): Promise<boolean> {
  const figure = figureOf(kind, figures)
  const { action, hostname, cause } = detailsOf(kind, figures)
  const { networks, work_from, work_to, honest_work } = figures
  const updated = await prisma.$executeRaw`
    update incident set seen_at = greatest(seen_at, now()), usual = ${usual}, peak = greatest(peak, ${figure}),
      action = case when ${figure} > peak then coalesce(${action}, action) else action end,
      hostname = case when ${figure} > peak then coalesce(${hostname}, hostname) else hostname end,
      cause = case when ${figure} > peak then coalesce(${cause}, cause) else cause end,
      networks = greatest(networks, ${networks}::int), work_from = least(work_from, ${work_from}::int),
      work_to = greatest(work_to, ${work_to}::int), honest_work = ${honest_work}::int
    where site_id = ${figures.site}::uuid and kind = ${kind}::incident_kind and ended_at is null`
  return updated > 0
}

async function openIncident({ prisma }: Ctx, kind: IncidentKind, figures: Figures, usual: number): Promise<void> {
  const { since, action, hostname, cause } = detailsOf(kind, figures)
  const { site, tenant, networks, work_from, work_to, honest_work } = figures
  await prisma.$executeRaw`
    insert into incident (id, tenant_id, site_id, kind, started_at, seen_at, peak, usual, action, hostname, cause,
      networks, work_from, work_to, honest_work)
    values (${newId()}::uuid, ${tenant}::uuid, ${site}::uuid, ${kind}::incident_kind,
      coalesce(to_timestamp(${since}::float8), now()), now(), ${figureOf(kind, figures)}, ${usual}, ${action}, ${hostname},
      ${cause}, ${networks}::int, ${work_from}::int, ${work_to}::int, ${honest_work}::int)
    on conflict (site_id, kind) where ended_at is null do nothing`
}
