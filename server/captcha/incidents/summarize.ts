import type { MemberCtx } from '../../accounts/access.ts'
import { seconds } from '../../kit/db/clock.ts'
import { HOUR, HOURS_KEPT } from '../../ledger/usage/period.ts'
import { SIGNALS } from '../challenges/difficulty/reasons.ts'
import { explainRefusal } from '../refusals/explain.ts'
import { listSiteChanges, type SiteChange } from './chartMarks.ts'
import { type IncidentCtx, type IncidentView, viewIncident } from './view.ts'

type PhaseCounts = { completed: number; raised: number; charged: number; refused: number | null }
/** A step of the chart from `at` (Unix seconds). `completed` includes `raised`: those whose challenge was raised. */
export type IncidentPoint = PhaseCounts & { at: number }
/** `refused`: null if they are no longer counted by the hour. */
export type Phase = PhaseCounts & { name: 'before' | 'during' | 'after'; from: number; to: number }

/** The traffic around an incident. `step`: seconds. */
export type IncidentTraffic = { step: number; points: IncidentPoint[]; phases: Phase[] }

/**
 * `why`: the probable cause of its most frequent refusal, in a sentence. `shareToken`: of its link, if there is one, for members who
 * may share it.
 */
export type IncidentSummary = IncidentView &
  IncidentTraffic & { why: string | null; changes: SiteChange[]; shareToken: string | null }

/** Seconds of traffic before and after: as long as the incident, within these. */
const AROUND = { min: 900, max: HOUR }
/** Lengths of a step. An hour or a part of it, or whole hours, so that a step is within hours or made of them. */
const STEPS = [60, 300, 900, HOUR, 6 * HOUR, 24 * HOUR]
/** A chart labels up to 48 steps by their time. */
const MOST_STEPS = 48

/** One incident with the traffic before, during and after it, and what people changed at the site meanwhile. Throws AppError. */
export async function summarizeIncident(ctx: MemberCtx, id: string): Promise<IncidentSummary> {
  const { shareToken, ...incident } = await viewIncident(ctx, id)
  const traffic = await readTraffic(ctx, incident)
  const changes = await listSiteChanges(
    ctx,
    { id: ctx.tenant.id, sites: [incident.site.id] },
    { from: traffic.first, to: traffic.last },
  )
  const { step, points, phases } = traffic
  return {
    ...incident,
    why: incident.cause && explainRefusal(incident.cause.code, incident.cause.field).cause,
    step,
    points,
    phases,
    changes,
    shareToken: ctx.allows('incident.share') ? shareToken : null,
  }
}

/**
 * The traffic before, during and after an incident, from `first` to `last` (Unix seconds). Read from the decisions and refusals; of a
 * flood only some refusals are stored, and their number is raised to what was counted in the hour.
 */
export async function readTraffic(
  ctx: IncidentCtx,
  incident: Pick<IncidentView, 'site' | 'startedAt' | 'endedAt'>,
): Promise<IncidentTraffic & { first: number; last: number }> {
  // the second that has begun: what was changed in it belongs to it
  const now = seconds(ctx.clock.now()) + 1
  const { startedAt, endedAt } = incident
  const end = endedAt ?? now
  const around = Math.min(AROUND.max, Math.max(AROUND.min, end - startedAt))
  const [first, last] = [startedAt - around, Math.min(now, end + around)]
  const step = STEPS.find((each) => (last - first) / each <= MOST_STEPS - 2) ?? 24 * HOUR
  const from = Math.floor(first / step) * step
  const to = Math.ceil(last / step) * step
  const points = await readPoints(ctx, incident.site.id, { from, to, step })
  const known = points.map((point) => ({ ...point, refused: point.at < now - HOURS_KEPT ? null : point.refused }))
  const begin = Math.floor(startedAt / step) * step
  const until = Math.max(begin + step, Math.ceil(end / step) * step)
  return {
    first,
    last,
    step,
    points: known,
    phases: [
      phaseOf('before', known, { from, to: begin }),
      phaseOf('during', known, { from: begin, to: until }),
      ...(endedAt === null || until >= to ? [] : [phaseOf('after', known, { from: until, to })]),
    ],
  }
}

function phaseOf(
  name: Phase['name'],
  points: readonly IncidentPoint[],
  { from, to }: { from: number; to: number },
): Phase {
  const own = points.filter(({ at }) => at >= from && at < to)
  const sum = (of: (point: IncidentPoint) => number) => own.reduce((all, point) => all + of(point), 0)
  const refused = own.some((point) => point.refused === null) ? null : sum((point) => point.refused ?? 0)
  return {
    name,
    from,
    to,
    completed: sum(({ completed }) => completed),
    raised: sum(({ raised }) => raised),
    charged: sum(({ charged }) => charged),
    refused,
  }
}

const readPoints = (
  { prisma, tenant }: Pick<IncidentCtx, 'prisma' | 'tenant'>,
  site: string,
  { from, to, step }: { from: number; to: number; step: number },
): Promise<IncidentPoint[]> => prisma.$queryRaw<IncidentPoint[]>`
  select w.at::float8 as at, d.completed, d.raised, d.charged, round(r.n * stored.share)::float8 as refused
  from (
    select at, to_timestamp(at) as begin, to_timestamp(at + ${step}::int) as until,
      date_trunc('hour', to_timestamp(at), 'UTC') as first_hour,
      greatest(to_timestamp(at + ${step}::int), date_trunc('hour', to_timestamp(at), 'UTC') + interval '1 hour') as last_hour
    from generate_series(${from}::bigint, ${to}::bigint - 1, ${step}::bigint) at
  ) w
  cross join lateral (
    select count(*)::float8 as completed,
      (count(*) filter (where work is not null and work_reasons & ${SIGNALS}::int <> 0))::float8 as raised,
      (count(*) filter (where charged_to <> 'test'))::float8 as charged
    from decision where site_id = ${site}::uuid and tenant_id is not distinct from ${tenant.id}::uuid
      and redeemed_at >= w.begin and redeemed_at < w.until
  ) d
  cross join lateral (
    select count(*)::float8 as n from refusal where site_id = ${site}::uuid and tenant_id is not distinct from ${tenant.id}::uuid
      and at >= w.begin and at < w.until
  ) r
  cross join lateral (
    select case when r.n = 0 then 1 else greatest(1, coalesce((
        select sum(u.n) from usage_hour u where u.tenant_id = ${tenant.id}::uuid and u.site_id = ${site}::uuid
          and u.measure = 'refused' and u.hour >= w.first_hour and u.hour < w.last_hour
      ) / (
        select count(*) from refusal where site_id = ${site}::uuid and tenant_id is not distinct from ${tenant.id}::uuid
          and at >= w.first_hour and at < w.last_hour
      ), 1)) end::float8 as share
  ) stored
  order by w.at`
