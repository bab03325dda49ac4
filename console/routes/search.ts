// The search parameters of the pages, apart from the pages: the routes need them before a page has loaded.
import * as z from 'zod/mini'
import { decisionFilters, feedbackFilters, grantFilters, refusalFilters } from '../../server/contract/filters.ts'
import { filterParams, optionalParam, periodSearch } from '../ui/form/period.ts'

/** What an address can ask a page for: a dialog, or the focus of a form or button that has none. */
export const asked = z.enum(['rotate', 'create-secret', 'add-hostname', 'attack-mode', 'pause', 'request-units'])

export type Asked = z.infer<typeof asked>

/** A page with traffic charts. */
export const trafficSearch = z.object({ ...periodSearch, chart: optionalParam(z.enum(['outcomes', 'time', 'work'])) })

export type TrafficSearch = z.infer<typeof trafficSearch>
export type ChartName = NonNullable<TrafficSearch['chart']>

export const decisionSearch = z.object({
  ...periodSearch,
  ...filterParams(decisionFilters),
  live: optionalParam(z.boolean()),
})

export type DecisionSearch = z.infer<typeof decisionSearch>

export const feedbackSearch = z.object({
  ...periodSearch,
  ...filterParams(feedbackFilters),
  /** The decision whose history is open, by its intent's id. */
  report: optionalParam(z.uuid()),
})

export type FeedbackSearch = z.infer<typeof feedbackSearch>

export const grantSearch = z.object({
  ...periodSearch,
  ...filterParams(grantFilters),
  /** Without it, active grants; of a session, all. */
  state: optionalParam(z.enum(['any', 'active', 'used', 'expired', 'revoked'])),
})

export type GrantSearch = z.infer<typeof grantSearch>

export const refusalSearch = z.object({
  ...periodSearch,
  ...filterParams(refusalFilters),
  /** The request whose details are open, by its id. */
  refusal: optionalParam(refusalFilters.shape.request),
})

export type RefusalSearch = z.infer<typeof refusalSearch>
