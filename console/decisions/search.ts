import * as z from 'zod/mini'
import { lenient } from '../ui/form/lenient.ts'
import { isFixed, type PeriodSearch, periodSearch, type Range } from '../ui/form/period.ts'

/** The filters of a list of decisions. */
const filters = {
  site: lenient(z.uuid()),
  action: lenient(z.string().check(z.maxLength(253))),
  hostname: lenient(z.string().check(z.maxLength(253))),
  outcome: lenient(z.enum(['confirmed_abuse', 'legitimate', 'unknown', 'none'])),
  way: lenient(z.enum(['solved', 'exempted'])),
  device: lenient(z.enum(['mobile', 'desktop'])),
  paid: lenient(z.enum(['quota', 'balance'])),
  /** Milliseconds. */
  slow: lenient(z.int().check(z.minimum(0), z.maximum(3_600_000))),
  raised: lenient(z.enum(['any', 'network', 'subject', 'site'])),
}

/** The page's search parameters. */
export const decisionSearch = z.object({ ...periodSearch, ...filters, live: lenient(z.boolean()) })

export type DecisionSearch = z.infer<typeof decisionSearch>
export type Filters = Omit<DecisionSearch, keyof PeriodSearch | 'live'>

export const FILTERS = Object.keys(filters) as (keyof Filters)[]

/** The filters alone. */
export const filtersOf = (search: DecisionSearch): Filters =>
  Object.fromEntries(FILTERS.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])))

/** The query of the list. A period that ends now has no `to`, so that new decisions belong to it. */
export const askedOf = (search: DecisionSearch, { from, to }: Range) => ({
  ...filtersOf(search),
  from,
  ...(isFixed(search) && { to }),
})

/** The same list without any filter. */
export const withoutFilters = ({ period, from, to, live }: DecisionSearch): DecisionSearch => ({
  period,
  from,
  to,
  live,
})
