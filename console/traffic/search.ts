import * as z from 'zod/mini'
import { lenient } from '../ui/lenient.ts'
import { periodSearch } from '../ui/period.ts'

/** The search parameters of a page with charts. */
export const trafficSearch = z.object({ ...periodSearch, chart: lenient(z.enum(['outcomes', 'time', 'work'])) })
