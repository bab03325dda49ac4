import type { Outcome } from '../../../prisma/client/enums.ts'
import type { Db } from '../../kit/db/transact.ts'
import { siteNames } from '../siteNames.ts'
import type { TenantSites } from '../tenantSites.ts'
import { hadTrafficBefore } from '../usage/began.ts'
import type { UsageMeasure } from '../usage/count.ts'
import { before, DAY, HOUR, inSteps, type Period } from '../usage/period.ts'
import { readUsage, type UsageCount } from '../usage/read.ts'

/** Redemptions with feedback, by their latest outcome. */
export type Reported = Record<Outcome, number>

/** The reports about `redeemed` redemptions. */
export type Rate = Reported & { redeemed: number }

/** The same for one kind; `name` is null for the sum of all but the most frequent kinds. */
export type NamedRate = Reported & { name: string | null }

export type FeedbackRates = Period & {
  /** Seconds: an hour or a UTC day. */
  step: number
  /** Of the first and the last day only what is within the period. */
  points: (Rate & { at: number })[]
  totals: Rate
  /** The same for the period of equal length just before. */
  before: Rate
  /** Traffic began before that earlier period, so that the two periods can be compared. */
  comparable: boolean
  byType: NamedRate[]
  byAction: NamedRate[]
  /** The name is null if the site was deleted. */
  bySite: (Rate & { id: string; name: string | null })[]
}

/** With fewer redemptions an hour on average, one report more or less moves an hour's rate by percents: days are shown. */
const FEW = 50

/** How many types are listed separately; the others are added up. */
const KINDS = 12

const BY_TIME = ['redeemed', 'feedback_type'] as const satisfies UsageMeasure[]
const BY_KIND = ['feedback_type', 'feedback_action'] as const satisfies UsageMeasure[]

/**
 * The rate of reported abuse among the period's redemptions, by several dimensions, for the tenant or some of its sites.
 * Read from the rollups: a report counts in the hour of its redemption, and a correction replaces what it corrects. Recent
 * hours rise for days, while reports come in.
 */
export async function feedbackRates(ctx: Db, tenant: TenantSites, asked: Period): Promise<FeedbackRates> {
  const period = inSteps(asked)
  const { from, to, step } = period
  const [overTime, earlier, ofSites, kinds, sites, comparable] = await Promise.all([
    readUsage(ctx, tenant, period, BY_TIME, { at: true, label: true }),
    readUsage(ctx, tenant, { ...before(period), step }, BY_TIME, { label: true }),
    readUsage(ctx, tenant, period, BY_TIME, { site: true, label: true }),
    readUsage(ctx, tenant, period, BY_KIND, { label: true }),
    siteNames(ctx, tenant.id),
    hadTrafficBefore(ctx, tenant, before(period).from),
  ])
  const totals = sums(overTime, () => 'all').get('all') ?? nothing()
  const shown = step === HOUR && to - from >= 2 * DAY && totals.redeemed < (FEW * (to - from)) / HOUR ? DAY : step
  const byStep = sums(overTime, ({ at }) => startOf(at, shown))
  const points: FeedbackRates['points'] = []
  for (let at = startOf(from, shown); at < to; at += shown) points.push({ at, ...(byStep.get(at) ?? nothing()) })
  return {
    from,
    to,
    step: shown,
    points,
    totals,
    before: sums(earlier, () => 'all').get('all') ?? nothing(),
    comparable,
    byType: kindsOf(kinds, 'feedback_type'),
    byAction: kindsOf(kinds, 'feedback_action'),
    bySite: [...sums(ofSites, ({ site }) => site)]
      .map(([id, rate]) => ({ id, name: sites.get(id)?.name ?? null, ...rate }))
      .filter((rate) => reported(rate) > 0)
      .toSorted((a, b) => reported(b) - reported(a)),
  }
}

const startOf = (at: number, step: number): number => Math.floor(at / step) * step

const nothing = (): Rate => ({ redeemed: 0, confirmed_abuse: 0, legitimate: 0, unknown: 0 })

const reported = ({ confirmed_abuse, legitimate, unknown }: Reported): number => confirmed_abuse + legitimate + unknown

/** Parses a label of feedback: outcome and key. */
function parseLabel(label: string): [Outcome, string] {
  const [outcome = '', key = ''] = label.split(' ')
  return [outcome as Outcome, key]
}

/** Redemptions and their reports, by `keyOf`. */
function sums<Key>(counted: UsageCount[], keyOf: (counted: UsageCount) => Key): Map<Key, Rate> {
  const rates = new Map<Key, Rate>()
  for (const one of counted) {
    const rate = rates.get(keyOf(one)) ?? nothing()
    rate[one.measure === 'redeemed' ? 'redeemed' : parseLabel(one.label)[0]] += one.n
    rates.set(keyOf(one), rate)
  }
  return rates
}

/** By the key of the labels, the most frequent first. */
function kindsOf(counted: UsageCount[], measure: UsageMeasure): NamedRate[] {
  const rates = sums(
    counted.filter((one) => one.measure === measure),
    ({ label }) => parseLabel(label)[1],
  )
  const all = [...rates]
    .map(
      ([name, { confirmed_abuse, legitimate, unknown }]): NamedRate => ({ name, confirmed_abuse, legitimate, unknown }),
    )
    .filter((rate) => reported(rate) > 0 && rate.name !== '*')
    .toSorted((a, b) => reported(b) - reported(a))
  // what is counted without its name belongs to the others as well (usage.sql)
  const unnamed = { ...nothing(), ...rates.get('*'), name: null }
  const others = all.splice(KINDS).reduce((sum, rate) => added(sum, rate), unnamed)
  return reported(others) > 0 ? [...all, others] : all
}

const added = (a: NamedRate, b: NamedRate): NamedRate => ({
  name: a.name,
  confirmed_abuse: a.confirmed_abuse + b.confirmed_abuse,
  legitimate: a.legitimate + b.legitimate,
  unknown: a.unknown + b.unknown,
})
