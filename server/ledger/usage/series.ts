import { WORK_BOUNDS } from '../../contract/sitePolicy.ts'
import type { Db } from '../../kit/db/transact.ts'
import type { TenantSites } from '../tenantSites.ts'
import { hadTrafficBefore } from './began.ts'
import { bucketOf, type Histogram, percentile } from './buckets.ts'
import type { UsageMeasure } from './count.ts'
import { groupBy } from './groupBy.ts'
import { before, inSteps, type Period } from './period.ts'
import { readUsage, type UsageCount } from './read.ts'

const STEPS = ['intents', 'challenged', 'solved', 'exempted', 'redeemed', 'refused'] as const
type Step = (typeof STEPS)[number]

/** How often each step was reached. `exempted`: intents that skipped the challenge because of a grant. */
export type Totals = Record<Step, number>

/** Median and 95th percentile of the solve time in seconds. Null without solved challenges. */
export type Spread = { n: number; p50: number | null; p95: number | null }

/** A refusal's kind. `field`: set for a 422 `bad-request`. */
export type RefusedKind = { endpoint: string; code: string; field: string | null }

/** One step of the chart, beginning at `at`. `work`: the median of the expected hashes. */
export type UsagePoint = Totals & { at: number; p50: number | null; p95: number | null; work: number | null }

export type UsageSeries = Period & {
  /** Seconds: an hour or a day. */
  step: number
  points: UsagePoint[]
  totals: Totals
  /** The same for the period of equal length just before. */
  before: Totals
  /** Traffic began before that earlier period, so that the two periods can be compared. */
  comparable: boolean
  solveTime: { all: Spread; desktop: Spread; mobile: Spread; before: Spread }
  /** Most frequent first. */
  refusals: (RefusedKind & { n: number; before: number })[]
}

const SPREADS = ['solve_time', 'work'] as const satisfies UsageMeasure[]

/**
 * The traffic of the tenant's sites, or of some, per step of the chart, and of the period of equal length before. Read from
 * the rollups, which are about a second late. The last step may be incomplete.
 */
export async function usageSeries(ctx: Db, tenant: TenantSites, asked: Period): Promise<UsageSeries> {
  const period = inSteps(asked)
  const { from, to, step } = period
  const [now, earlier, comparable] = await Promise.all([
    readUsage(ctx, tenant, period, [...STEPS, ...SPREADS], { at: true, label: true }),
    readUsage(ctx, tenant, { ...before(period), step }, [...STEPS, 'solve_time'], { label: true }),
    hadTrafficBefore(ctx, tenant, before(period).from),
  ])
  const byStep = groupBy(now, ({ at }) => at)
  const points: UsagePoint[] = []
  for (let at = from; at < to; at += step) {
    const counted = byStep.get(at) ?? []
    const { p50, p95 } = spread(counted)
    points.push({ at, ...totals(counted), p50, p95, work: medianWork(counted) })
  }
  return {
    from,
    to,
    step,
    points,
    totals: totals(now),
    before: totals(earlier),
    comparable,
    solveTime: {
      all: spread(now),
      desktop: spread(now, 'desktop'),
      mobile: spread(now, 'mobile'),
      before: spread(earlier),
    },
    refusals: refusals(now, earlier),
  }
}

function totals(counted: UsageCount[]): Totals {
  const sums: Totals = { intents: 0, challenged: 0, solved: 0, exempted: 0, redeemed: 0, refused: 0 }
  for (const { measure, n } of counted) if (Object.hasOwn(sums, measure)) sums[measure as Step] += n
  return sums
}

/** The number of values per bucket, which is the last word of each label. */
function histogram(counted: UsageCount[], measure: UsageMeasure, device = ''): Histogram {
  const buckets = new Map<number, number>()
  for (const { label, n } of counted.filter((c) => c.measure === measure && c.label.startsWith(device))) {
    const bucket = Number(label.split(' ').at(-1))
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + n)
  }
  return buckets
}

function spread(counted: UsageCount[], device?: 'desktop' | 'mobile'): Spread {
  const times = histogram(counted, 'solve_time', device)
  const secondsAt = (p: number) => {
    const milliseconds = percentile(times, p)
    return milliseconds === null ? null : milliseconds / 1000
  }
  return { n: [...times.values()].reduce((sum, n) => sum + n, 0), p50: secondsAt(0.5), p95: secondsAt(0.95) }
}

/** The median of the expected hashes. Most challenges of the bucket of the maximum have exactly the maximum. */
function medianWork(counted: UsageCount[]): number | null {
  const work = percentile(histogram(counted, 'work'), 0.5)
  return work !== null && bucketOf(work) === bucketOf(WORK_BOUNDS.max) ? WORK_BOUNDS.max : work
}

function refusals(now: UsageCount[], earlier: UsageCount[]): UsageSeries['refusals'] {
  const sums = (counted: UsageCount[]) => {
    const by = new Map<string, number>()
    for (const { measure, label, n } of counted) if (measure === 'refused') by.set(label, (by.get(label) ?? 0) + n)
    return by
  }
  const was = sums(earlier)
  return [...sums(now)]
    .map(([label, n]) => ({ ...refusedKind(label), n, before: was.get(label) ?? 0 }))
    .toSorted((a, b) => b.n - a.n)
}

/** Parses a label of `refused`. */
export function refusedKind(label: string): RefusedKind {
  const [endpoint = '', code = '', field = null] = label.split(' ')
  return { endpoint, code, field }
}
