import { Prisma } from '../../../prisma/client/client.ts'
import type { ChargedTo, Outcome } from '../../../prisma/client/enums.ts'
import type { DecisionFilters } from '../../contract/filters.ts'
import { decisionId } from '../../contract/ids.ts'
import { wildcardPattern } from '../../kit/http/escape.ts'
import type { Conditions } from '../scan.ts'

/** The filters of the list, with the causes of a higher difficulty as bits. */
export type DecisionQuery = Omit<DecisionFilters, 'raised'> & {
  /** Bits of the packed reasons (captcha/challenges/difficulty/reasons), at least one of which is set. */
  reasons?: number | undefined
}

export type DecisionRow = {
  /** The intent's UUID. */
  id: string
  /** `dec_…` */
  decisionId: string
  /** The name is null if the site was deleted. */
  site: { id: string; name: string | null }
  action: string
  hostname: string
  /** Unix seconds, to the microsecond. */
  redeemedAt: number
  /** Milliseconds from the challenge to its solution, and expected hashes; null if it was skipped. */
  solveMs: number | null
  work: number | null
  device: 'mobile' | 'desktop' | null
  exempted: boolean
  chargedTo: ChargedTo
  /** Of the latest feedback. */
  outcome: Outcome | null
}

export type DecisionRecord = {
  id: string
  site_id: string
  site_name: string | null
  action: string
  hostname: string
  redeemed_at: number
  solve_ms: number | null
  work: number | null
  mobile: boolean | null
  exempted: boolean
  charged_to: ChargedTo
  outcome: Outcome | null
}

/** The latest report of the decision `d`, as `f`. */
export const WITH_OUTCOME = Prisma.sql`left join lateral (
    select e.outcome from feedback_event e
    where e.decision_id = d.id and e.tenant_id = d.tenant_id order by e.revision desc limit 1
  ) f on true`

/** A `DecisionRecord` of the decision `d`, which has its outcome, and its site `s`. */
export const COLUMNS = Prisma.sql`d.id::text as id, d.site_id::text as site_id, s.name as site_name, d.action, d.hostname,
    extract(epoch from d.redeemed_at)::float8 as redeemed_at,
    round(extract(epoch from d.solved_at - d.challenged_at) * 1000)::float8 as solve_ms, d.work::float8 as work,
    d.mobile, d.solved_at is null as exempted, d.charged_to::text as charged_to, d.outcome::text as outcome`

type Own = Omit<DecisionQuery, 'site' | 'outcome'>

const OWN: { [Name in keyof Own]-?: (value: NonNullable<Own[Name]>) => Prisma.Sql } = {
  action: (action) => Prisma.sql`d.action ilike ${wildcardPattern(action)}`,
  hostname: (hostname) => Prisma.sql`d.hostname ilike ${wildcardPattern(hostname)}`,
  way: (way) => (way === 'exempted' ? Prisma.sql`d.solved_at is null` : Prisma.sql`d.solved_at is not null`),
  device: (device) => Prisma.sql`d.mobile = ${device === 'mobile'}`,
  paid: (paid) => Prisma.sql`d.charged_to = ${paid}::charged_to`,
  slow: (ms) => Prisma.sql`d.solved_at - d.challenged_at >= ${ms}::float8 * interval '1 millisecond'`,
  reasons: (bits) => Prisma.sql`d.work_reasons & ${bits}::int <> 0`,
}

/** What a decision `d` has to be; the site, for which there is an index, is `ofSite`. */
export const ofItself = (query: Own): Conditions =>
  (Object.keys(OWN) as (keyof Own)[]).map((name) => query[name] !== undefined && OWN[name](query[name] as never))

/** What its latest report `f` has to be. */
export const ofOutcome = ({ outcome }: Pick<DecisionQuery, 'outcome'>): Conditions => [
  outcome === 'none' && Prisma.sql`f.outcome is null`,
  outcome !== undefined && outcome !== 'none' && Prisma.sql`f.outcome = ${outcome}::feedback_outcome`,
]

export const ofSite = ({ site }: Pick<DecisionQuery, 'site'>): Conditions => [
  site !== undefined && Prisma.sql`d.site_id = ${site}::uuid`,
]

export const toRow = (read: DecisionRecord): DecisionRow => ({
  id: read.id,
  decisionId: decisionId(read.id),
  site: { id: read.site_id, name: read.site_name },
  action: read.action,
  hostname: read.hostname,
  redeemedAt: read.redeemed_at,
  solveMs: read.solve_ms,
  work: read.work,
  device: read.mobile === null ? null : read.mobile ? 'mobile' : 'desktop',
  exempted: read.exempted,
  chargedTo: read.charged_to,
  outcome: read.outcome,
})
