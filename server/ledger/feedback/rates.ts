import type { Outcome } from '../../../prisma/client/enums.ts'
import type { Db } from '../../kit/transact.ts'
import { valueOf } from '../usage/buckets.ts'
import type { UsageMeasure } from '../usage/count.ts'
import { before, inSteps, type Period } from '../usage/period.ts'
import { readUsage, type UsageCount } from '../usage/read.ts'

/** Redemptions with feedback, by the latest of it. */
export type Reported = Record<Outcome, number>

/** Of `redeemed` redemptions, what was reported. */
export type Rate = Reported & { redeemed: number }

/** The same of one kind; `name` is null for all kinds but the most frequent. */
export type NamedRate = Reported & { name: string | null }

/** The same of those whose solve time (seconds) or work (expected hashes) is at least `from` and under `to`. */
export type RangeRate = Rate & { from: number; to: number | null }

export type FeedbackRates = Period & {
  /** Seconds: an hour or a day. */
  step: number
  points: (Rate & { at: number })[]
  totals: Rate
  /** The same of as long a time just before. */
  before: Rate
  byType: NamedRate[]
  byAction: NamedRate[]
  /** Its name is null where it was deleted. */
  bySite: (Rate & { id: string; name: string | null })[]
  /** Of what was solved, with every range that has redemptions. */
  bySolveTime: RangeRate[]
  byWork: RangeRate[]
}

/** Lower bounds of the ranges, in seconds and in expected hashes: few enough to compare. */
const SOLVE_TIMES = [0, 0.5, 1, 2, 5, 10]
const WORKS = [0, 250_000, 500_000, 1_000_000, 2_000_000, 4_000_000]

/** How many types are listed separately; the others are added up. */
const KINDS = 12

const BY_TIME = ['redeemed', 'feedback_type'] as const satisfies UsageMeasure[]
const BY_KIND = [
  'feedback_type',
  'feedback_action',
  'feedback_solve_time',
  'feedback_work',
  'solve_time',
  'work',
] as const satisfies UsageMeasure[]

/**
 * How much of what was redeemed in the period proved to be abuse, by what; of the tenant or one of its sites. Read from
 * the rollups: what was reported counts in the hour of its redemption, and a correction takes the place of what it
 * corrects. Recent hours rise for days, while reports come in.
 */
export async function feedbackRates(
  ctx: Db,
  whose: { tenantId: string; siteId?: string | undefined },
  asked: Period,
): Promise<FeedbackRates> {
  const period = inSteps(asked)
  const { from, to, step } = period
  const [overTime, earlier, ofSites, kinds, sites] = await Promise.all([
    readUsage(ctx, whose, period, BY_TIME, { at: true, label: true }),
    readUsage(ctx, whose, { ...before(period), step }, BY_TIME, { label: true }),
    readUsage(ctx, whose, period, BY_TIME, { site: true, label: true }),
    readUsage(ctx, whose, period, BY_KIND, { label: true }),
    ctx.prisma.site.findMany({ where: { tenantId: whose.tenantId }, select: { id: true, name: true } }),
  ])
  const byStep = sums(overTime, ({ at }) => at)
  const points: FeedbackRates['points'] = []
  for (let at = from; at < to; at += step) points.push({ at, ...(byStep.get(at) ?? nothing()) })
  const named = new Map(sites.map(({ id, name }) => [id, name]))
  return {
    from,
    to,
    step,
    points,
    totals: sums(overTime, () => 'all').get('all') ?? nothing(),
    before: sums(earlier, () => 'all').get('all') ?? nothing(),
    byType: kindsOf(kinds, 'feedback_type'),
    byAction: kindsOf(kinds, 'feedback_action'),
    bySite: [...sums(ofSites, ({ site }) => site)]
      .map(([id, rate]) => ({ id, name: named.get(id) ?? null, ...rate }))
      .filter((rate) => reported(rate) > 0)
      .toSorted((a, b) => reported(b) - reported(a)),
    bySolveTime: ranges(kinds, SOLVE_TIMES, { told: 'feedback_solve_time', all: 'solve_time', unit: 1000 }),
    byWork: ranges(kinds, WORKS, { told: 'feedback_work', all: 'work', unit: 1 }),
  }
}

const nothing = (): Rate => ({ redeemed: 0, confirmed_abuse: 0, legitimate: 0, unknown: 0 })

const reported = ({ confirmed_abuse, legitimate, unknown }: Reported): number => confirmed_abuse + legitimate + unknown

/** What a label of feedback says: outcome and key. */
function told(label: string): [Outcome, string] {
  const [outcome = '', key = ''] = label.split(' ')
  return [outcome as Outcome, key]
}

/** Redemptions and what was reported of them, by `keyOf`. */
function sums<Key>(counted: UsageCount[], keyOf: (counted: UsageCount) => Key): Map<Key, Rate> {
  const rates = new Map<Key, Rate>()
  for (const one of counted) {
    const rate = rates.get(keyOf(one)) ?? nothing()
    rate[one.measure === 'redeemed' ? 'redeemed' : told(one.label)[0]] += one.n
    rates.set(keyOf(one), rate)
  }
  return rates
}

/** By the key of the labels, the most frequent first. */
function kindsOf(counted: UsageCount[], measure: UsageMeasure): NamedRate[] {
  const rates = sums(
    counted.filter((one) => one.measure === measure),
    ({ label }) => told(label)[1],
  )
  const all = [...rates]
    .map(
      ([name, { confirmed_abuse, legitimate, unknown }]): NamedRate => ({ name, confirmed_abuse, legitimate, unknown }),
    )
    .filter((rate) => reported(rate) > 0)
    .toSorted((a, b) => reported(b) - reported(a))
  const others = all.splice(KINDS).reduce((sum, rate) => added(sum, rate), { ...nothing(), name: null })
  return reported(others) > 0 ? [...all, others] : all
}

const added = (a: NamedRate, b: NamedRate): NamedRate => ({
  name: a.name,
  confirmed_abuse: a.confirmed_abuse + b.confirmed_abuse,
  legitimate: a.legitimate + b.legitimate,
  unknown: a.unknown + b.unknown,
})

/** Buckets put into ranges, by their middle: what is near an edge may be on the other side of it by 5 %. */
function ranges(
  counted: UsageCount[],
  begins: readonly number[],
  { told: measure, all, unit }: { told: UsageMeasure; all: UsageMeasure; unit: number },
): RangeRate[] {
  const rates = begins.map((from, index): RangeRate => ({ from, to: begins[index + 1] ?? null, ...nothing() }))
  for (const one of counted) {
    if (one.measure !== measure && one.measure !== all) continue
    const value = valueOf(Number(one.label.split(' ').at(-1))) / unit
    const rate = rates.findLast(({ from }) => from <= value)
    if (rate) rate[one.measure === all ? 'redeemed' : told(one.label)[0]] += one.n
  }
  return rates.filter((rate) => rate.redeemed + reported(rate) > 0)
}
