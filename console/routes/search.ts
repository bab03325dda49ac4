// The search parameters of the pages, apart from the pages: the routes need them before a page has loaded.
import * as z from 'zod/mini'
import { optionalParam, type PeriodSearch, periodSearch } from '../ui/form/period.ts'

/** A page with traffic charts. */
export const trafficSearch = z.object({ ...periodSearch, chart: optionalParam(z.enum(['outcomes', 'time', 'work'])) })

export type TrafficSearch = z.infer<typeof trafficSearch>
export type ChartName = NonNullable<TrafficSearch['chart']>

/** The filters of the list of decisions. */
const decisionFilters = {
  site: optionalParam(z.uuid()),
  action: optionalParam(z.string().check(z.maxLength(253))),
  hostname: optionalParam(z.string().check(z.maxLength(253))),
  outcome: optionalParam(z.enum(['confirmed_abuse', 'legitimate', 'unknown', 'none'])),
  way: optionalParam(z.enum(['solved', 'exempted'])),
  device: optionalParam(z.enum(['mobile', 'desktop'])),
  paid: optionalParam(z.enum(['quota', 'balance'])),
  /** Milliseconds. */
  slow: optionalParam(z.int().check(z.minimum(0), z.maximum(3_600_000))),
  raised: optionalParam(z.enum(['any', 'network', 'subject', 'site', 'feedback', 'list', 'hints', 'fallback'])),
}

export const decisionSearch = z.object({ ...periodSearch, ...decisionFilters, live: optionalParam(z.boolean()) })

export type DecisionSearch = z.infer<typeof decisionSearch>
export type DecisionFilters = Omit<DecisionSearch, keyof PeriodSearch | 'live'>

export const DECISION_FILTERS = Object.keys(decisionFilters) as (keyof DecisionFilters)[]

const identifier = optionalParam(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/)))

export const feedbackSearch = z.object({
  ...periodSearch,
  site: optionalParam(z.uuid()),
  outcome: optionalParam(z.enum(['confirmed_abuse', 'legitimate', 'unknown'])),
  /** The business type. */
  type: identifier,
  action: identifier,
  /** The decision whose history is open, by its intent's id. */
  report: optionalParam(z.uuid()),
})

export type FeedbackSearch = z.infer<typeof feedbackSearch>

export const grantSearch = z.object({
  ...periodSearch,
  state: optionalParam(z.enum(['active', 'used', 'expired', 'revoked'])),
  site: optionalParam(z.uuid()),
  /** Its first hex digits, or all 64. */
  session: optionalParam(z.string().check(z.regex(/^[0-9a-f]{8,64}$/))),
})

export type GrantSearch = z.infer<typeof grantSearch>

const text = optionalParam(z.string().check(z.maxLength(64)))

export const refusalSearch = z.object({
  ...periodSearch,
  request: optionalParam(z.string().check(z.regex(/^req_[0-9a-f]{32}$/))),
  site: optionalParam(z.uuid()),
  endpoint: text,
  code: text,
  field: text,
})
