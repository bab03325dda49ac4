import * as z from 'zod/mini'
import { optionalParam, periodSearch } from '../ui/form/period.ts'

/** The search parameters of a page with charts. */
export const trafficSearch = z.object({ ...periodSearch, chart: optionalParam(z.enum(['outcomes', 'time', 'work'])) })
