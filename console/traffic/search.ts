import * as z from 'zod/mini'
import { lenient } from '../ui/form/lenient.ts'
import { periodSearch } from '../ui/form/period.ts'

/** The search parameters of a page with charts. */
export const trafficSearch = z.object({ ...periodSearch, chart: lenient(z.enum(['outcomes', 'time', 'work'])) })
